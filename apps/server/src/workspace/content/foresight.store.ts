import type { RetentionClock } from '@steward/contract/retention/rules';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { isChannelSeenBy } from '#workspace/channels/channels.store.ts';
import { nameInTeam } from '#workspace/users/users.store.ts';
import type { Cursor, NightCutoffs, NightHold, RetentionScope } from './expiry.ts';
import type { ActiveHold } from './holds/active-holds.rules.ts';
import { isHeld } from './holds/held.store.ts';
import { getItems, getItemsWith, type ItemPlace, isNotKept } from './items.store.ts';

const [LOWEST, HIGHEST] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

export interface ItemCount {
  count: number;
  bytes: number;
}

/** `held` is the number of items that holds keep. */
export interface HeldItemCount extends ItemCount {
  held: number;
}

/** From the index; null without any items. */
export async function findClockRange(
  db: Database,
  place: ItemPlace,
  range: { teamId: string; clock: RetentionClock },
): Promise<{ oldest: number | null; newest: number | null }> {
  const items = getItemsWith(place, range);
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
  {
    teamId,
    clock,
    bounds,
    holds,
  }: { teamId: string; clock: RetentionClock; bounds: readonly number[]; holds: readonly ActiveHold[] },
): Promise<(HeldItemCount & { reached: number })[]> {
  const items = getItemsWith(place, { teamId, clock });
  if (items === undefined) return [];
  const { from, column } = items;
  const [starts, ends] = [
    [null, ...bounds],
    [...bounds, null],
  ];
  const held = isHeld(teamId, holds, { table: place.table });
  const counts = held
    ? sql`count(*) filter (where not ${held})::bigint as count, coalesce(sum(size) filter (where not ${held}), 0)::bigint as bytes,
        count(*) filter (where ${held})::bigint as held`
    : sql`count(*)::bigint as count, coalesce(sum(size), 0)::bigint as bytes, 0::bigint as held`;
  const { rows } = await sql<HeldItemCount & { reached: number }>`
    select (r.nth - 1)::int as reached, c.count, c.bytes, c.held
    from unnest(${starts}::bigint[], ${ends}::bigint[]) with ordinality as r (low, high, nth)
    cross join lateral (select ${counts} ${from}
      and ${column} >= coalesce(r.low, ${LOWEST}::bigint) and ${column} < coalesce(r.high, ${HIGHEST}::bigint)) c
    where c.count + c.held > 0 order by r.nth`.execute(db);
  return rows;
}

/** Counts what each night deletes of what is stored now. An item counts in the first night that reaches it and doesn't keep it. */
export async function countByNight(
  db: Database,
  place: ItemPlace,
  nights: NightCutoffs,
): Promise<(HeldItemCount & { night: number })[]> {
  const counts = [
    ...(await countUsual(db, place, nights)),
    ...(await countHeld(db, place, nights)),
    ...(await countBackdated(db, place, nights)),
  ];
  const byNight = new Map<number, HeldItemCount & { night: number }>();
  for (const { night, count, bytes, held } of counts) {
    const sum = byNight.get(night) ?? { night, count: 0, bytes: 0, held: 0 };
    byNight.set(night, { night, count: sum.count + count, bytes: sum.bytes + bytes, held: sum.held + held });
  }
  return [...byNight.values()].sort((one, other) => one.night - other.night);
}

/**
 * An item that an earlier night's cutoff reaches is deleted then, so a later night's cutoff counts only if it is
 * higher.
 */
function rising(cutoffs: readonly number[]): number[] {
  let highest = 0;
  return cutoffs.map((cutoff) => {
    highest = Math.max(highest, cutoff);
    return highest;
  });
}

/**
 * Counts all items but those that a hold covers, and those that the first night keeps because their date was moved
 * back.
 */
