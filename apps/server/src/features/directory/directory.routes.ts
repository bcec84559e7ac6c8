// What an admin does here: keeps the company directory by hand and by file, and undoes an import.
// Owns directory_entries, directory_imports and directory_import_changes; reads people and memberships.

import type { Received } from '@steward/contract/api/endpoint';
import { PAGE_ROWS } from '@steward/contract/api/limits';
import {
  addEntries,
  finishImport,
  getImport,
  listEntries,
  listImports,
  listKeptEntries,
  removeEntry,
  restoreEntry,
  saveEntries,
  startImport,
  undoImport,
  uploadEntries,
} from '@steward/contract/directory';
import type { FastifyInstance } from 'fastify';
import type { Database } from '#platform/database/database.ts';
import { countJsonLines } from '#platform/database/json-lines.ts';
import { readBound } from '#platform/database/statements/statement.ts';
import type { Deps } from '#platform/deps.ts';
import { type CopiedPage, createCopiedRecords } from '#platform/http/answers/copied-records.ts';
import { createJsonList } from '#platform/http/answers/json-rows.ts';
import { readFollowed } from '#platform/http/answers/read-ahead.ts';
import { serve } from '#platform/http/http.ts';
import { getPage, getPlace, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import { serveList } from '#platform/http/serve-list.ts';
import { createConcurrencyLimiter } from '#platform/jobs/concurrency-limiter.ts';
import type { Access } from '#workspace/access/access.ts';
import { serveChange } from '#workspace/changes/change.ts';
import {
  copiedEntries,
  copyDirectory,
  type EntrySearch,
  listDirectory,
  selectUsualEntries,
  type UsualEntries,
} from './directory.store.ts';
import { add, remove, restore, save } from './entries/entries.actions.ts';
import { listSkipped } from './entries/import-changes.store.ts';
import { completeImport, openImport, requireImport, startUndo, toImport } from './imports/imports.actions.ts';
import { listTeamImports } from './imports/imports.store.ts';
import { previewUpload, uploadChunk, uploadInOneCall } from './imports/upload.actions.ts';

/** One at a time, which leaves a core for other calls; a waiting call holds up to 4 MiB. */
const UPLOADS = { atOnce: 1, waiting: 50 };

/** Serves the calls of the directory room. */
export function directoryRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const room = { app, deps };

  serveList(app, listEntries, access.teamAdmin, {
    plan: (received) => planPage(deps, received),
    answer: ({ who }, plan, ahead) => readPage(deps, plan, { ahead, personId: who.personId }),
  });

  serveChange(room, addEntries, access.teamAdmin, (trx, { params, body, who }) =>
    add(trx, { teamId: params.teamId, actorId: who.personId }, body),
  );

  serveChange(room, saveEntries, access.teamAdmin, (trx, { params, body, who }) =>
    save(trx, { teamId: params.teamId, actorId: who.personId }, body),
  );

  serveChange(room, removeEntry, access.teamAdmin, (trx, { params, who }) =>
    remove(trx, { teamId: params.teamId, actorId: who.personId }, params.entryId),
  );

  serveChange(room, restoreEntry, access.teamAdmin, (trx, { params, who }) =>
    restore(trx, { teamId: params.teamId, actorId: who.personId }, params.entryId),
  );

  const uploads = { ...room, limitConcurrency: createConcurrencyLimiter(UPLOADS) };
  serveChange(uploads, uploadEntries, access.teamAdmin, async (trx, { params, query, body, who }) => {
    const upload = { teamId: params.teamId, actorId: who.personId, rows: body };
    if (query.preview === '1') return { answer: await previewUpload(trx, upload), audit: null };
    return query.import_id === undefined ? uploadInOneCall(trx, upload) : uploadChunk(trx, upload, query.import_id);
  });

  importRoutes(app, deps, access);
}

function planPage({ secrets }: Deps, { params, query }: Pick<Received<typeof listEntries>, 'params' | 'query'>) {
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

async function readPage(
  deps: Deps,
  plan: ReturnType<typeof planPage>,
  { ahead, personId }: { ahead: UsualEntries[] | undefined; personId: string },
) {
  const { search, place, isExport, usual } = plan;
  if (isExport && search.search === '') {
    const { records, last } = await readExport(deps, search, personId);
    const end = last && toPlace(last);
    return { records, ...getPlace(end && [end.nameKey, end.id], place) };
  }
  const page = usual && toPage((ahead ?? (await readBound(deps.db, usual)))[0], place);
  if (page) return page;
  // An export may miss the newest changes; someone who looks at a page may not.
  const list = (db: Database) => listDirectory(db, search);
  const rows = await (isExport ? deps.replica.read(list) : list(deps.db));
  return getPage(rows, { ...place, toKey: (row) => [row.name_key, row.id] });
}

/** A page that is JSON already; undefined if a value of it couldn't be written that way. */
function toPage(page: UsualEntries | undefined, place: ReturnType<typeof planPage>['place']) {
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

function importRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const room = { app, deps };

  serveChange(room, startImport, access.teamAdmin, (trx, { params, body, who }) =>
    openImport(trx, { teamId: params.teamId, actorId: who.personId, fileName: body.file_name }),
  );

  serveChange(room, finishImport, access.teamAdmin, (trx, { params, body, who }) =>
    completeImport(trx, params, { actorId: who.personId, ...body }),
  );

  serveChange(room, undoImport, access.teamAdmin, (trx, { params, who }) =>
    startUndo(trx, deps, { ...params, actorId: who.personId }),
  );

  serve(app, getImport, access.teamAdmin, async ({ params }) => toImport(await requireImport(deps.db, params)));

  serve(app, listImports, access.teamAdmin, async ({ params: { teamId }, query: { last_key, limit } }) => {
    const scope = { list: 'directory imports', teamId, filters: {} };
    const cursor = readCursor(deps.secrets, scope, last_key);
    const rows = await listTeamImports(deps.db, teamId, { before: cursor?.[0], limit: rowsToFetch(limit) });
    const first = cursor === undefined;
    const page = getPage(rows, { limit, first, secrets: deps.secrets, scope, toKey: (row) => [row.id] });
    return { ...page, records: page.records.map(toImport) };
  });

  serve(app, listKeptEntries, access.teamAdmin, async ({ params, query: { last_key, limit } }) => {
    await requireImport(deps.db, params);
    const scope = { list: 'directory kept', teamId: params.teamId, filters: { importId: params.importId } };
    const cursor = readCursor(deps.secrets, scope, last_key);
    const rows = await listSkipped(deps.db, params, { after: cursor?.[0] ?? '', limit: rowsToFetch(limit) });
    const first = cursor === undefined;
    return getPage(rows, { limit, first, secrets: deps.secrets, scope, toKey: (row) => [row.id] });
  });
}
