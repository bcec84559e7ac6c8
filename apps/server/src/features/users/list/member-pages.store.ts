import type { UserSort } from '@steward/contract/users';
import { type RawBuilder, sql } from 'kysely';
import { factorMissing } from '#workspace/access/factors/factors.store.ts';
import { endsWithin } from '#workspace/users/active-members.store.ts';
import { GROUP_KINDS, GROUP_STATES, memberGroup } from '#workspace/users/member-counts.store.ts';

export interface MemberQuery {
  teamId: string;
  owners: boolean;
  admins: boolean;
  members: boolean;
  pending: boolean;
  deactivated: boolean;
  /** Only active members who were last active before this time, or never; undefined for all. */
  inactiveSince: number | undefined;
  /** Only active members who were last active at this time or later; undefined for all. */
  activeSince: number | undefined;
  /** Only active members whose access ends within this many days; undefined for all. */
  endingDays: number | undefined;
  /** Only active members without a second factor. */
  withoutFactor: boolean;
  /** Only invitees whose invitation was sent before this time; undefined for all. */
  invitedBefore: number | undefined;
  sort: UserSort;
  descending: boolean;
  /** Sort key and id of the row before the page. The key of someone who was never active is ''. */
  after: { key: string; id: string } | undefined;
}

/** Filters besides states, kinds and the search text. */
type Narrowing = Pick<MemberQuery, 'inactiveSince' | 'activeSince' | 'endingDays' | 'withoutFactor' | 'invitedBefore'>;

/** Numbers are those of `member_group`. */
export function getGroups(query: MemberQuery): number[] {
  const kinds = getKinds(query);
  return getStates(query).flatMap((state) =>
    (state === 'invited' && query.pending ? Object.values(GROUP_KINDS) : kinds).map(
      (kind) => GROUP_STATES[state] + kind,
    ),
  );
}

/** Some filters apply to members in one state only. */
function getStates(query: Omit<MemberQuery, 'after'>): (keyof typeof GROUP_STATES)[] {
  if (query.invitedBefore !== undefined) return isOfActive(query) ? [] : ['invited'];
  if (isOfActive(query)) return ['active'];
  return query.deactivated ? ['active', 'invited', 'deactivated'] : ['active', 'invited'];
}

/** Some filters select active members only. */
function isOfActive({ inactiveSince, activeSince, endingDays, withoutFactor }: Narrowing): boolean {
  return inactiveSince !== undefined || activeSince !== undefined || endingDays !== undefined || withoutFactor;
}

/** Account kinds and pending invitees are combined with OR; none chosen means all. */
function getKinds({ owners, admins, members, pending }: MemberQuery): number[] {
  const { owner, admin, member } = GROUP_KINDS;
  const chosen = [owners && owner, admins && admin, members && member].filter((kind) => kind !== false);
  return chosen.length > 0 || pending ? chosen : Object.values(GROUP_KINDS);
}

type Order = Pick<MemberQuery, 'sort' | 'descending'>;

export function getDirection({ descending }: Order): RawBuilder<unknown> {
  return descending ? sql`desc` : sql`asc`;
}

/** The comparison that finds the rows after another one. */
function isBeyond({ descending }: Order): RawBuilder<unknown> {
  return descending ? sql`<` : sql`>`;
}

/** Only activity can be null; the indexes of the other columns have their nulls elsewhere. */
export function getNulls({ sort }: Order): RawBuilder<unknown> {
  return sort === 'last_active' ? sql`nulls last` : sql``;
}

const KEYS = { name: sql`name_key`, joined: sql`create_at`, last_active: sql`last_active_at`, end: sql`ends_at` };

export function getKey({ sort }: Order): RawBuilder<unknown> {
  return KEYS[sort];
}

/**
 * The next `rows` rows of the list in its order, with `key`. Any page costs as much as the first one: each part is a range of one
 * index that is already in order.
 */
function selectPage(query: MemberQuery, rows: number): RawBuilder<unknown> {
  if (query.sort === 'name') return selectByName(query, rows);
  return query.sort === 'joined' ? selectGroups(query, isAfter(query), rows) : selectByActivity(query, rows);
}

/** The same rows with all columns of `memberships`. */
export function selectPageOfMembers(query: MemberQuery, rows: number): RawBuilder<unknown> {
  if (query.sort !== 'name' || isSplit(query)) return toMembers(selectPage(query, rows));
  // The index that gives the order leads to the row already.
  const is = getDirection(query);
  return sql`select * from memberships where ${matchesFilters(query)} and ${isAfter(query)}
    order by name_key ${is}, person_id ${is} limit ${sql.lit(rows)}`;
}

