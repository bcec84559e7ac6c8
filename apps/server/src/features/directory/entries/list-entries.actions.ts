import type { Received } from '@steward/contract/api/endpoint';
import { PAGE_ROWS } from '@steward/contract/api/limits';
import type { listEntries as endpoint } from '@steward/contract/directory';
import type { Database } from '#platform/database/database.ts';
import { countJsonLines } from '#platform/database/json-lines.ts';
import { readBound } from '#platform/database/statements/statement.ts';
import type { Deps } from '#platform/deps.ts';
import { type CopiedPage, createCopiedRecords } from '#platform/http/answers/copied-records.ts';
import { createJsonList } from '#platform/http/answers/json-rows.ts';
import { readFollowed } from '#platform/http/answers/read-ahead.ts';
import { getPage, getPlace, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import {
  copiedEntries,
  copyDirectory,
  type EntrySearch,
  listDirectory,
  selectUsualEntries,
  type UsualEntries,
} from '../directory.store.ts';

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
  return { search, place, isExport: (limit ?? PAGE_ROWS) > PAGE_ROWS, usual: selectUsualEntries(search) };
}

/** A page of the directory. `early` is what has been read of it already. */
export async function listEntries(
  deps: Deps,
  plan: ReturnType<typeof planEntries>,
  { personId, early }: { personId: string; early: UsualEntries[] | undefined },
) {
  const { search, place, isExport, usual } = plan;
  if (isExport && search.search === '') {
    const { records, last } = await readExport(deps, search, personId);
    const end = last && toPlace(last);
    return { records, ...getPlace(end && [end.nameKey, end.id], place) };
  }
  const page = usual && toPage((early ?? (await readBound(deps.db, usual)))[0], place);
  if (page) return page;
  // An export may miss the newest changes; someone who looks at a page may not.
  const list = (db: Database) => listDirectory(db, search);
  const rows = await (isExport ? deps.replica.read(list) : list(deps.db));
  return getPage(rows, { ...place, toKey: (row) => [row.name_key, row.id] });
}

/** A page that is JSON already; undefined if a value of it couldn't be written that way. */
function toPage(page: UsualEntries | undefined, place: ReturnType<typeof planEntries>['place']) {
  if (page === undefined) return undefined;
  const { entries, count, last_key, last_id } = page;
  const text = entries ?? '';
  if (count > 0 && countJsonLines(text) !== count) return undefined;
  const shown = count > PAGE_ROWS ? text.slice(0, text.lastIndexOf(',\n')) : text;
  const [first] = count > 0 ? shown.split(',\n', 1) : [];
  return {
    records: createJsonList(shown, first),
    ...getPlace(count > PAGE_ROWS ? [last_key ?? '', last_id ?? ''] : undefined, place),
  };
}

/** A page of an export. Who follows pages gets the next one sooner. */
function readExport(deps: Deps, search: EntrySearch, personId: string): Promise<CopiedPage> {
  return readFollowed(deps.readAhead, {
    personId,
    query: { list: 'directory', search },
    getNext({ last }) {
      return last && search.after && { list: 'directory', search: { ...search, after: toPlace(last) } };
    },
    read: (page) => deps.replica.read((db) => readCopied(db, page.search)),
  });
}

/** Where a page starts that follows this row. */
function toPlace(row: readonly string[]): { nameKey: string; id: string } {
  return { nameKey: row.at(-1) ?? '', id: row[0] ?? '' };
}

async function readCopied(db: Database, search: EntrySearch): Promise<CopiedPage> {
  const copied = createCopiedRecords({ columns: copiedEntries, limit: search.limit - 1, kind: 0, describe: () => '' });
  await copyDirectory(db, search, copied.take);
  return copied.finish();
}
