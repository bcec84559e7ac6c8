import { getRetentionStored, previewRetention, type StoredOfKind } from '@steward/contract/retention';
import { RETENTION_KINDS } from '@steward/contract/retention/fields';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import { createRecent } from '#platform/jobs/recent.ts';
import type { Access } from '#workspace/access/access.ts';
import { countKind, previewRules } from './count-reach.actions.ts';
import { getPolicies } from './save-rules.actions.ts';

/** Serves the calls that count: what a rule would delete, and what is stored. */
export function countRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const recent = createRecent<StoredOfKind>();

  serve(app, previewRetention, access.teamAdmin, async ({ who: { teamId }, body }) => {
    const { value, duration, canmark, ...named } = body;
    const rules = value === undefined ? named : { ...named, files: { value, duration, canmark } };
    const policies = await getPolicies(deps.db, teamId);
    return deps.patientTurn(() => previewRules(deps.patientDb, { teamId, rules, policies }));
  });

  serve(app, getRetentionStored, access.teamAdmin, async ({ who: { teamId }, query }) => {
    const policies = await getPolicies(deps.db, teamId);
    const records: StoredOfKind[] = [];
    for (const kind of query.kinds ?? RETENTION_KINDS) {
      const key = JSON.stringify([teamId, kind, policies.of[kind].ruling]);
      records.push(
        await recent(key, () => deps.patientTurn(() => countKind(deps.patientDb, { teamId, kind, policies }))),
      );
    }
    return { counted_at: policies.now, records };
  });
}
