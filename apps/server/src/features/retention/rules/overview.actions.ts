import type { Answer } from '@steward/contract/api/endpoint';
import type { getRetention } from '@steward/contract/retention';
import { RETENTION_KINDS } from '@steward/contract/retention/fields';
import type { Database } from '#platform/database/database.ts';
import { listLatestRuns } from '../runs/runs.store.ts';
import { computeReach } from './preview-rules.actions.ts';
import { nextNight } from './retention.rules.ts';
import { toSavedRule } from './rule-schedule.rules.ts';
import { getPolicies } from './save-rules.actions.ts';

/** All rules of a team, what they reach today, and what was done last; nothing is counted. */
export async function getOverview(db: Database, teamId: string): Promise<Answer<typeof getRetention>> {
  const policies = await getPolicies(db, teamId);
  const latest = await listLatestRuns(db, teamId);
  const kinds = RETENTION_KINDS.map((kind) => {
    const runs = latest.filter((run) => run.kind === kind);
    return {
      kind,
      rule: toSavedRule(kind, policies.of[kind]),
      cutoff: computeReach(teamId, policies.of[kind].ruling, policies)?.cutoff ?? null,
      last_run: runs.find(({ state }) => state !== 'running') ?? null,
      running: runs.find(({ state }) => state === 'running') ?? null,
    };
  });
  return { time_zone: policies.timeZone, next_run_at: nextNight(policies.now, policies.timeZone), kinds };
}
