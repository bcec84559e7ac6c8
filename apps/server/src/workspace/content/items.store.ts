import type { ChannelType } from '@steward/contract/channels';
import type { RecordKind } from '@steward/contract/content';
import type { RetentionClock } from '@steward/contract/retention/rules';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { runPrepared } from '#platform/database/prepared.ts';
import type { Cursor, ExpiredCount, MarkedBatch, MarkedItem, RetentionScope, StoredCount } from './expiry.ts';

/** Clocks of messages and files: the column, and the condition for rows that have one. */
export const CLOCKS = {
  own: { column: sql.ref('create_at'), hasClock: sql<boolean>`true` },
  // Written like the condition of the partial index of deleted items, so that PostgreSQL uses it.
  marked: { column: sql.ref('delete_at'), hasClock: sql<boolean>`delete_at > 0` },
} as const satisfies Record<RetentionClock, unknown>;

type Backdating = Pick<RetentionScope, 'teamId' | 'keptSince'>;

const findBackdated = ({ teamId, keptSince }: Backdating) => sql`select 1 from backdated_items b
  where b.team_id = ${teamId} and b.at > to_timestamp(${keptSince / 1_000}::double precision)`;

/** PostgreSQL looks once whether the team has any such item, because most teams have none, and a look for each item takes long. */
const isNotBackdated = (scope: Backdating, ofItem: RawBuilder<unknown>) =>
  sql<boolean>`(not exists (${findBackdated(scope)}) or not exists (${findBackdated(scope)} and b.item_id = id ${ofItem}))`;

/** True for an item `id` whose date wasn't moved back; for counts, which read every item. */
export const isNotKept = (scope: Backdating) => isNotBackdated(scope, sql``);

/** The same for a batch: the offset keeps PostgreSQL from reading all backdated items for the few of the batch. */
export const isNotKeptInBatch = (scope: Backdating) => isNotBackdated(scope, sql`offset 0`);

/** Items of a table: the statement from its FROM clause on, and the column with their date. */
interface DatedItems {
  from: RawBuilder<unknown>;
  column: RawBuilder<unknown>;
}

/** Counts expired items; `held` is undefined if no hold covers any. */
export async function countExpired(
  db: Database | Trx,
  { from, column, held }: DatedItems & { held: RawBuilder<boolean> | undefined },
): Promise<ExpiredCount> {
  if (held !== undefined) return countBesideHeld(db, { from, column, held });
  const { rows } = await sql<Omit<ExpiredCount, 'held'>>`${countAll({ from, column })},
    (select ${column} ${from} order by ${column} desc limit 1) as newest ${from}`.execute(db);
  return { ...(rows[0] as Omit<ExpiredCount, 'held'>), held: { count: 0, bytes: 0 } };
}

/** Counts all items of a kind; `oldest` ignores records without a date, which no rule deletes. */
export async function countStored(db: Database, { from, column }: DatedItems): Promise<StoredCount> {
  const { rows } = await sql<StoredCount>`${countAll({ from, column })} ${from}`.execute(db);
  return rows[0] as StoredCount;
}

/** The oldest and newest come from the index; as aggregates they would be computed for every row. */
function countAll({ from, column }: DatedItems): RawBuilder<unknown> {
  return sql`select count(*)::bigint as count, coalesce(sum(size), 0)::bigint as bytes,
    (select ${column} ${from} and ${column} is not null order by ${column} limit 1) as oldest`;
}

async function countBesideHeld(
  db: Database | Trx,
  { from, column, held }: DatedItems & { held: RawBuilder<boolean> },
): Promise<ExpiredCount> {
  const { rows } = await sql<Omit<ExpiredCount, 'held'> & { held: number; held_bytes: number }>`
    select count(*) filter (where not held)::bigint as count, coalesce(sum(size) filter (where not held), 0)::bigint as bytes,
      count(*) filter (where held)::bigint as held, coalesce(sum(size) filter (where held), 0)::bigint as held_bytes,
      min(clock) filter (where not held) as oldest, max(clock) filter (where not held) as newest
    from (select ${column} as clock, size, ${held} as held ${from}) expired`.execute(db);
  const { held: count = 0, held_bytes: bytes = 0, ...rest } = rows[0] ?? {};
  return { count: 0, bytes: 0, oldest: null, newest: null, ...rest, held: { count, bytes } };
}

export interface BatchRow extends MarkedItem {
  held: boolean;
}

export function toMarkedBatch(rows: readonly BatchRow[], limit: number): MarkedBatch {
  const items = rows.filter(({ held }) => !held);
  const last: Cursor | null = rows.length < limit ? null : (rows.at(-1) ?? null);
  return { items, held: rows.length - items.length, last };
}

/** The table of a kind, and the value that tells the kind apart there. */
export type ItemPlace =
  | { table: 'messages'; type: ChannelType }
  | { table: 'files' }
  | { table: 'records'; kind: RecordKind };

/** No record can be marked deleted. */
interface PlaceItems {
  from: RawBuilder<unknown>;
  dates: { own: RawBuilder<unknown>; marked?: RawBuilder<unknown> };
}

/** The items of a place that have a date of their own. */
export function getItems(place: ItemPlace, teamId: string): PlaceItems {
  if (place.table === 'records') {
    const from = sql`from records where team_id = ${teamId} and kind = ${place.kind} and clock is not null`;
    return { from, dates: { own: sql.ref('clock') } };
  }
  const dates = { own: CLOCKS.own.column, marked: CLOCKS.marked.column };
  if (place.table === 'files') return { from: sql`from files where team_id = ${teamId}`, dates };
  return { from: sql`from messages where team_id = ${teamId} and channel_type = ${place.type}`, dates };
}

/** The items of a place that have a clock, and the column with it; undefined if no item has that clock. */
export function getItemsWith(
  place: ItemPlace,
  { teamId, clock }: { teamId: string; clock: RetentionClock },
): { from: RawBuilder<unknown>; column: RawBuilder<unknown> } | undefined {
  const { from, dates } = getItems(place, teamId);
  const column = dates[clock];
  if (column === undefined) return undefined;
  return { from: clock === 'marked' ? sql`${from} and ${CLOCKS.marked.hasClock}` : from, column };
}

/** Content is older than sources if it has none. A team without such content never gets any again. */
export async function hasContentWithoutSource(db: Database, teamId: string): Promise<boolean> {
  const statement = sql<{ found: boolean }>`
    select exists (select 1 from messages where team_id = ${teamId} and external_id is not null and source_id is null)
      or exists (select 1 from files where team_id = ${teamId} and external_id is not null and source_id is null)
      or exists (select 1 from records where team_id = ${teamId} and external_id is not null and source_id is null)
      as found`;
  const [answer] = await runPrepared(db, statement);
  return answer?.found ?? false;
}
