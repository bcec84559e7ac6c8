import { listRetentionRuns, runRetention } from '@steward/contract/retention';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import { getPage, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import type { Access } from '#workspace/access/access.ts';
import type { AuditEvent } from '#workspace/audit/audit.store.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { startRuns } from './runs.actions.ts';
import { listRuns } from './runs.store.ts';

/** Serves the calls about runs: Run now, and the history. */
export function runRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serveChange({ app, deps }, runRetention, access.teamAdmin, async (trx, { who, body }) => {
    const { teamId, personId } = who;
    const records = await startRuns(trx, deps, { teamId, kinds: body?.kinds, origin: 'person', startedBy: personId });
    const details = { kinds: body?.kinds ?? ('all' as const), runs: records.map(({ id }) => id) };
    const audit: AuditEvent = { action: 'retention.run_asked', teamId, actorId: personId, target: teamId, details };
    return { answer: { records }, audit };
  });

  serve(app, listRetentionRuns, access.teamAdmin, async ({ who: { teamId }, query: { kind, last_key, limit } }) => {
    const scope = { list: 'retention runs', teamId, filters: { kind } };
    const cursor = readCursor(deps.secrets, scope, last_key);
    const rows = await listRuns(deps.db, teamId, { kind, before: cursor?.[0], limit: rowsToFetch(limit) });
    const first = cursor === undefined;
    return getPage(rows, { limit, first, secrets: deps.secrets, scope, toKey: (row) => [row.id] });
  });
}
