import type { Received } from '@steward/contract/api/endpoint';
import { PAGE_ROWS } from '@steward/contract/api/limits';
import type { listUsers as endpoint } from '@steward/contract/users';
import { MemberState, toAccountType } from '@steward/contract/users/roles';
import type { StaleRead } from '#platform/database/cluster/replica.ts';
import type { Database } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { type CopiedPage, createCopiedRecords } from '#platform/http/answers/copied-records.ts';
import { createJsonRows, type JsonRow } from '#platform/http/answers/json-rows.ts';
import { getPage, getPlace, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import { toRoles } from '#workspace/people/user.ts';
import { type Caller, getAbilities, type Target } from '../users.policy.ts';
import { toSelection, type UserSearch } from './selection.store.ts';
import {
  copiedPeople,
  copyPeople,
  countMatches,
  fetchTotal,
  isRange,
  listPeople,
  type WrittenUser,
} from './users.store.ts';

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
  const place = { limit, first: after === undefined, secrets: deps.secrets, scope };
  // An export may miss the newest changes; someone who looks at a page may not.
  const isExport = (limit ?? PAGE_ROWS) > PAGE_ROWS;
  const read: StaleRead = isExport ? deps.replica.read : (work) => work(deps.db);
  if (isExport && isRange(search)) {
    const { records, count, last } = await read((db) => readCopied(db, search, caller));
    const page = { records, ...getPlace(last && [last.at(-1) ?? '', last[copiedPeople.kind] ?? ''], place) };
    if (after !== undefined) return page;
    const counted = page.last_key === null ? count : await read((db) => fetchTotal(db, search));
    return { ...page, total: counted ?? (await read((db) => countMatches(db, search))) };
  }
  const rows = await read((db) => listPeople(db, search));
  const page = getPage(rows, { ...place, toKey: ({ sort_key, id }) => [sort_key, id] });
  const records = createJsonRows(addRest(page.records, caller));
  if (after !== undefined) return { ...page, records };
  // A list that ends on its first page has counted itself.
  const total =
    page.last_key === null ? page.records.length : (rows[0]?.total ?? (await read((db) => countMatches(db, search))));
  return { ...page, records, total };
}

async function readCopied(db: Database, search: UserSearch, caller: Caller): Promise<CopiedPage> {
  const copied = createCopiedRecords({
    ...copiedPeople,
    limit: search.limit - 1,
    describe: ([state = '', roles = '', isCaller]) =>
      writeRest(
        { id: isCaller === 't' ? caller.personId : '', state: MemberState.parse(state), roles: roles.split(' ') },
        caller,
      ),
  });
  await copyPeople(db, search, { callerId: caller.personId, take: copied.take });
  return copied.finish();
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
