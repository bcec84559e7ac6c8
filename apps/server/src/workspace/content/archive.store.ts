import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import type { ActiveHold } from '#workspace/holds/active-holds.rules.ts';
import { isHeld } from '#workspace/holds/held.store.ts';
import { isNotKeptInBatch } from './expiry.store.ts';
import type { Cursor, RetentionScope } from './expiry.ts';
import { getItemsWith, type ItemPlace } from './place.store.ts';

/** The next items to archive, up to so many and about so many bytes. */
export interface ArchiveRange {
  after: Cursor;
  rows: number;
  bytes: number;
}

/** Items of a batch, read to be archived. */
export interface DueRows {
  ids: string[];
  /** Versions of the rows, in the order of the ids: another one means that the row was changed. */
  versions: string[];
  /** The rows as lines of JSON. */
  lines: string;
  /** Items in the range that holds keep. */
  held: number;
  /** Null when nothing is left. */
  last: Cursor | null;
}

interface DuePlace {
  from: RawBuilder<unknown>;
  column: RawBuilder<unknown>;
  held: RawBuilder<boolean>;
}

/** The items that a rule reaches, held ones too, but not those whose date was moved back. */
function getDue(place: ItemPlace, scope: RetentionScope): DuePlace {
  const items = getItemsWith(place, scope);
  if (items === undefined) throw new Error(`no item of ${place.table} has the clock ${scope.clock}`);
  const { from, column } = items;
  const held = isHeld(scope.teamId, scope.holds, { table: place.table }) ?? sql<boolean>`false`;
  return { from: sql`${from} and ${column} < ${scope.cutoff} and ${isNotKeptInBatch(scope)}`, column, held };
}

/** Reads the next items that a rule deletes, in the order of their dates. */
export async function readDueRows(
  db: Database | Trx,
  { place, scope }: { place: ItemPlace; scope: RetentionScope },
  { after, rows: limit, bytes }: ArchiveRange,
): Promise<DueRows> {
  const { from, column, held } = getDue(place, scope);
  const isNext = sql`(${column}, id) > (${after.clock}, ${after.id})`;
  // One pass over the index, in its order, which the sums without an order of their own follow.
  const { rows } = await sql<Omit<DueRows, 'last'> & Cursor>`with next as materialized (
      select ${column} as clock, id, size, ${sql.ref(`${place.table}.xmin`)}::text as version, ${held} as held,
        row_to_json(${sql.table(place.table)}.*)::text as line
      ${from} and ${isNext} order by ${column}, id limit ${limit}),
    sized as materialized (
      select *, row_number() over () as nth, sum(size) over (rows unbounded preceding) as total from next),
    bound as materialized (select clock, id, nth from sized where nth = ${limit} or total >= ${bytes} order by nth limit 1),
    due as (select * from sized where nth <= coalesce((select nth from bound), ${limit}))
    select coalesce(array_agg(id) filter (where not held), '{}') as ids,
      coalesce(array_agg(version) filter (where not held), '{}') as versions,
      coalesce(string_agg(line, E'\n') filter (where not held), '') as lines,
      count(*) filter (where held)::int as held,
      (select clock from bound) as clock, (select id from bound) as id from due`.execute(db);
  const { ids = [], versions = [], lines = '', held: kept = 0, clock = null, id = '' } = rows[0] ?? {};
  return { ids, versions, lines, held: kept, last: clock === null ? null : { clock, id } };
}

/** What a batch deleted. */
export interface DeletedRows {
  count: number;
  bytes: number;
  /** Items that were read and that stay: changed since, held by now, or no longer reached by the rule. */
  kept: string[];
  /** Keys of their contents. */
  blobs: string[];
}

/** Deletes items that were read, unless they were changed since or must stay by now. */
export async function deleteReadRows(
  trx: Trx,
  { place, scope }: { place: ItemPlace; scope: RetentionScope },
  { ids, versions }: Pick<DueRows, 'ids' | 'versions'>,
): Promise<DeletedRows> {
  const { from, held } = getDue(place, scope);
  const blob = place.table === 'messages' ? sql`null::text` : sql`blob`;
  const version = sql.ref(`${place.table}.xmin`);
  const { rows } = await sql<DeletedRows>`with given as materialized (
      select * from unnest(${[...ids]}::text[], ${[...versions]}::text[]) as g (id, version)),
    gone as (
      delete ${from} and id = any(${[...ids]}) and (id, ${version}::text) in (select g.id, g.version from given g)
        and not ${held} returning id, size, ${blob} as blob)
    select count(*)::bigint as count, coalesce(sum(size), 0)::bigint as bytes,
      coalesce((select array_agg(g.id) from given g where not exists (select 1 from gone where gone.id = g.id)), '{}') as kept,
      coalesce(array_agg(blob) filter (where blob is not null), '{}') as blobs from gone`.execute(trx);
  return rows[0] ?? { count: 0, bytes: 0, kept: [], blobs: [] };
}

/** What a restore of an object did. */
export interface RestoredRows {
  ids: string[];
  skipped: number;
  /** Keys of the contents of items that were not restored. */
  freed: string[];
}

/** Writes archived rows back, except those that exist again, also under their external id. `json` is an array of rows. */
export async function restoreRows(
  trx: Trx,
  table: ItemPlace['table'],
  { json, kept }: { json: string; kept: readonly string[] },
): Promise<RestoredRows> {
  const name = sql.table(table);
  const freed =
    table === 'messages'
      ? sql`'{}'::text[]`
      : sql`coalesce((select array_agg(blob) from given
    where blob is not null and not exists (select 1 from added where added.id = given.id)), '{}')`;
  const { rows } = await sql<RestoredRows>`with given as materialized (
      select * from json_populate_recordset(null::${name}, ${json}::json) where id <> all(${[...kept]})),
    added as (insert into ${name} select * from given on conflict do nothing returning id)
    select coalesce((select array_agg(id) from added), '{}') as ids,
      ((select count(*) from given) - (select count(*) from added))::int as skipped, ${freed} as freed`.execute(trx);
  return rows[0] ?? { ids: [], skipped: 0, freed: [] };
}

/** Whether a hold covers any of these rows, which are in no table. `json` is an array of rows. */
export async function isAnyRowHeld(
  db: Database,
  { teamId, table, holds }: { teamId: string; table: ItemPlace['table']; holds: readonly ActiveHold[] },
  json: string,
): Promise<boolean> {
  const held = isHeld(teamId, holds, { table, alias: 'archived' });
  if (held === undefined) return false;
  const { rows } = await sql`select 1 from json_populate_recordset(null::${sql.table(table)}, ${json}::json) archived
    where ${held} limit 1`.execute(db);
  return rows.length > 0;
}