async function countUsual(
  db: Database,
  place: ItemPlace,
  { teamId, keptSince, holds, ...nights }: NightCutoffs,
): Promise<(HeldItemCount & { night: number })[]> {
  const backdating = { teamId, keptSince: keptSince[0] ?? 0 };
  const held = isHeld(teamId, toHolds(holds), { table: place.table });
  const isFree = held === undefined ? sql`` : sql`and not ${held}`;
  const parts = (['own', 'marked'] as const).flatMap((clock) => {
    const cutoffs = rising(nights[clock]);
    const last = cutoffs.at(-1) ?? 0;
    const items = last === 0 ? undefined : getItemsWith(place, { teamId, clock });
    if (items === undefined) return [];
    const { from, column } = items;
    return [
      sql`select id, size, width_bucket(${column}, ${cutoffs}::bigint[]) as night ${from}
      and ${column} < ${last} and ${isNotKept(backdating)} ${isFree}`,
    ];
  });
  const [only, second] = parts;
  if (only === undefined) return [];
  const items =
    second === undefined
      ? only
      : sql`select id, min(size) as size, min(night) as night from (${only} union all ${second}) both_clocks group by id`;
  const { rows } = await sql<HeldItemCount & { night: number }>`
    select night, count(*)::bigint as count, coalesce(sum(size), 0)::bigint as bytes, 0::bigint as held
    from (${items}) items group by night`.execute(db);
  return rows;
}

const toHolds = (holds: readonly NightHold[]) => holds.map(({ hold }) => hold);

/** Part of a statement: the first night without any hold on an item. */
function firstFree({ teamId, holds }: NightCutoffs, { table }: ItemPlace): RawBuilder<unknown> {
  const nights = [...new Set(holds.map(({ free }) => free))].sort((one, other) => other - one);
  const cases = nights.flatMap((night) => {
    const lasting = holds.filter(({ free }) => free === night);
    const held = isHeld(teamId, toHolds(lasting), { table });
    return held === undefined ? [] : [sql`when ${held} then ${night}::int`];
  });
  return cases.length === 0 ? sql`0` : sql`case ${sql.join(cases, sql` `)} else 0 end`;
}

/**
 * Held items with the same fate in every night: their dates are between the same cutoffs, and the same night is the
 * first without a hold.
 */
interface HeldGroup extends ItemCount {
  /** Number of distinct cutoffs, in ascending order, that the dates have reached. */
  own: number;
  marked: number;
  free: number;
}

/** Counts items under holds: kept in every night with a hold, and deleted in the first one after that reaches them. */
async function countHeld(
  db: Database,
  place: ItemPlace,
  nights: NightCutoffs,
): Promise<(HeldItemCount & { night: number })[]> {
  const { teamId, holds, keptSince } = nights;
  const held = isHeld(teamId, toHolds(holds), { table: place.table });
  if (held === undefined) return [];
  const { from, dates } = getItems(place, teamId);
  const distinct = (cutoffs: readonly number[]) =>
    [...new Set(cutoffs)].filter((cutoff) => cutoff > 0).sort((a, b) => a - b);
  const [own, marked] = [distinct(nights.own), distinct(nights.marked)];
  const isMarked = dates.marked === undefined ? sql`false` : sql`delete_at > 0`;
  const reached = sql`(${dates.own} < ${own.at(-1) ?? 0} or (${isMarked} and ${dates.marked ?? sql`0`} < ${marked.at(-1) ?? 0}))`;
  const { rows } = await sql<HeldGroup>`
    select own, marked, free, count(*)::bigint as count, coalesce(sum(size), 0)::bigint as bytes from (
      select size, width_bucket(${dates.own}, ${own}::bigint[]) as own,
        case when ${isMarked} then width_bucket(${dates.marked ?? sql`0::bigint`}, ${marked}::bigint[]) else ${marked.length} end as marked,
        ${firstFree(nights, place)} as free
      ${from} and ${reached} and ${held} and ${isNotKept({ teamId, keptSince: keptSince[0] ?? 0 })}) items
    group by own, marked, free`.execute(db);
  return rows.flatMap((group) => spread(group, nights, { own, marked }));
}

