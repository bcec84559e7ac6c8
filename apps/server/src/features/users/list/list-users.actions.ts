import type { Received } from '@steward/contract/api/endpoint';
import { PAGE_ROWS } from '@steward/contract/api/limits';
import type { listUsers as endpoint, ListedUser } from '@steward/contract/users';
import type { StaleRead } from '#platform/database/cluster/replica.ts';
import type { Deps } from '#platform/deps.ts';
import { getPage, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import { toUser } from '#workspace/users/user.ts';
import { type Caller, getAbilities } from '../users.policy.ts';
import { toSelection } from './selection.store.ts';
import { countMatches, type ListedMember, listMembers } from './users.store.ts';

/** The first page contains the number of all users. */
export async function listUsers(
  { db, replica, secrets }: Deps,
  { params: { teamId }, query }: Pick<Received<typeof endpoint>, 'params' | 'query'>,
  caller: Caller,
) {
  const { last_key, limit = PAGE_ROWS, ...filters } = query;
  const scope = { list: 'users', teamId, filters };
  const cursor = readCursor(secrets, scope, last_key);
  const after = cursor && { key: cursor[0] ?? '', id: cursor[1] ?? '' };
  const search = { ...toSelection(teamId, filters), after, limit: rowsToFetch(limit) };
  // An export may miss the newest changes; a page on a screen may not.
  const read: StaleRead = limit > PAGE_ROWS ? replica.read : (work) => work(db);
  const rows = await read((source) => listMembers(source, search));
  const first = after === undefined;
  const page = getPage(rows, { limit, first, secrets, scope, toKey: ({ sort_key, id }) => [sort_key, id] });
  const answer = { ...page, records: page.records.map((row) => toListedUser(row, caller)) };
  if (!first) return answer;
  // A list that ends on its first page needs no count.
  const total =
    page.last_key === null ? rows.length : (rows[0]?.total ?? (await read((source) => countMatches(source, search))));
  return { ...answer, total };
}

export function toListedUser(row: ListedMember, caller: Caller): ListedUser {
  return { ...toUser(row), ...getAbilities(row, caller) };
}
