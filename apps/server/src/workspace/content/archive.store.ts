import { sql } from 'kysely';
import { copyIn, copyOut } from '#platform/database/copy.ts';
import { type Database, isUniqueViolation, type Trx } from '#platform/database/database.ts';
import {
  ARCHIVED_COLUMNS,
  type ArchivedRow,
  type ArchivedRows,
  decodeRows,
  readRows,
  withoutRows,
} from './archive-rows.rules.ts';
import type { BatchRange, Cursor, RetentionScope } from './expiry.ts';
import type { ActiveHold } from './holds/active-holds.rules.ts';
import { isHeld } from './holds/held.store.ts';
import { getItemsWith, type ItemPlace, isNotKeptInBatch } from './items.store.ts';

export interface DueItems {
  place: ItemPlace;
  scope: RetentionScope;
}

export interface PlannedBatch {
  rows: number;
  held: number;
  /** The last of them; null when nothing is left after them. */
  last: Cursor | null;
}

const listColumns = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));

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

/** Deletes the items of a planned batch and returns their rows. */
export function takeRows(
  trx: Trx,
  items: DueItems,
  { after, last }: { after: Cursor; last: Cursor | null },
): AsyncIterable<Buffer> {
  const { due, column, held } = getDue(items, after);
  const end = last ?? { clock: items.scope.cutoff, id: '' };
  // As a case, so that holds are evaluated last: only for rows of the batch.
  const isInBatch = sql`(${column}, id) <= (${end.clock}, ${end.id})`;
  const isFree = held === undefined ? sql`` : sql`and case when ${isInBatch} then not ${held} else false end`;
  const columns = listColumns(ARCHIVED_COLUMNS[items.place.table]);
  return copyOut(trx, sql`delete ${due} and ${isInBatch} ${isFree} returning ${columns}`);
}

export interface RestoredRows {
  ids: string[];
  skipped: number;
  /** Keys of the contents of items that were not restored. */
  freed: string[];
}

/** Some rows may exist again, and a content service may add others at the same time, so writing is repeated. */
const ATTEMPTS = 4;

/** Writes archived rows back, except those that exist again under their id or their external id. */
export async function restoreRows(trx: Trx, place: ItemPlace, archived: ArchivedRows): Promise<RestoredRows> {
  const rows = [...readRows(archived)];
  const target = sql`${sql.table(place.table)} (${listColumns(archived.columns)})`;
  for (let attempt = 1; ; attempt += 1) {
    // Few rows ever exist again, so they are looked for only when writing all of them failed.
    const isThere = attempt > 1 ? await findExisting(trx, place, { rows, archived }) : () => false;
    const skipped = rows.filter(isThere);
    await sql`savepoint before_rows`.execute(trx);
    try {
      await copyIn(trx, target, withoutRows(archived, skipped).text);
      const ids = skipped.length === 0 ? rows.map(({ id }) => id) : rows.filter((row) => !isThere(row)).map(getId);
      return { ids, skipped: skipped.length, freed: skipped.flatMap(({ blob }) => blob ?? []) };
    } catch (error) {
      if (!isUniqueViolation(error) || attempt === ATTEMPTS) throw error;
      await sql`rollback to savepoint before_rows`.execute(trx);
    }
  }
}

const getId = ({ id }: { id: string }) => id;

/** Returns a test for rows that exist again. */
async function findExisting(
  trx: Trx,
  place: ItemPlace,
  { rows, archived }: { rows: readonly ArchivedRow[]; archived: ArchivedRows },
): Promise<(row: ArchivedRow) => boolean> {
  const [first] = decodeRows({ ...archived, text: archived.text.subarray(0, rows[0]?.end ?? 0) });
  const externalIds = rows.flatMap(({ externalId }) => externalId ?? []);
  const same = sql`${sql.table(place.table)} where team_id = ${first?.team_id ?? ''}
    ${place.table === 'records' ? sql`and kind = ${place.kind}` : sql``}`;
  const { rows: found } = await sql<{ id: string; external_id: string | null }>`
    select id, external_id from ${same} and id = any(${rows.map(getId)}::text[])
    union all select id, external_id from ${same} and external_id = any(${externalIds}::text[])`.execute(trx);
  const ids = new Set(found.map(getId));
  const externals = new Set(found.flatMap(({ external_id }) => external_id ?? []));
  return ({ id, externalId }) => ids.has(id) || (externalId !== null && externals.has(externalId));
}

/** The columns that holds depend on. */
const HELD_BY = ['team_id', 'id', 'channel_id', 'user_id', 'create_at', 'clock'];

/** The archived rows are in no table, so they are passed as JSON. */
export async function isAnyRowHeld(
  db: Database,
  { teamId, table, holds }: { teamId: string; table: ItemPlace['table']; holds: readonly ActiveHold[] },
  archived: ArchivedRows,
): Promise<boolean> {
  const held = isHeld(teamId, holds, { table, alias: 'archived' });
  if (held === undefined) return false;
  const columns = HELD_BY.filter((column) => archived.columns.includes(column));
  const json = JSON.stringify([...decodeRows(archived)], columns);
  const { rows } = await sql`select 1 from json_populate_recordset(null::${sql.table(table)}, ${json}::json) archived
    where ${held} limit 1`.execute(db);
  return rows.length > 0;
}
