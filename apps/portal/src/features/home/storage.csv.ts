import type { StorageSummary } from '@steward/contract/home';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import { CSV_BOM, writeCsvRow } from '#platform/csv/csv.ts';

export interface StorageRow {
  id: string;
  name: string;
  count: number;
  bytes: number;
}

/** Names of channels can be equal, so a row is known by its place. */
export function toStorageRows(
  amounts: readonly [name: string, amount: { count: number; bytes: number }][],
): StorageRow[] {
  return amounts.map(([name, { count, bytes }], at) => ({ id: String(at), name, count, bytes }));
}

/** The figures of the screen as one table. */
export function writeStorageCsv({ kinds, channels, private: hidden, ...rest }: StorageSummary): Blob {
  const rows: [part: string, name: string, amount: { count: number; bytes: number }][] = [
    ...kinds.map((each): [string, string, typeof each] => ['Kind', KIND_TEXT[each.kind].title, each]),
    ['Total', '', rest.total],
    ...channels.map((each): [string, string, typeof each] => ['Public channel', each.channel_name, each]),
    ['Private and direct channels', '', hidden],
    ['Added in the last 30 days', '', rest.added_30_days],
    ['Deleted by rules this month', '', rest.freed_this_month],
  ];
  const lines = rows.map(([part, name, { count, bytes }]) => writeCsvRow([part, name, String(count), String(bytes)]));
  return new Blob([CSV_BOM, writeCsvRow(['Part', 'Name', 'Items', 'Bytes']), ...lines], { type: 'text/csv' });
}
