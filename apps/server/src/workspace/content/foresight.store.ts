import type { ChannelType } from '@steward/contract/channels';
import type { RecordKind } from '@steward/contract/content';
import type { RetentionClock } from '@steward/contract/retention/rules';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { isChannelSeenBy } from '#workspace/channels/seen-channels.store.ts';
import { nameInTeam } from '#workspace/people/name-in-team.store.ts';
import { CLOCKS, isNotKept } from './expiry.store.ts';
import type { Cursor, NightCutoffs, RetentionScope } from './expiry.ts';

/** Where the items of a kind are stored. */
export type ItemPlace =
  | { table: 'messages'; type: ChannelType }
  | { table: 'files' }
  | { table: 'records'; kind: RecordKind };

/** Dates are between these. */
const [LOWEST, HIGHEST] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/** Items and their bytes. */
export interface ItemCount {
  count: number;
  bytes: number;
}

/** The items of a place that have a clock, and the column with it; undefined where no item has that clock. */
function itemsWith(
  place: ItemPlace,
  { teamId, clock }: { teamId: string; clock: RetentionClock },
): { from: RawBuilder<unknown>; column: RawBuilder<unknown> } | undefined {
  if (place.table === 'records') {
    if (clock === 'marked') return undefined;
    const from = sql`from records where team_id = ${teamId} and kind = ${place.kind} and clock is not null`;
    return { from, column: sql.ref('clock') };
  }
  const { column, hasClock } = CLOCKS[clock];
  if (place.table === 'files') return { from: sql`from files where team_id = ${teamId} and ${hasClock}`, column };
  const { type } = place;
  return { from: sql`from messages where team_id = ${teamId} and channel_type = ${type} and ${hasClock}`, column };
}

/** The oldest and the newest date of a place's items, from the index; null without any. */
export async function findClockRange(
  db: Database,
  place: ItemPlace,
  range: { teamId: string; clock: RetentionClock },
): Promise<{ oldest: number | null; newest: number | null }> {
  const items = itemsWith(place, range);
  if (items === undefined) return { oldest: null, newest: null };
  const { from, column } = items;
  const { rows } = await sql<{ oldest: number | null; newest: number | null }>`select
    (select ${column} ${from} order by ${column} limit 1) as oldest,
    (select ${column} ${from} order by ${column} desc limit 1) as newest`.execute(db);
  return rows[0] ?? { oldest: null, newest: null };
}

/**
 * Counts items by which of the bounds, in ascending order, their date has reached: 0 before the first. A range of the index for
 * each, since finding the bound of each row took twice as long.
 */
export async function countByBound(
  db: Database,
  place: ItemPlace,
  { teamId, clock, bounds }: { teamId: string; clock: RetentionClock; bounds: readonly number[] },
): Promise<(ItemCount & { reached: number })[]> {
  const items = itemsWith(place, { teamId, clock });
  if (items === undefined) return [];
  const { from, column } = items;
  const [starts, ends] = [
    [null, ...bounds],
    [...bounds, null],
  ];
  const { rows } = await sql<ItemCount & { reached: number }>`
    select (r.nth - 1)::int as reached, c.count, c.bytes
    from unnest(${starts}::bigint[], ${ends}::bigint[]) with ordinality as r (low, high, nth)
    cross join lateral (select count(*)::bigint as count, coalesce(sum(size), 0)::bigint as bytes ${from}
      and ${column} >= coalesce(r.low, ${LOWEST}::bigint) and ${column} < coalesce(r.high, ${HIGHEST}::bigint)) c
    where c.count > 0 order by r.nth`.execute(db);
  return rows;
}

/** Counts what each night deletes of what is stored now. An item counts in the first night whose cutoff its date is before. */
export async function countByNight(
  db: Database,
  place: ItemPlace,
  nights: NightCutoffs,
): Promise<(ItemCount & { night: number })[]> {
  const counts = [...(await countUsual(db, place, nights)), ...(await countBackdated(db, place, nights))];
  const byNight = new Map<number, ItemCount & { night: number }>();
  for (const { night, count, bytes } of counts) {
    const sum = byNight.get(night) ?? { night, count: 0, bytes: 0 };
    byNight.set(night, { night, count: sum.count + count, bytes: sum.bytes + bytes });
  }
  return [...byNight.values()].sort((one, other) => one.night - other.night);
}

/** What is gone with an earlier night's cutoff stays gone: from then on, a later night's cutoff counts only if it is higher. */
function rising(cutoffs: readonly number[]): number[] {
  let highest = 0;
  return cutoffs.map((cutoff) => {
    highest = Math.max(highest, cutoff);
    return highest;
  });
}

