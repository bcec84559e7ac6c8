// What an admin does here: keeps the company directory by hand and by file, and undoes an import.
// Owns directory_entries, directory_imports and directory_import_changes; reads people and memberships.

import {
  addEntries,
  finishImport,
  getImport,
  listEntries,
  listImports,
  listKeptEntries,
  removeEntry,
  saveEntries,
  startImport,
  undoImport,
  uploadEntries,
} from '@steward/contract/directory';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import { pageOf, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import { createTurns } from '#platform/jobs/in-turn.ts';
import type { Access } from '#workspace/access/access.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { listDirectory } from './directory.store.ts';
import { add, remove, save } from './entries/entries.actions.ts';
import { listKept } from './imports/import-changes.store.ts';
import { beginImport, closeImport, importOf, knownImport, requestUndo } from './imports/imports.actions.ts';
import { listImportsOf } from './imports/imports.store.ts';
import { previewUpload, uploadAtOnce, uploadChunk } from './imports/upload.actions.ts';

/** One at a time keeps a core for everybody else; a waiting call holds up to 4 MiB (trust F21). */
const UPLOADS = { atOnce: 1, waiting: 50 };

/** Serves the calls of the directory room. */
export function directoryRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const room = { app, deps };

  serve(app, listEntries, access.teamAdmin, async ({ params, query }) => {
    const { last_key, limit, ...filters } = query;
    const scope = { list: 'directory', teamId: params.teamId, filters };
    const cursor = readCursor(deps.secrets, scope, last_key);
    const rows = await listDirectory(deps.db, {
      teamId: params.teamId,
      search: (query.search ?? '').trim().normalize('NFC'),
      after: cursor && { nameKey: cursor[0] ?? '', id: cursor[1] ?? '' },
      limit: rowsToFetch(limit),
    });
    const first = cursor === undefined;
    return pageOf(rows, { limit, first, secrets: deps.secrets, scope, keyOf: (row) => [row.name_key, row.id] });
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

  const uploads = { ...room, inTurn: createTurns(UPLOADS) };
  serveChange(uploads, uploadEntries, access.teamAdmin, async (trx, { params, query, body, who }) => {
    const asked = { teamId: params.teamId, actorId: who.personId, rows: body };
    if (query.preview === '1') return { answer: await previewUpload(trx, asked), audit: null };
    return query.import_id === undefined ? uploadAtOnce(trx, asked) : uploadChunk(trx, asked, query.import_id);
  });

  importRoutes(app, deps, access);
}

function importRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const room = { app, deps };

  serveChange(room, startImport, access.teamAdmin, (trx, { params, body, who }) =>
    beginImport(trx, { teamId: params.teamId, actorId: who.personId, fileName: body.file_name }),
  );

  serveChange(room, finishImport, access.teamAdmin, (trx, { params, body, who }) =>
    closeImport(trx, params, { actorId: who.personId, ...body }),
  );

  serveChange(room, undoImport, access.teamAdmin, (trx, { params, who }) =>
    requestUndo(trx, deps, { ...params, actorId: who.personId }),
  );

  serve(app, getImport, access.teamAdmin, async ({ params }) => importOf(await knownImport(deps.db, params)));

  serve(app, listImports, access.teamAdmin, async ({ params: { teamId }, query: { last_key, limit } }) => {
    const scope = { list: 'directory imports', teamId, filters: {} };
    const cursor = readCursor(deps.secrets, scope, last_key);
    const rows = await listImportsOf(deps.db, teamId, { before: cursor?.[0], limit: rowsToFetch(limit) });
    const first = cursor === undefined;
    const page = pageOf(rows, { limit, first, secrets: deps.secrets, scope, keyOf: (row) => [row.id] });
    return { ...page, records: page.records.map(importOf) };
  });

  serve(app, listKeptEntries, access.teamAdmin, async ({ params, query: { last_key, limit } }) => {
    await knownImport(deps.db, params);
    const scope = { list: 'directory kept', teamId: params.teamId, filters: { importId: params.importId } };
    const cursor = readCursor(deps.secrets, scope, last_key);
    const rows = await listKept(deps.db, params, { after: cursor?.[0] ?? '', limit: rowsToFetch(limit) });
    const first = cursor === undefined;
    return pageOf(rows, { limit, first, secrets: deps.secrets, scope, keyOf: (row) => [row.id] });
  });
}
