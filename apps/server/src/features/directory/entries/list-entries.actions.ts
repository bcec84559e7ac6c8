import type { Received } from '@steward/contract/api/endpoint';
import { PAGE_ROWS } from '@steward/contract/api/limits';
import type { listEntries as endpoint } from '@steward/contract/directory';
import type { Database } from '#platform/database/database.ts';
import { readBound } from '#platform/database/statements/statement.ts';
import type { Deps } from '#platform/deps.ts';
import { createCopiedRecords } from '#platform/http/answers/copied-records.ts';
import { readFollowed } from '#platform/http/answers/read-ahead.ts';
import { createRecords, type RecordsPage } from '#platform/http/answers/records.ts';
import { createRowFormat } from '#platform/http/answers/selected-records.ts';
import { getPage, getPlace, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import {
  copyDirectory,
  type EntrySearch,
  entryRecord,
  type ListedEntry,
  listDirectory,
  selectUsualEntries,
} from '../directory.store.ts';

const ENTRIES = createRowFormat(entryRecord, ['id', 'name_key']);
/** Bytes of a usual page. */
const PAGE_SIZE = 32 * 1024;

/** What a call of the list asks for; refuses the cursor of another list. */
export function planEntries({ secrets }: Deps, { params, query }: Pick<Received<typeof endpoint>, 'params' | 'query'>) {
  const { last_key, limit, ...filters } = query;
  const scope = { list: 'directory', teamId: params.teamId, filters };
  const cursor = readCursor(secrets, scope, last_key);
  const search = {
    teamId: params.teamId,
    search: (query.search ?? '').trim().normalize('NFKC'),
    after: cursor && { nameKey: cursor[0] ?? '', id: cursor[1] ?? '' },
    limit: rowsToFetch(limit),
  };
  const place = { limit, first: cursor === undefined, secrets, scope };
  const records = createRecords(ENTRIES, { limit: search.limit - 1, size: PAGE_SIZE });
  const selected = selectUsualEntries(search);
  const usual = selected && { ...selected, take: records.take };
  return { search, place, isExport: (limit ?? PAGE_ROWS) > PAGE_ROWS, usual, records };
}

/** A page of the directory. `early` are its rows if they have been read already, but for those that are in `plan.records`. */
export async function listEntries(
  deps: Deps,
  plan: ReturnType<typeof planEntries>,
  { personId, early }: { personId: string; early: ListedEntry[] | undefined },
) {
  const { search, place, isExport, usual, records } = plan;
  if (isExport && search.search === '') return toAnswer(await readExport(deps, search, personId), place);
  // On a connection that had to prepare the statement first, there are rows.
  if (early?.length === 0) return toAnswer(records.finish(), place);
  // An export may miss the newest changes; someone who looks at a page may not.
  const list = (db: Database) => (usual ? readBound(db, usual) : listDirectory(db, search));
  const rows = early ?? (await (isExport ? deps.replica.read(list) : list(deps.db)));
  return getPage(rows, { ...place, toKey: (row) => [row.name_key, row.id] });
}

/** An answer whose records are JSON already. */
function toAnswer({ records, last }: RecordsPage, place: ReturnType<typeof planEntries>['place']) {
  const end = last && toPlace(last);
  return { records, ...getPlace(end && [end.nameKey, end.id], place) };
}

/** A page of an export. Who follows pages gets the next one sooner. */
function readExport(deps: Deps, search: EntrySearch, personId: string): Promise<RecordsPage> {
  return readFollowed(deps.readAhead, {
    personId,
    query: { list: 'directory', search },
    getNext({ last }) {
      return last && search.after && { list: 'directory', search: { ...search, after: toPlace(last) } };
    },
    read: (page) => deps.replica.read((db) => readCopied(db, page.search)),
  });
}

/** Where a page starts that follows this row, or its id and key. */
function toPlace(row: readonly string[]): { nameKey: string; id: string } {
  return { nameKey: row.at(-1) ?? '', id: row[0] ?? '' };
}

async function readCopied(db: Database, search: EntrySearch): Promise<RecordsPage> {
  const copied = createCopiedRecords({ columns: entryRecord, limit: search.limit - 1, kind: 0, describe: () => '' });
  await copyDirectory(db, search, copied.take);
  return copied.finish();
}
