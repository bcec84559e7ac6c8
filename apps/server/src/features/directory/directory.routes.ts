// Directory: an admin keeps the company directory by hand and by file, and undoes an import.
// Owns directory_entries, directory_imports and directory_import_changes; reads people and memberships.

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
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { serve } from '#platform/http/http.ts';
import { getPage, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import { createFairQueue } from '#platform/jobs/fair-queue.ts';
import type { Access } from '#workspace/access/access.ts';
import { serveChange } from '#workspace/changes/change.ts';
import * as list from './entries.actions.ts';
import { add, remove, restore, save } from './entries.actions.ts';
import { listSkipped } from './import-changes.store.ts';
import { completeImport, openImport, requireImport, startUndo, toImport } from './imports.actions.ts';
import { listTeamImports } from './imports.store.ts';
import { previewUpload, uploadChunk, uploadInOneCall } from './upload.actions.ts';

/** One at a time, which leaves a core for other calls; a waiting call holds up to 4 MiB. */
const UPLOADS = describeLimit({
  name: 'directory.uploads',
  counts: 'calls of directory uploads; teams and their users take turns',
  atOnce: 1,
  waitingPerUser: 10,
  waitingPerKey: 20,
  waiting: 50,
});

export function directoryRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const feature = { app, deps };
  const endings = deps.env.DIRECTORY_EMAIL_ENDINGS;

  serve(app, listEntries, access.teamAdmin, (call) => list.listEntries(deps, call));

  serveChange(feature, addEntries, access.teamAdmin, (trx, { params, body, who }) =>
    add(trx, { teamId: params.teamId, actorId: who.userId, endings }, body),
  );

  serveChange(feature, saveEntries, access.teamAdmin, (trx, { params, body, who }) =>
    save(trx, { teamId: params.teamId, actorId: who.userId, endings }, body),
  );

  serveChange(feature, removeEntry, access.teamAdmin, (trx, { params, who }) =>
    remove(trx, { teamId: params.teamId, actorId: who.userId }, params.entryId),
  );

  serveChange(feature, restoreEntry, access.teamAdmin, (trx, { params, who }) =>
    restore(trx, { teamId: params.teamId, actorId: who.userId }, params.entryId),
  );

  const uploads = { ...feature, queue: createFairQueue(UPLOADS) };
  serveChange(uploads, uploadEntries, access.teamAdmin, async (trx, { params, query, body, who }) => {
    const upload = { teamId: params.teamId, actorId: who.userId, rows: body, ifExists: query.if_exists, endings };
    if (query.preview === '1') return { answer: await previewUpload(trx, upload), audit: null };
    return query.import_id === undefined ? uploadInOneCall(trx, upload) : uploadChunk(trx, upload, query.import_id);
  });

  importRoutes(app, deps, access);
}

function importRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const feature = { app, deps };

  serveChange(feature, startImport, access.teamAdmin, (trx, { params, body, who }) =>
    openImport(trx, { teamId: params.teamId, actorId: who.userId, fileName: body.file_name }),
  );

  serveChange(feature, finishImport, access.teamAdmin, (trx, { params, body, who }) =>
    completeImport(trx, params, { actorId: who.userId, ...body }),
  );

  serveChange(feature, undoImport, access.teamAdmin, (trx, { params, who }) =>
    startUndo(trx, deps, { ...params, actorId: who.userId }),
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
