import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { type ArchivedRows, readItems, toJson } from './archive-rows.rules.ts';
import type { BatchRange, Cursor, RetentionScope } from './expiry.ts';
import type { ActiveHold } from './holds/active-holds.rules.ts';
import { isHeld } from './holds/held.store.ts';
import { getItemsWith, type ItemPlace, isNotKeptInBatch } from './items.store.ts';

export interface DueItems {
  place: ItemPlace;
  scope: RetentionScope;
}

interface PlannedBatch {
  rows: number;
  held: number;
  /** The last of them; null when nothing is left after them. */
  last: Cursor | null;
}

/** The items that a rule reaches after a position: held ones too, but not those whose date was moved back. */
function getDue({ place, scope }: DueItems, after: Cursor) {
  const items = getItemsWith(place, scope);
  if (items === undefined) throw new Error(`no item of ${place.table} has the clock ${scope.clock}`);
  const { from, column } = items;
  const due = sql`${from} and ${column} < ${scope.cutoff} and (${column}, id) > (${after.clock}, ${after.id})
    and ${isNotKeptInBatch(scope)}`;
  return { due, column, held: isHeld(scope.teamId, scope.holds, { table: place.table }) };
}

/** Finds the end of the next batch: up to `limit` items, and of messages up to `bytes`. */
export async function planBatch(
  trx: Trx,
  items: DueItems,
  { after, limit, bytes }: BatchRange & { bytes: number },
): Promise<PlannedBatch> {
  const { due, column, held = sql<boolean>`false` } = getDue(items, after);
  // In the order of the index. The column `size` avoids reading the text of messages.
  const { rows } = await sql<Omit<PlannedBatch, 'last'> & Cursor & { bytes: number }>`with next as materialized (
      select ${column} as clock, id, size, ${held} as held ${due} order by ${column}, id limit ${limit})
    select count(*)::int as rows, coalesce(sum(size), 0)::bigint as bytes, count(*) filter (where held)::int as held,
      (select clock from next offset ${limit - 1}) as clock, (select id from next offset ${limit - 1}) as id from next`.execute(
    trx,
  );
  const { rows: count = 0, held: kept = 0, bytes: size = 0, clock = null, id = '' } = rows[0] ?? {};
  if (items.place.table === 'messages' && size > bytes && count > 1) {
    const fewer = Math.max(1, Math.floor((count * bytes) / size));
    return planBatch(trx, items, { after, limit: fewer, bytes });
  }
  return { rows: count, held: kept, last: clock === null ? null : { clock, id } };
}

export interface TakenRow {
  size: number;
  /** Key of its content; null for messages. */
  blob: string | null;
  /** The whole row as JSON. */
  line: string;
}

/** Deletes the items of a planned batch and returns their rows. */
export async function takeRows(
  trx: Trx,
  items: DueItems,
  { after, last }: { after: Cursor; last: Cursor | null },
): Promise<TakenRow[]> {
  const { due, column, held } = getDue(items, after);
  const end = last ?? { clock: items.scope.cutoff, id: '' };
  // As a case, so that holds are evaluated last: only for rows of the batch.
  const isInBatch = sql`(${column}, id) <= (${end.clock}, ${end.id})`;
  const isFree = held === undefined ? sql`` : sql`and case when ${isInBatch} then not ${held} else false end`;
  const { table } = items.place;
  const { rows } = await sql<TakenRow>`delete ${due} and ${isInBatch} ${isFree}
    returning size, ${table === 'messages' ? sql`null` : sql`blob`} as blob, row_to_json(${sql.table(table)})::text as line`.execute(
    trx,
  );
  return rows;
}

export interface RestoredRows {
  ids: string[];
  skipped: number;
  /** Keys of the contents of items that were not restored. */
  freed: string[];
}

/** Writes archived rows back, except those that exist again under their id or their external id. */
export async function restoreRows(trx: Trx, place: ItemPlace, archived: ArchivedRows): Promise<RestoredRows> {
  const columns = sql.join(archived.columns.map((column) => sql.ref(column)));
  const { rows } = await sql<{ id: string }>`insert into ${sql.table(place.table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(place.table)}, ${toJson(archived)}::json)
    on conflict do nothing returning id`.execute(trx);
  const ids = new Set(rows.map(({ id }) => id));
  const skipped = readItems(archived).filter(({ id }) => !ids.has(id));
  return { ids: [...ids], skipped: skipped.length, freed: skipped.flatMap(({ blob }) => blob ?? []) };
}

/** The archived rows are in no table, so they are passed as JSON. */
export async function isAnyRowHeld(
  db: Database,
  { teamId, table, holds }: { teamId: string; table: ItemPlace['table']; holds: readonly ActiveHold[] },
  archived: ArchivedRows,
): Promise<boolean> {
  const held = isHeld(teamId, holds, { table, alias: 'archived' });
  if (held === undefined) return false;
  const { rows } = await sql`select 1
    from json_populate_recordset(null::${sql.table(table)}, ${toJson(archived)}::json) archived
    where ${held} limit 1`.execute(db);
  return rows.length > 0;
}
