import type { Received } from '@steward/contract/api/endpoint';
import { PAGE_ROWS } from '@steward/contract/api/limits';
import type { listUsers as endpoint } from '@steward/contract/users';
import { toAccountType } from '@steward/contract/users/roles';
import type { StaleRead } from '#platform/database/cluster/replica.ts';
import type { Deps } from '#platform/deps.ts';
import { createJsonRows, type JsonRow } from '#platform/http/answers/json-rows.ts';
import { getPage, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import { toRoles } from '#workspace/people/user.ts';
import { type Caller, getAbilities, type Target } from '../users.policy.ts';
import { toSelection } from './selection.store.ts';
import { countMatches, listPeople, type WrittenUser } from './users.store.ts';

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
  const toKey = ({ sort_key, id }: WrittenUser) => [sort_key, id];
  const page = getPage(rows, { limit, first: after === undefined, secrets: deps.secrets, scope, toKey });
  const records = createJsonRows(addRest(page.records, caller));
  if (after !== undefined) return { ...page, records };
  // A list that ends on its first page has counted itself.
  const total =
    page.last_key === null ? page.records.length : (rows[0]?.total ?? (await read((db) => countMatches(db, search))));
  return { ...page, records, total };
}

/** Adds to each user what follows from their roles and state, once for all who have the same. */
function addRest(rows: readonly WrittenUser[], caller: Caller): JsonRow[] {
  const known = new Map<string, string>();
  return rows.map(({ id, json, roles, state }) => {
    const kind = id === caller.personId ? '' : `${state} ${roles}`;
    const more = known.get(kind) ?? writeRest({ id, state, roles: roles.split(' ') }, caller);
    known.set(kind, more);
    return { json, more };
  });
}

function writeRest({ id, state, roles: stored }: Target, caller: Caller): string {
  const roles = toRoles(stored);
  const rest = {
    state,
    roles,
    account_type: toAccountType(roles),
    ...getAbilities({ id, roles: stored, state }, caller),
  };
  return JSON.stringify(rest).slice(1, -1);
}
