import type { Received } from '@steward/contract/api/endpoint';
import { PAGE_ROWS } from '@steward/contract/api/limits';
import type { listUsers as endpoint } from '@steward/contract/users';
import type { StaleRead } from '#platform/database/cluster/replica.ts';
import type { Deps } from '#platform/deps.ts';
import { getPage, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import { toUser } from '#workspace/people/user.ts';
import { type Caller, getAbilities } from '../users.policy.ts';
import { toSelection } from './selection.store.ts';
import { countMatches, type ListedUser, listPeople, type UserSearch } from './users.store.ts';

type Query = Received<typeof endpoint>['query'];

interface ListInput {
  teamId: string;
  query: Query;
  caller: Caller;
}

/** A page of the user list; the first one has the number of all. */
export async function listUsers(deps: Deps, { teamId, query, caller }: ListInput) {
  const { last_key, limit, ...filters } = query;
  const scope = { list: 'users', teamId, filters };
  const cursor = readCursor(deps.secrets, scope, last_key);
  const after = cursor && { key: cursor[0] ?? '', id: cursor[1] ?? '' };
  const search = { ...toSelection(teamId, filters), after, limit: rowsToFetch(limit) };
  // An export may miss the newest changes; someone who looks at a page may not.
  const read: StaleRead = (limit ?? PAGE_ROWS) > PAGE_ROWS ? deps.replica.read : (work) => work(deps.db);
  const rows = await read((db) => listPeople(db, search));
  const toKey = (row: ListedUser) => [getSortKey(row, search), row.id];
  const page = getPage(rows, { limit, first: after === undefined, secrets: deps.secrets, scope, toKey });
  const records = page.records.map((row) => Object.assign(toUser(row), getAbilities(row, caller)));
  if (after !== undefined) return { ...page, records };
  // A list that ends on its first page has counted itself.
  const total =
    page.last_key === null ? records.length : (rows[0]?.total ?? (await read((db) => countMatches(db, search))));
  return { ...page, records, total };
}

function getSortKey(row: ListedUser, { sort }: UserSearch): string {
  if (sort === 'name') return row.name_key;
  return String((sort === 'joined' ? row.member_since : row.last_active_at) ?? '');
}
