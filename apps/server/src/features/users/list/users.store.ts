import type { MemberState } from '@steward/contract/users/roles';
import { type RawBuilder, sql } from 'kysely';
import { copyRows } from '#platform/database/copy.ts';
import { type Database, isUsualPage, USUAL_ROWS } from '#platform/database/database.ts';
import { escapeJson, readJsonLines } from '#platform/database/json-lines.ts';
import { findPage, toTsquery } from '#platform/database/search-plan.ts';
import {
  type BoundStatement,
  createStatement,
  runPrepared,
  type Statement,
} from '#platform/database/statements/statement.ts';
import type { TakeRow } from '#platform/database/wire/taken-rows.ts';
import type { Column } from '#platform/http/answers/records.ts';
import { countGroups, memberGroup } from '#workspace/people/members/member-counts.store.ts';
import { memberState } from '#workspace/people/memberships.store.ts';
import { type PersonRow, presenceStatus } from '#workspace/people/people.store.ts';
import { selectAllMatches, selectNextMatches } from './matches.store.ts';
import { getDirection, getGroups, getKey, getNulls, selectPageOfMembers, toMembers } from './member-pages.store.ts';
import { matchesText, type UserSearch } from './selection.store.ts';

/** A user with their membership. */
export interface ListedUser extends PersonRow {
  state: MemberState;
  joined_at: number | null;
  invited_at: number | null;
  last_active_at: number | null;
  invitation: 'limited' | null;
}

/** A user of a page, as the JSON of an answer without what follows from roles and state. */
export interface WrittenUser {
  id: string;
  json: string;
  /** Their state and their stored roles, with spaces between. */
  kind: string;
  /** What the page is sorted by, as text; '' for someone who was never active. Of a usual page, only its last shown user has it. */
  sort_key: string;
  /** How many users match, where finding the first page told it. */
  total: number | null;
}

// What lists show of a membership and its person; roles and state are not among them.
const shown = sql`m.person_id as id, coalesce(m.first_name, p.first_name) as first_name,
  coalesce(m.last_name, p.last_name) as last_name, coalesce(m.email, p.email) as email,
  case when m.deactivated then 'offline' else ${presenceStatus} end as status, case when m.email is null then 2 else 1 end as type,
  coalesce(p.last_picture_update, m.create_at) as last_picture_update, coalesce(p.create_at, m.create_at) as create_at,
  coalesce(p.update_at, m.create_at) as update_at, coalesce(m.deactivated_at, 0) as delete_at, coalesce(p.apps, '{}') as apps,
  case when m.email is null then m.create_at end as joined_at, m.invited_at, m.last_active_at,
  case when m.invitation_limited then 'limited' end as invitation`;

const kind = sql<string>`${memberState} || ' ' || array_to_string(m.roles, ' ')`;

/** The columns of `shown`, in its order. */
const SHOWN = [
  ...['id', 'first_name', 'last_name', 'email', 'status'].map((name) => [name, 'text'] as const),
  ...['type', 'last_picture_update', 'create_at', 'update_at', 'delete_at'].map((name) => [name, 'json'] as const),
  ...['apps', 'joined_at', 'invited_at', 'last_active_at'].map((name) => [name, 'json'] as const),
  ['invitation', 'text'],
] as const;

/** One page of users. Every page costs as much as the first. */
export async function listPeople(db: Database, query: UserSearch): Promise<WrittenUser[]> {
  const { search, limit } = query;
  if (isRange(query))
    return fetchWritten(db, query, { page: selectPageOfMembers(query, limit), total: countAll(query), isFixed: false });
  const isFixed = isUsual(query);
  const keys = isFixed ? toTsquery(query.teamId, [search]) : undefined;
  return findPage({
    text: search,
    limit,
    look: (rows) =>
      fetchWritten(db, query, { page: toMembers(selectNextMatches(query, rows)), total: sql`null::int`, isFixed }),
    ask: () =>
      fetchWritten(db, query, {
        page: selectAllMatches(query, keys),
        total: sql`m.total`,
        isFixed: keys !== undefined,
      }),
  });
}

/** Whether a page is the next rows of an index, and not those of them that match. */
export function isRange({ search, sort, inactiveSince }: UserSearch): boolean {
  return search === '' && (inactiveSince === undefined || sort === 'last_active');
}

