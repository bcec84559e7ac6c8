import { API_BASE } from '@steward/contract/api/endpoint';
import * as endpoints from '@steward/contract/users/privacy';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { serve } from '#platform/http/http.ts';
import type { Access, TeamAdmin } from '#workspace/access/access.ts';
import type { SignedIn } from '#workspace/access/enter-team.ts';
import { recently } from '#workspace/access/step-up.ts';
import { type Feature, serveChange } from '#workspace/changes/change.ts';
import { sendExportFile } from '#workspace/content/export-file.actions.ts';
import { type ExportRow, listUserExports } from '#workspace/content/exports.store.ts';
import { eraseUser } from './erase.actions.ts';
import { listErasures } from './erasures.store.ts';
import * as exporting from './export.actions.ts';
import { listFormerUsers } from './former-users.store.ts';

/** Owners make privacy requests about others, and users about themselves. */
export function privacyRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const feature = { app, deps };
  exportRoutes(feature, access);
  ownExportRoutes(feature, access);
  serveChange(feature, endpoints.eraseUser, recently(access.teamAdmin), (trx, { params, body, who }) =>
    eraseUser(trx, deps, { teamId: params.teamId, userId: params.userId, caller: who, confirm: body.confirm }),
  );
  serve(app, endpoints.listFormerUsers, access.teamAdmin, async ({ params, who }) => {
    exporting.requireOwner(who);
    return { records: await listFormerUsers(deps.db, params.teamId) };
  });
  serve(app, endpoints.listErasedUsers, access.teamAdmin, async ({ params, who }) => {
    exporting.requireOwner(who);
    return { records: await listErasures(deps.db, params.teamId) };
  });
}

interface ExportParams {
  teamId: string;
  userId: string;
  exportId: string;
}

const getFilePath = ({ teamId, userId, exportId }: ExportParams) =>
  `${API_BASE}/admin/teams/${teamId}/users/${userId}/export/${exportId}/file`;

function exportRoutes({ app, deps }: Feature, access: Access): void {
  serveChange({ app, deps }, endpoints.exportUser, recently(access.teamAdmin), (trx, { params, body, who }) =>
    exporting.exportUser(trx, deps, { teamId: params.teamId, userId: params.userId, caller: who, ...body }),
  );
  const find = async ({ teamId, userId, exportId }: ExportParams, who: TeamAdmin) => {
    exporting.requireOwner(who);
    return requireFound(await exporting.readExport(deps, { teamId, userId, requestedBy: who.userId, exportId }));
  };
  serve(app, endpoints.getUserExport, access.teamAdmin, async ({ params, who }) => {
    const { teamId, userId, exportId } = params;
    const found = await find(params, who);
    return exporting.toAnswer(found, getFilePath({ teamId, userId, exportId }));
  });
  serve(app, endpoints.listUserExports, access.teamAdmin, async ({ params: { teamId }, who }) => {
    exporting.requireOwner(who);
    const rows = await listUserExports(deps.db, { teamId, requestedBy: who.userId });
    const records = rows.map((row) => {
      const path = getFilePath({ teamId, userId: row.user_id, exportId: row.id });
      return { ...exporting.toAnswer(row, path), user_id: row.user_id, name: row.name };
    });
    return { records };
  });
  app.get(`${API_BASE}/admin/teams/:teamId/users/:userId/export/:exportId/file`, {
    config: { endpoint: 'getUserExportFile' },
    compress: false,
    onRequest: async (request) => {
      request.who = await access.teamAdmin(request);
    },
    handler: async (request, reply) =>
      sendExportFile(deps.blobs, reply, {
        row: await find(request.params as ExportParams, request.who as TeamAdmin),
        name: 'export.zip',
      }),
  });
}

function ownExportRoutes({ app, deps }: Feature, access: Access): void {
  serveChange({ app, deps }, endpoints.exportOwnData, recently(access.credentials), (trx, { who }) =>
    exporting.exportOwnData(trx, deps, who),
  );
  const find = ({ userId }: SignedIn, exportId?: string) =>
    exporting.readExport(deps, { teamId: '', userId, requestedBy: userId, ...(exportId && { exportId }) });
  serve(app, endpoints.getOwnExport, access.credentials, async ({ who }) => {
    const found = await find(who);
    return { export: found ? exporting.toAnswer(found, `${API_BASE}/users/me/export/${found.id}/file`) : null };
  });
  app.get(`${API_BASE}/users/me/export/:exportId/file`, {
    config: { endpoint: 'getOwnExportFile' },
    compress: false,
    onRequest: async (request) => {
      request.who = await access.credentials(request);
    },
    handler: async (request, reply) => {
      const { exportId } = request.params as { exportId: string };
      const row = requireFound(await find(request.who as SignedIn, exportId));
      return sendExportFile(deps.blobs, reply, { row, name: 'export.zip' });
    },
  });
}

function requireFound(row: ExportRow | undefined): ExportRow {
  if (!row) refuse('record.not_found');
  return row;
}