/** Adds a group to the nights that keep it, and to the one that deletes it. */
function spread(
  { count, bytes, ...group }: HeldGroup,
  nights: NightCutoffs,
  distinct: Record<RetentionClock, readonly number[]>,
): (HeldItemCount & { night: number })[] {
  const isReached = (clock: RetentionClock, night: number) =>
    distinct[clock].indexOf(nights[clock][night] ?? 0) >= group[clock];
  const counts: (HeldItemCount & { night: number })[] = [];
  for (const night of nights.own.keys()) {
    if (!isReached('own', night) && !isReached('marked', night)) continue;
    if (night >= group.free) return [...counts, { night, count, bytes, held: 0 }];
    counts.push({ night, count: 0, bytes: 0, held: count });
  }
  return counts;
}

/** Counts the few items that the first night keeps because their date was moved back, night by night. */
async function countBackdated(
  db: Database,
  place: ItemPlace,
  nights: NightCutoffs,
): Promise<(HeldItemCount & { night: number })[]> {
  const { teamId, own, marked, keptSince } = nights;
  const { from, dates } = getItems(place, teamId);
  const markedAt = dates.marked === undefined ? sql`null::bigint` : sql`nullif(${dates.marked}, 0)`;
  const { rows } = await sql<HeldItemCount & { night: number }>`
    with nights as (select * from unnest(${[...own]}::bigint[], ${[...marked]}::bigint[], ${[...keptSince]}::bigint[])
      with ordinality as n (own, marked, kept_since, night)),
    reached as (
      select i.id, i.size, (n.night - 1)::int as night, n.night - 1 < i.free as held
      from (select id, size, ${dates.own} as own, ${markedAt} as marked, ${firstFree(nights, place)} as free ${from}) i
      join backdated_items b on b.team_id = ${teamId} and b.item_id = i.id
      join nights n on (i.own < n.own or i.marked < n.marked) and b.at <= to_timestamp(n.kept_since / 1000.0)
      where b.at > to_timestamp(${(keptSince[0] ?? 0) / 1_000}::double precision))
    select night, 0::bigint as count, 0::bigint as bytes, count(*)::bigint as held from reached where held group by night
    union all
    select night, count(*)::bigint, coalesce(sum(size), 0)::bigint, 0::bigint
    from (select distinct on (id) id, size, night from reached where not held order by id, night) gone group by night`.execute(
    db,
  );
  return rows;
}

export interface ExpiredItem extends Cursor {
  channel_id: string;
  channel_name: string;
  author_id: string;
  author_name: string;
  bytes: number;
}

/** Channels that the reader doesn't see have no name. */
export async function listExpired(
  db: Database,
  place: ItemPlace,
  { scope, readerId, after, limit }: { scope: RetentionScope; readerId: string; after: Cursor; limit: number },
): Promise<ExpiredItem[]> {
  const items = getItemsWith(place, scope);
  if (items === undefined) return [];
  const { from, column } = items;
  const held = isHeld(scope.teamId, scope.holds, { table: place.table });
  const isFree = held === undefined ? sql`` : sql`and not ${held}`;
  const channel = place.table === 'records' ? sql`''` : sql.ref('channel_id');
  const author = nameInTeam({ team: 'i.team_id', user: 'i.author_id', users: 'p' });
  const { rows } = await sql<ExpiredItem>`
    select i.id, i.clock, i.channel_id, case when ${isChannelSeenBy(readerId)} then c.display_name else '' end as channel_name,
      i.author_id, ${author} as author_name, i.bytes
    from (select id, team_id, ${column} as clock, ${channel} as channel_id, user_id as author_id, size::bigint as bytes ${from}
        and ${column} < ${scope.cutoff} and ${isNotKept(scope)} ${isFree} and (${column}, id) > (${after.clock}, ${after.id})
      order by ${column}, id limit ${limit}) i
    left join channels c on c.team_id = i.team_id and c.id = i.channel_id
    left join people p on p.id = i.author_id
    order by i.clock, i.id`.execute(db);
  return rows;
}
