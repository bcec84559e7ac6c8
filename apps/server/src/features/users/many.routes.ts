import { getBulk, startBulk } from '@steward/contract/users/bulk';
import { saveUsers } from '@steward/contract/users/multi';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { serve } from '#platform/http/http.ts';
import { createConcurrencyLimiter } from '#platform/jobs/concurrency-limiter.ts';
import type { Access } from '#workspace/access/access.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { getBulkJob, previewBulkJob, startBulkJob } from './bulk/bulk.actions.ts';
import { previewUsers, saveUsersByEmail } from './multi/multi.actions.ts';

/** One at a time, which leaves a core for other calls; a waiting call holds up to 2 MiB. */
const MULTI = describeLimit({
  name: 'users.multi',
  counts: 'calls that add or edit many users',
  atOnce: 1,
  waiting: 50,
});

/** Registers the endpoints that change many users. */
export function manyUsersRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const heavy = { app, deps, limitConcurrency: createConcurrencyLimiter(MULTI) };

  serveChange(heavy, saveUsers, access.teamAdmin, async (trx, { params, query, body, who }) => {
    const multi = { teamId: params.teamId, caller: who, rows: body };
    if (query.preview === '1') return { answer: await previewUsers(trx, multi), audit: null };
    return saveUsersByEmail(trx, deps, multi);
  });

  serveChange({ app, deps }, startBulk, access.teamAdmin, (trx, { params, body, who }) => {
    const input = { teamId: params.teamId, caller: who, request: body };
    return body.dry_run ? previewBulkJob(trx, input) : startBulkJob(trx, deps, input);
  });
  serve(app, getBulk, access.teamAdmin, ({ params }) => getBulkJob(deps, params));
}
