import { API_BASE } from '@steward/contract/api/endpoint';
import { Id } from '@steward/contract/api/fields';
import type { HeldCount } from '@steward/contract/retention/fields';
import * as endpoints from '@steward/contract/retention/holds';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { serve } from '#platform/http/http.ts';
import { createCache } from '#platform/jobs/cache.ts';
import type { Access } from '#workspace/access/access.ts';
import { recently } from '#workspace/access/step-up.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { sendExportFile } from '#workspace/content/export-file.actions.ts';
import { addExport, type ExportRow, findExport, listHoldExports } from '#workspace/content/exports.store.ts';
import { countHeldByHold, listActiveHolds } from '#workspace/content/holds/held.store.ts';
import { listHolds } from '#workspace/content/holds/holds.store.ts';
import { exportHoldJob } from './export-hold.job.ts';
import { changeHold, createHold, releaseHold, requireHold, toAnswer } from './holds.actions.ts';

const CACHED_MS = 60_000;
const NOTHING: HeldCount = { count: 0, bytes: 0 };

interface Feature {
  app: FastifyInstance;
  deps: Deps;
  access: Access;
}

/** Admins add and widen holds. Only owners release and export them. */
export function holdRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const feature = { app, deps, access };
  serveList(feature);
  serveChange(feature, endpoints.addHold, access.teamAdmin, (trx, { who, body }) =>
    createHold(trx, { teamId: who.teamId, actorId: who.userId, body }),
  );
  serveChange(feature, endpoints.saveHold, access.teamAdmin, (trx, { who, params, body }) =>
    changeHold(trx, { teamId: who.teamId, actorId: who.userId, holdId: params.holdId, body }),
  );
  serveChange(feature, endpoints.releaseHold, recently(access.teamOwner), (trx, { who, params, body }) =>
    releaseHold(trx, deps, { teamId: who.teamId, actorId: who.userId, holdId: params.holdId, body }),
  );
  serveExports(feature);
}

function serveList({ app, deps, access }: Feature): void {
  const cached = createCache<ReadonlyMap<string, HeldCount>>(() => CACHED_MS);
  serve(app, endpoints.listHolds, access.teamAdmin, async ({ who: { teamId, userId } }) => {
    const holds = await listHolds(deps.db, teamId, userId);
    const active = await listActiveHolds(deps.db, teamId);
    const share = { key: teamId, user: userId };
    const count = () => deps.countQueue.run(share, () => countHeldByHold(deps.slowQueryPool, teamId, active));
    const counts = active.length === 0 ? new Map() : await cached(JSON.stringify([teamId, active]), count);
    const exports = new Map(
      (await listHoldExports(deps.db, { teamId, requestedBy: userId })).map((row) => [row.hold_id, row]),
    );
    const records = holds.map((hold) => {
      const row = exports.get(hold.id);
      const held = hold.is_released ? NOTHING : (counts.get(hold.id) ?? null);
      return toAnswer(hold, { held, newest: row ? toExport({ teamId, holdId: hold.id }, row) : null });
    });
    return { records };
  });
}

function toExport(
  { teamId, holdId }: { teamId: string; holdId: string },
  { id, state, sha256, size, requested_at, expires_at }: ExportRow,
): NonNullable<endpoints.Hold['export']> {
  const path = `${API_BASE}/admin/teams/${teamId}/holds/${holdId}/exports/${id}/file`;
  return { id, state, sha256, size, requested_at, expires_at, url: state === 'done' ? path : null };
}

interface ExportParams {
  teamId: string;
  holdId: string;
  exportId: string;
}

function serveExports({ app, deps, access }: Feature): void {
  serveChange({ app, deps }, endpoints.exportHold, recently(access.teamOwner), async (trx, { who, params, body }) => {
    const { teamId, userId } = who;
    const { is_released } = await requireHold(trx, { teamId, id: params.holdId }, userId);
    if (is_released) refuse('holds.released');
    const about = { teamId, about: 'hold', subjectId: params.holdId, requestedBy: userId } as const;
    const { id, isNew } = await addExport(trx, about);
    if (!isNew) return { answer: { id }, audit: null };
    await deps.jobs.send(trx, exportHoldJob, { team_id: teamId, export_id: id, reason: body.reason });
    const details = { reason: body.reason, export_id: id };
    const audit = { action: 'holds.exported', teamId, actorId: userId, target: params.holdId, details } as const;
    return { answer: { id }, audit };
  });

  const find = async ({ teamId, holdId, exportId }: ExportParams, requestedBy: string): Promise<ExportRow> => {
    if (!Id.safeParse(holdId).success || !Id.safeParse(exportId).success) refuse('record.not_found');
    const row = await findExport(deps.db, { teamId, about: 'hold', subjectId: holdId, requestedBy, exportId });
    return row ?? refuse('record.not_found');
  };
  serve(app, endpoints.getHoldExport, access.teamOwner, async ({ who, params }) =>
    toExport(params, await find(params, who.userId)),
  );
  app.get(`${API_BASE}/admin/teams/:teamId/holds/:holdId/exports/:exportId/file`, {
    config: { endpoint: 'getHoldExportFile' },
    compress: false,
    onRequest: async (request) => {
      request.who = await access.teamOwner(request);
    },
    handler: async (request, reply) => {
      const { userId } = request.who as { userId: string };
      const row = await find(request.params as ExportParams, userId);
      return sendExportFile(deps.blobs, reply, { row, name: 'legal-hold.zip' });
    },
  });
}