/** All but items that the first night keeps because their date was moved back: for them, nights differ otherwise too. */
async function countUsual(
  db: Database,
  place: ItemPlace,
  { teamId, keptSince, ...nights }: NightCutoffs,
): Promise<(ItemCount & { night: number })[]> {
  const isKept = { teamId, clock: 'own', cutoff: 0, keptSince: keptSince[0] ?? 0 } as const;
  const parts = (['own', 'marked'] as const).flatMap((clock) => {
    const cutoffs = rising(nights[clock]);
    const last = cutoffs.at(-1) ?? 0;
    const items = last === 0 ? undefined : itemsWith(place, { teamId, clock });
    if (items === undefined) return [];
    const { from, column } = items;
    return [
      sql`select id, size, width_bucket(${column}, ${cutoffs}::bigint[]) as night ${from}
      and ${column} < ${last} and ${isNotKept(isKept)}`,
    ];
  });
  const [only, second] = parts;
  if (only === undefined) return [];
  const items =
    second === undefined
      ? only
      : sql`select id, min(size) as size, min(night) as night from (${only} union all ${second}) both_clocks group by id`;
  const { rows } = await sql<ItemCount & { night: number }>`
    select night, count(*)::bigint as count, coalesce(sum(size), 0)::bigint as bytes
    from (${items}) items group by night`.execute(db);
  return rows;
}

/** The rest, which are few: each in the first night that reaches it and doesn't keep it. */
async function countBackdated(
  db: Database,
  place: ItemPlace,
  { teamId, own, marked, keptSince }: NightCutoffs,
): Promise<(ItemCount & { night: number })[]> {
  const parts = (['own', 'marked'] as const).flatMap((clock) => {
    const items = itemsWith(place, { teamId, clock });
    if (items === undefined) return [];
    const { from, column } = items;
    const cutoff = sql.ref(`n.${clock}`);
    return [
      sql`select i.id, i.size, (select min(n.night) - 1 from nights n
        where i.clock < ${cutoff} and b.at <= to_timestamp(n.kept_since / 1000.0)) as night
      from (select id, size, ${column} as clock ${from}) i join backdated_items b on b.team_id = ${teamId} and b.item_id = i.id
      where b.at > to_timestamp(${(keptSince[0] ?? 0) / 1_000}::double precision)`,
    ];
  });
  const { rows } = await sql<ItemCount & { night: number }>`
    with nights as (select * from unnest(${[...own]}::bigint[], ${[...marked]}::bigint[], ${[...keptSince]}::bigint[])
      with ordinality as n (own, marked, kept_since, night))
    select night, count(*)::bigint as count, coalesce(sum(size), 0)::bigint as bytes
    from (select id, min(size) as size, min(night)::int as night from (${sql.join(parts, sql` union all `)}) found
      group by id) items
    where night is not null group by night`.execute(db);
  return rows;
}

/** An item that is due for deletion. */
export interface ExpiredItem extends Cursor {
  channel_id: string;
  channel_name: string;
  author_id: string;
  author_name: string;
  bytes: number;
}

/** The next items that a rule would delete, in order of their dates. Channels that the reader doesn't see have no name. */
export async function listExpired(
  db: Database,
  place: ItemPlace,
  { scope, readerId, after, limit }: { scope: RetentionScope; readerId: string; after: Cursor; limit: number },
): Promise<ExpiredItem[]> {
  const items = itemsWith(place, scope);
  if (items === undefined) return [];
  const { from, column } = items;
  const channel = place.table === 'records' ? sql`''` : sql.ref('channel_id');
  const author = nameInTeam({ team: 'i.team_id', person: 'i.author_id', people: 'p' });
  const { rows } = await sql<ExpiredItem>`
    select i.id, i.clock, i.channel_id, case when ${isChannelSeenBy(readerId)} then c.display_name else '' end as channel_name,
      i.author_id, ${author} as author_name, i.bytes
    from (select id, team_id, ${column} as clock, ${channel} as channel_id, user_id as author_id, size::bigint as bytes ${from}
        and ${column} < ${scope.cutoff} and ${isNotKept(scope)} and (${column}, id) > (${after.clock}, ${after.id})
      order by ${column}, id limit ${limit}) i
    left join channels c on c.team_id = i.team_id and c.id = i.channel_id
    left join people p on p.id = i.author_id
    order by i.clock, i.id`.execute(db);
  return rows;
}