/** The memberships of rows with `team_id` and `person_id`, one by one, since a join of thousands would scan the table. */
export function toMembers(found: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select m.* from (${found}) f
    cross join lateral (select * from memberships where team_id = f.team_id and person_id = f.person_id offset 0) m`;
}

/** True if rows have to be looked at, because no index has the filters and the order. */
export function isNarrowed(query: Narrowing & Order): boolean {
  const isByActivity = query.sort === 'last_active';
  return isUncounted(isByActivity ? { ...query, inactiveSince: undefined, activeSince: undefined } : query);
}

/** True if the stored counts don't tell how many members there are. */
export function isUncounted(query: Narrowing): boolean {
  return isOfActive(query) || query.invitedBefore !== undefined;
}

/** Conditions for `memberships m` besides states and kinds. A member who was never active counts as inactive. */
export function matchesNarrowing(query: Narrowing): RawBuilder<unknown> {
  const { inactiveSince, activeSince, endingDays, withoutFactor, invitedBefore } = query;
  const conditions = [
    ...(endingDays === undefined ? [] : [endsWithin(endingDays, 'm')]),
    ...(inactiveSince === undefined ? [] : [sql`(last_active_at is null or last_active_at < ${inactiveSince})`]),
    ...(activeSince === undefined ? [] : [sql`last_active_at >= ${activeSince}`]),
    ...(withoutFactor ? [factorMissing(sql`m.person_id`)] : []),
    ...(invitedBefore === undefined ? [] : [sql`coalesce(invited_at, create_at) < ${invitedBefore}`]),
  ];
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

export function isAfter(query: MemberQuery): RawBuilder<unknown> {
  const { after, sort } = query;
  if (!after) return sql`true`;
  const isNext = sql`(${getKey(query)}, person_id) ${isBeyond(query)} (${after.key}, ${after.id})`;
  if (sort !== 'last_active') return isNext;
  return after.key === ''
    ? sql`(last_active_at is null and person_id ${isBeyond(query)} ${after.id})`
    : sql`(last_active_at is null or ${isNext})`;
}

/** Members who were never active come last in both orders, so they are a list of their own, read only when a page reaches it. */
function selectByActivity(query: MemberQuery, rows: number): RawBuilder<unknown> {
  const { after } = query;
  if (after?.key === '') return selectGroups(query, isAfter(query), rows);
  const isNext = after ? sql`(last_active_at, person_id) ${isBeyond(query)} (${after.key}, ${after.id})` : sql`true`;
  const known = selectGroups(query, sql`last_active_at is not null and ${isActiveWithin(query)} and ${isNext}`, rows);
  if (query.activeSince !== undefined) return known;
  return sql`(${known})
    union all (${selectGroups(query, sql`last_active_at is null`, rows)}) limit ${sql.lit(rows)}`;
}

function isActiveWithin({ inactiveSince, activeSince }: MemberQuery): RawBuilder<unknown> {
  const before = inactiveSince === undefined ? sql`true` : sql`last_active_at < ${inactiveSince}`;
  return activeSince === undefined ? before : sql`${before} and last_active_at >= ${activeSince}`;
}

/**
 * One range of the index per group, merged: with `= any` the index would not be in order. Groups and limit are in the text, because
 * PostgreSQL would not keep a plan that doesn't know them.
 */
function selectGroups(query: MemberQuery, condition: RawBuilder<unknown>, rows: number): RawBuilder<unknown> {
  const is = getDirection(query);
  const key = getKey(query);
  return sql`select page.* from unnest(${sql.lit(`{${getGroups(query)}}`)}::smallint[]) wanted (member_group) cross join lateral (
      select team_id, person_id, ${key} as key from memberships
      where team_id = ${query.teamId} and ${memberGroup} = wanted.member_group and ${condition}
      order by ${key} ${is}, person_id ${is} limit ${sql.lit(rows)}
    ) page order by key ${is}, person_id ${is} limit ${sql.lit(rows)}`;
}

function selectByName(query: MemberQuery, rows: number): RawBuilder<unknown> {
  const ordered = (only: MemberQuery) => selectOrdered(only, matchesFilters(only), rows);
  if (!isSplit(query)) return ordered(query);
  // Two short indexes: one condition with OR would read all members.
  const is = getDirection(query);
  const accepted = selectOrdered(query, sql`${matchesFilters({ ...query, pending: false })} and email is null`, rows);
  const invited = ordered({ ...query, owners: false, admins: false });
  return sql`select * from ((${accepted}) union all (${invited})) accepted_or_invited
    order by key ${is}, person_id ${is} limit ${sql.lit(rows)}`;
}

function isSplit(query: MemberQuery): boolean {
  const { owners, admins, members, pending } = query;
  return pending && (owners || admins) && !members && !isUncounted(query);
}

function selectOrdered(query: MemberQuery, condition: RawBuilder<unknown>, rows: number): RawBuilder<unknown> {
  const is = getDirection(query);
  return sql`select team_id, person_id, name_key as key from memberships
    where ${condition} and ${isAfter(query)} order by name_key ${is}, person_id ${is} limit ${sql.lit(rows)}`;
}

/** All conditions except the search text and the place in the list. */
export function matchesFilters(query: Omit<MemberQuery, 'after'>): RawBuilder<unknown> {
  const kinds = matchesKinds(query);
  const team = sql`team_id = ${query.teamId}`;
  const [state, ...others] = getStates(query);
  if (state === undefined) return sql`false`;
  if (state === 'active' && others.length === 0) return sql`${team} and not deactivated and email is null and ${kinds}`;
  if (state === 'invited') return sql`${team} and email is not null and ${query.pending ? sql`true` : kinds}`;
  const isShown = query.deactivated ? sql`true` : sql`not deactivated`;
  return sql`${team} and ${isShown} and ${query.pending ? sql`(${kinds} or email is not null)` : kinds}`;
}

function matchesKinds({ owners, admins, members, pending }: Omit<MemberQuery, 'after'>): RawBuilder<unknown> {
  const kinds: RawBuilder<unknown>[] = [];
  if (owners) kinds.push(sql`'team_owner' = any(roles)`);
  if (admins) kinds.push(sql`('team_admin' = any(roles) and not 'team_owner' = any(roles))`);
  if (members) kinds.push(sql`not roles && array['team_admin', 'team_owner', 'zendesk']`);
  if (kinds.length === 0) return pending ? sql`false` : sql`true`;
  const any = sql`(${sql.join(kinds, sql` or `)})`;
  // Repeats the condition of the partial index, so that a few admins are found quickly among a million members.
  return members ? any : sql`(roles && array['team_admin', 'team_owner', 'zendesk'] and ${any})`;
}
