import { getRetentionStored, previewRetention, type StoredRetention } from '@steward/contract/retention';
import { RETENTION_KINDS } from '@steward/contract/retention/fields';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import { memoizeWithExpiry } from '#platform/jobs/memoize-with-expiry.ts';
import type { Access } from '#workspace/access/access.ts';
import { countKind, previewRules } from './preview-rules.actions.ts';
import { getPolicies } from './save-rules.actions.ts';

/** Serves the calls that count: what a rule would delete, and what is stored. */
export function countRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const recent = memoizeWithExpiry<StoredRetention>();

  serve(app, previewRetention, access.teamAdmin, async ({ who: { teamId }, body }) => {
    const { value, duration, canmark, ...named } = body;
    const rules = value === undefined ? named : { ...named, files: { value, duration, canmark } };
    const policies = await getPolicies(deps.db, teamId);
    return deps.slowQueryLimiter(() => previewRules(deps.slowQueryPool, { teamId, rules, policies }));
  });

  serve(app, getRetentionStored, access.teamAdmin, async ({ who: { teamId }, query }) => {
    const policies = await getPolicies(deps.db, teamId);
    const records: StoredRetention[] = [];
    for (const kind of query.kinds ?? RETENTION_KINDS) {
      const key = JSON.stringify([teamId, kind, policies.of[kind].ruling]);
      records.push(
        await recent(key, () => deps.slowQueryLimiter(() => countKind(deps.slowQueryPool, { teamId, kind, policies }))),
      );
    }
    return { counted_at: policies.now, records };
  });
}
