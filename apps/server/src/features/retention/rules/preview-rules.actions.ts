import type { Preview, StoredRetention } from '@steward/contract/retention';
import { RETENTION_KINDS, type RetentionKind, type RetentionRule } from '@steward/contract/retention/fields';
import type { Database } from '#platform/database/database.ts';
import type { Reach, ReachCount } from '#workspace/content/expiry.ts';
import { RETENTION_TARGETS } from '../runs/retention-targets.ts';
import { computeCutoff, nextNight, toRemoval } from './retention.rules.ts';
import { applyRule } from './rule-schedule.rules.ts';
import type { TeamPolicies } from './rules.store.ts';
import type { RulesByKind } from './save-rules.actions.ts';

const NOTHING: ReachCount = { count: 0, bytes: 0, oldest: null, newest: null };

/** What a rule would remove if a run began at the moment; null when it removes nothing. */
export function computeReach(
  teamId: string,
  rule: RetentionRule | null,
  { now, timeZone }: { now: number; timeZone: string },
): Reach | null {
  const removal = toRemoval(rule);
  const cutoff = removal && computeCutoff(removal.duration, now, timeZone);
  return removal === null || cutoff === null ? null : { teamId, clock: removal.clock, cutoff };
}

/** Counts what rules would delete, by the conditions that runs delete by (design §6). */
export async function previewRules(
  db: Database,
  { teamId, rules, policies }: { teamId: string; rules: RulesByKind; policies: TeamPolicies },
): Promise<Partial<Record<RetentionKind, Preview>>> {
  const previews: Partial<Record<RetentionKind, Preview>> = {};
  const { now, timeZone } = policies;
  for (const kind of RETENTION_KINDS) {
    const rule = rules[kind];
    if (rule === undefined) continue;
    const reach = computeReach(teamId, rule, policies);
    const reached = reach === null ? NOTHING : await RETENTION_TARGETS[kind].countExpired(db, reach);
    const { waiting } = applyRule(policies.of[kind], rule, now);
    const begins = waiting?.effectiveAt ?? now;
    previews[kind] = {
      ...reached,
      cutoff: reach?.cutoff ?? null,
      deletes_more: waiting !== null,
      effective_at: begins,
      first_run_at: nextNight(begins, timeZone),
    };
  }
  return previews;
}

/** Counts what is stored of a kind, and what the rule in force has given up of it. */
export async function countKind(
  db: Database,
  { teamId, kind, policies }: { teamId: string; kind: RetentionKind; policies: TeamPolicies },
): Promise<StoredRetention> {
  const reach = computeReach(teamId, policies.of[kind].ruling, policies);
  const stored = await RETENTION_TARGETS[kind].countStored(db, teamId);
  const overdue = reach === null ? NOTHING : await RETENTION_TARGETS[kind].countExpired(db, reach);
  return { kind, ...stored, overdue: overdue.count, overdue_bytes: overdue.bytes };
}
