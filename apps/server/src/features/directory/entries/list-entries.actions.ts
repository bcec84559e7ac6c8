import type { Received } from '@steward/contract/api/endpoint';
import { PAGE_ROWS } from '@steward/contract/api/limits';
import type { listEntries as endpoint } from '@steward/contract/directory';
import type { Deps } from '#platform/deps.ts';
import { getPage, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import { listDirectory } from '../directory.store.ts';

/** A page of the directory. */
export async function listEntries(
  { db, replica, secrets }: Deps,
  { params: { teamId }, query }: Pick<Received<typeof endpoint>, 'params' | 'query'>,
) {
  const { last_key, limit = PAGE_ROWS, ...filters } = query;
  const scope = { list: 'directory', teamId, filters };
  const cursor = readCursor(secrets, scope, last_key);
  const search = {
    teamId,
    search: (query.search ?? '').trim(),
    after: cursor && { nameKey: cursor[0] ?? '', id: cursor[1] ?? '' },
    limit: rowsToFetch(limit),
  };
  // An export may miss the newest changes; someone who looks at a page may not.
  const rows = await (limit > PAGE_ROWS
    ? replica.read((source) => listDirectory(source, search))
    : listDirectory(db, search));
  const first = cursor === undefined;
  return getPage(rows, { limit, first, secrets, scope, toKey: ({ name_key, id }) => [name_key, id] });
}