/** The first three columns of `copyPeople` are the state of a user, their roles with spaces between, and whether they are the caller. */
const KIND_COLUMNS = 3;

/** Gives `take` a page of `isRange` as COPY writes it, for exports: PostgreSQL takes half as long for it as for JSON. */
export function copyPeople(
  db: Database,
  query: UserSearch,
  { callerId, take }: { callerId: string; take: TakeRow },
): Promise<void> {
  const [is, nulls] = [getDirection(query), getNulls(query)];
  const key = sql`m.${getKey(query)}`;
  const page = sql`select ${memberState}, array_to_string(m.roles, ' '), m.person_id = ${callerId}, ${shown}, ${key}
    from (${selectPageOfMembers(query, query.limit)}) m ${theirPeople} order by ${key} ${is} ${nulls}, m.person_id ${is}`;
  return copyRows(db, page, take);
}

/** The columns of `copyPeople`; the last one is what it is sorted by. */
export const copiedPeople = {
  kind: KIND_COLUMNS,
  columns: [
    ...['', '', ''].map((name): Column => ({ name, as: 'unsent' })),
    ...SHOWN.map(([name, as]): Column => ({ name, as })),
    { name: '', as: 'unsent' },
  ],
} satisfies { kind: number; columns: Column[] };

/** How many users all pages have, where that is counted already. */
export async function fetchTotal(db: Database, query: UserSearch): Promise<number | null> {
  const { rows } = await sql<{ total: number | null }>`select ${countAll(query)} as total`.execute(db);
  return rows[0]?.total ?? null;
}

/** Users of the team with these ids. */
export async function findUsers(db: Database, teamId: string, ids: readonly string[]): Promise<ListedUser[]> {
  const { rows } = await sql<ListedUser>`select ${shown}, ${memberState} as state, m.roles
    from (select * from memberships where team_id = ${teamId} and person_id = any(${ids})) m ${theirPeople}
    order by m.name_key, m.person_id`.execute(db);
  return rows;
}

/** Rows that are looked at to count what no table knows the number of. */
const COUNTED_ROWS = 10_000;

/** Number of users that match where a page could not tell: up to 10,000 rows are looked at; null if those are not all. */
export async function countMatches(db: Database, query: UserSearch): Promise<number | null> {
  // Where the groups are known to have more rows, none is read.
  const { rows } = await sql<{ known: number; seen: number; matching: number }>`
    with groups as materialized (select coalesce(${countAll(query)}, 0)::int as members)
    select (select members from groups) as known, count(*)::int as seen,
      (count(*) filter (where ${matchesText(query)}))::int as matching
    from (${selectSome(query, COUNTED_ROWS + 1)}) few where (select members from groups) <= ${COUNTED_ROWS}`.execute(
    db,
  );
  const { known, seen, matching } = rows[0] ?? { known: 0, seen: 0, matching: 0 };
  return Math.max(known, seen) > COUNTED_ROWS ? null : matching;
}

/** Any rows of these groups, as many as are asked for. */
function selectSome(query: UserSearch, rows: number): RawBuilder<unknown> {
  const some = (condition: RawBuilder<unknown>) => sql`select search from memberships where team_id = ${query.teamId}
    and ${memberGroup} = any(${getGroups(query)}::smallint[]) and ${condition} limit ${rows}`;
  if (query.inactiveSince === undefined) return some(sql`true`);
  return sql`(${some(sql`last_active_at < ${query.inactiveSince}`)}) union all (${some(sql`last_active_at is null`)}) limit ${rows}`;
}

/** Only the first page tells a total, and the counts know nothing of activity. */
function countAll(query: UserSearch): RawBuilder<unknown> {
  if (query.after || query.inactiveSince !== undefined) return sql`null::int`;
  return countGroups(query.teamId, getGroups(query));
}

/** Looks up each person and their presence separately: for a page of thousands, a join would scan the whole tables. */
const theirPeople = sql`left join lateral (select * from people where id = m.person_id offset 0) p on true
  left join lateral (select * from presence where person_id = m.person_id offset 0) pr on true`;

/** The pages that the portal shows before anyone filters or sorts: planning them takes as long as half of reading them. */
function isUsual({ sort, owners, admins, members, pending, inactiveSince, limit }: UserSearch): boolean {
  const isFiltered = owners || admins || members || pending || inactiveSince !== undefined;
  return sort === 'name' && !isFiltered && isUsualPage(limit);
}

