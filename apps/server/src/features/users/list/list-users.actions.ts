import type { Received } from '@steward/contract/api/endpoint';
import { PAGE_ROWS } from '@steward/contract/api/limits';
import type { listUsers as endpoint } from '@steward/contract/users';
import { MemberState, toAccountType } from '@steward/contract/users/roles';
import type { StaleRead } from '#platform/database/cluster/replica.ts';
import type { Database } from '#platform/database/database.ts';
import { type BoundStatement, readBound } from '#platform/database/statements/statement.ts';
import type { Deps } from '#platform/deps.ts';
import { createCopiedRecords } from '#platform/http/answers/copied-records.ts';
import { createJsonRows, type JsonRow } from '#platform/http/answers/json-rows.ts';
import { readFollowed } from '#platform/http/answers/read-ahead.ts';
import type { RecordsPage } from '#platform/http/answers/records.ts';
import { getPage, getPlace, type ListScope, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import type { Secrets } from '#platform/security/secrets.ts';
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
  readUsualPeople,
  selectUsualPeople,
  type UsualPeople,
  type WrittenUser,
} from './users.store.ts';

/** A page that a call asks for. */
interface UserPage {
  search: UserSearch;
  place: { limit: number | undefined; first: boolean; secrets: Secrets; scope: ListScope };
  isExport: boolean;
  usual: BoundStatement<UsualPeople> | undefined;
}

/** What a call of the list asks for; refuses the cursor of another list. */
export function planUsers(
  { secrets }: Deps,
  { params, query }: Pick<Received<typeof endpoint>, 'params' | 'query'>,
): UserPage {
  const { teamId } = params;
  const { last_key, limit, ...filters } = query;
  const scope = { list: 'users', teamId, filters };
  const cursor = readCursor(secrets, scope, last_key);
  const after = cursor && { key: cursor[0] ?? '', id: cursor[1] ?? '' };
  const search = { ...toSelection(teamId, filters), after, limit: rowsToFetch(limit) };
  const place = { limit, first: after === undefined, secrets, scope };
  return { search, place, isExport: (limit ?? PAGE_ROWS) > PAGE_ROWS, usual: selectUsualPeople(search) };
}

/** A page of the user list; the first one has the number of all. `early` is what has been read of it already. */
export async function listUsers(
  deps: Deps,
  { search, place, isExport, usual }: UserPage,
  { caller, early }: { caller: Caller; early: UsualPeople[] | undefined },
) {
  // An export may miss the newest changes; someone who looks at a page may not.
  const read: StaleRead = isExport ? deps.replica.read : (work) => work(deps.db);
  if (isExport && isRange(search)) {
    const { records, count, last } = await readExport(deps, search, caller);
    const end = last && toPlace(last);
    const page = { records, ...getPlace(end && [end.key, end.id], place) };
    if (!place.first) return page;
    const counted = page.last_key === null ? count : await read((db) => fetchTotal(db, search));
    return { ...page, total: counted ?? (await read((db) => countMatches(db, search))) };
  }
  const rows = (usual && (await readUsual(deps.db, usual, early))) ?? (await read((db) => listPeople(db, search)));
  const page = getPage(rows, { ...place, toKey: ({ sort_key, id }) => [sort_key, id] });
  const records = createJsonRows(addRest(page.records, caller));
  if (!place.first) return { ...page, records };
  // A list that ends on its first page has counted itself.
  const total =
    page.last_key === null ? page.records.length : (rows[0]?.total ?? (await read((db) => countMatches(db, search))));
  return { ...page, records, total };
}

async function readUsual(
  db: Database,
  usual: BoundStatement<UsualPeople>,
  early: UsualPeople[] | undefined,
): Promise<WrittenUser[] | undefined> {
  const [page] = early ?? (await readBound(db, usual));
  return page && readUsualPeople(page);
}

/** A page of an export. Who follows pages gets the next one sooner, unless it depends on the time, which is then another. */
function readExport(deps: Deps, search: UserSearch, { personId, roles }: Caller): Promise<RecordsPage> {
  const isFollowed = search.after !== undefined && search.inactiveSince === undefined;
  return readFollowed(deps.readAhead, {
    personId,
    query: { list: 'users', search, roles },
    getNext({ last }) {
      return last && isFollowed ? { list: 'users', search: { ...search, after: toPlace(last) }, roles } : undefined;
    },
    read: (page) => deps.replica.read((db) => readCopied(db, page.search, { personId, roles })),
  });
}

/** Where a page starts that follows this row. */
function toPlace(row: readonly string[]): { key: string; id: string } {
  return { key: row.at(-1) ?? '', id: row[copiedPeople.kind] ?? '' };
}

async function readCopied(db: Database, search: UserSearch, caller: Caller): Promise<RecordsPage> {
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
  return rows.map(({ id, json, kind }) => {
    if (id === caller.personId) return { json, more: writeRest(toTarget(id, kind), caller) };
    const more = known.get(kind) ?? writeRest(toTarget(id, kind), caller);
    known.set(kind, more);
    return { json, more };
  });
}

function toTarget(id: string, kind: string): Target {
  const [state, ...roles] = kind.split(' ');
  return { id, state: MemberState.parse(state), roles };
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
