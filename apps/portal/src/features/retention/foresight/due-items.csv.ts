import type { DueItem } from '@steward/contract/retention/foresight';
import { createCsvParts } from '#platform/csv/csv.ts';

const COLUMNS = ['Date', 'Channel', 'Author', 'Bytes', 'Id', 'Channel id', 'Author id'];

export interface DueItemsCsv {
  add(records: readonly DueItem[]): void;
  finish(): Blob;
}

/** Dates are in UTC, so that the same rows give the same file in every time zone and sort as text. */
export function createDueItemsCsv(): DueItemsCsv {
  const csv = createCsvParts(COLUMNS);
  return {
    add(records) {
      for (const { clock, channel_name, author_name, bytes, id, channel_id, author_id } of records)
        csv.add([new Date(clock).toISOString(), channel_name, author_name, String(bytes), id, channel_id, author_id]);
    },
    finish: () => csv.finish(),
  };
}