interface UsualValues {
  teamId: string;
  key: string;
  id: string;
}

/** A page of the usual size in one row, with the users on one line each. */
export interface UsualPeople {
  users: string | null;
  kinds: string | null;
  /** Number of lines. */
  count: number;
  /** Sort key of the last user that is shown, if the page is full. */
  last_key: string | null;
  total: number | null;
}

/** Statements of usual pages, by what their text depends on. */
const usualPages = new Map<string, Statement<UsualValues, UsualPeople>>();

/** What reads a page that the portal shows before anyone filters or sorts; undefined for other pages. */
export function selectUsualPeople(query: UserSearch): BoundStatement<UsualPeople> | undefined {
  if (query.search !== '' || !isUsual(query)) return undefined;
  const { teamId, after, descending, deactivated } = query;
  const shape = JSON.stringify([after !== undefined, descending, deactivated]);
  let statement = usualPages.get(shape);
  if (statement === undefined) {
    statement = createStatement((values: UsualValues) =>
      selectUsual({ ...query, teamId: values.teamId, after: after && { key: values.key, id: values.id } }),
    );
    usualPages.set(shape, statement);
  }
  return statement.bindValues({ teamId, key: after?.key ?? '', id: after?.id ?? '' });
}

/** As text of its own, since `row_to_json` takes twice as long. */
function selectUsual(query: UserSearch): RawBuilder<UsualPeople> {
  const is = getDirection(query);
  return sql<UsualPeople>`select string_agg(json, e'\n') as users, string_agg(kind, e'\n') as kinds, count(*)::int as count,
      (array_agg(name_key))[100] as last_key, max(total) as total
    from (
      select concat('{"id":"', u.id, '","first_name":"', ${escapeJson(sql`u.first_name`)},
          '","last_name":"', ${escapeJson(sql`u.last_name`)}, '","email":"', ${escapeJson(sql`u.email`)},
          '","status":"', u.status, '","type":', u.type, ',"last_picture_update":', u.last_picture_update,
          ',"create_at":', u.create_at, ',"update_at":', u.update_at, ',"delete_at":', u.delete_at, ',"apps":', u.apps,
          ',"joined_at":', coalesce(u.joined_at::text, 'null'), ',"invited_at":', coalesce(u.invited_at::text, 'null'),
          ',"last_active_at":', coalesce(u.last_active_at::text, 'null'),
          ',"invitation":', coalesce('"' || u.invitation || '"', 'null'), '}') as json,
        ${kind} as kind, m.name_key, ${countAll(query)} as total
      from (${selectPageOfMembers(query, query.limit)}) m ${theirPeople} cross join lateral (select ${shown}) u
      order by m.name_key ${is}, m.person_id ${is}
    ) listed`;
}

const FIRST_ID = '{"id":"'.length;

/** The users of such a page; undefined if a value can't be written that way. */
export function readUsualPeople({ users, kinds, count, last_key, total }: UsualPeople): WrittenUser[] | undefined {
  const kindOf = (kinds ?? '').split('\n');
  return readJsonLines(users, count)?.map((json, at) => ({
    id: json.slice(FIRST_ID, json.indexOf('"', FIRST_ID)),
    json,
    kind: kindOf[at] ?? '',
    sort_key: at === USUAL_ROWS - 2 ? (last_key ?? '') : '',
    total,
  }));
}

interface Found {
  /** Selects memberships, and what `total` reads of them as `m`. */
  page: RawBuilder<unknown>;
  total: RawBuilder<unknown>;
  /** Whether the plan is the same for all values, so that the statement can be prepared. */
  isFixed: boolean;
}

async function fetchWritten(db: Database, query: UserSearch, { page, total, isFixed }: Found): Promise<WrittenUser[]> {
  const [is, nulls] = [getDirection(query), getNulls(query)];
  const key = sql`m.${getKey(query)}`;
  const statement = sql<WrittenUser>`select m.person_id as id, row_to_json(u)::text as json,
      ${kind} as kind, coalesce(${key}::text, '') as sort_key, ${total} as total
    from (${page}) m ${theirPeople} cross join lateral (select ${shown}) u
    order by ${key} ${is} ${nulls}, m.person_id ${is}`;
  return isFixed ? runPrepared(db, statement) : (await statement.execute(db)).rows;
}
