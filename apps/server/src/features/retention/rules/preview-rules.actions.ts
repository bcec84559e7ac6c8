import type { Preview, StoredRetention } from '@steward/contract/retention';
import { RETENTION_KINDS, type RetentionKind, type RetentionRule } from '@steward/contract/retention/fields';
import { getRemoval } from '@steward/contract/retention/rules';
import type { Database } from '#platform/database/database.ts';
import type { ExpiredCount, RetentionScope } from '#workspace/content/expiry.ts';
import { computeCutoff, nextNight } from './cutoff.rules.ts';
import { RETENTION_TARGETS } from './retention-targets.ts';
import { applyRule } from './rule-schedule.rules.ts';
import type { TeamRules } from './rules.store.ts';
import type { RulesByKind } from './save-rules.actions.ts';

const NOTHING: ExpiredCount = { count: 0, bytes: 0, oldest: null, newest: null };

/** What a run started now would delete; null when the rule deletes nothing. */
export function getRetentionScope(
  teamId: string,
  rule: RetentionRule | null,
  { now, timeZone }: { now: number; timeZone: string },
): RetentionScope | null {
  const removal = getRemoval(rule);
  const cutoff = removal && computeCutoff(removal.duration, now, timeZone);
  return removal === null || cutoff === null ? null : { teamId, clock: removal.clock, cutoff };
}

/** Counts what rules would delete, with the conditions that runs delete by. */
export async function previewRules(
  db: Database,
  { teamId, rules, teamRules }: { teamId: string; rules: RulesByKind; teamRules: TeamRules },
): Promise<Partial<Record<RetentionKind, Preview>>> {
  const previews: Partial<Record<RetentionKind, Preview>> = {};
  const { now, timeZone } = teamRules;
  for (const kind of RETENTION_KINDS) {
    const rule = rules[kind];
    if (rule === undefined) continue;
    const scope = getRetentionScope(teamId, rule, teamRules);
    const expired = scope === null ? NOTHING : await RETENTION_TARGETS[kind].countExpired(db, scope);
    const { scheduled } = applyRule(teamRules.byKind[kind], rule, now);
    const effectiveAt = scheduled?.effectiveAt ?? now;
    previews[kind] = {
      ...expired,
      cutoff: scope?.cutoff ?? null,
      deletes_more: scheduled !== null,
      effective_at: effectiveAt,
      first_run_at: nextNight(effectiveAt, timeZone),
    };
  }
  return previews;
}

/** Counts what is stored of a kind, and how much of it is due for deletion under the current rule. */
export async function countKind(
  db: Database,
  { teamId, kind, teamRules }: { teamId: string; kind: RetentionKind; teamRules: TeamRules },
): Promise<StoredRetention> {
  const scope = getRetentionScope(teamId, teamRules.byKind[kind].current, teamRules);
  const stored = await RETENTION_TARGETS[kind].countStored(db, teamId);
  const overdue = scope === null ? NOTHING : await RETENTION_TARGETS[kind].countExpired(db, scope);
  return { kind, ...stored, overdue: overdue.count, overdue_bytes: overdue.bytes };
}
