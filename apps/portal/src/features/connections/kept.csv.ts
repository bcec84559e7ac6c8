import type { OrderRow } from '@steward/contract/connections';
import { createCsvParts } from '#platform/csv/csv.ts';

const COLUMNS = ['Message', 'Thread', 'Channel id', 'Channel', 'Posted', 'Reason'];

/** Times are in UTC. */
export function createKeptCsv() {
  const csv = createCsvParts(COLUMNS);
  return {
    add(rows: readonly OrderRow[]) {
      for (const { id, thread_id, channel_id, channel_name, created_at, reason } of rows)
        csv.add([id, thread_id, channel_id, channel_name, new Date(created_at).toISOString(), reason]);
    },
    finish: () => csv.finish(),
  };
}
