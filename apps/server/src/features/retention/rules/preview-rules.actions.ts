import { RETENTION_WAIT_MS } from '@steward/contract/api/limits';
import type { Preview, StoredRetention } from '@steward/contract/retention';
import { RETENTION_KINDS, type RetentionKind } from '@steward/contract/retention/fields';
import type { Database } from '#platform/database/database.ts';
import type { ExpiredCount } from '#workspace/content/expiry.ts';
import { holdsOn } from '#workspace/content/holds/active-holds.rules.ts';
import { nextNight } from '#workspace/content/retention/cutoff.rules.ts';
import { getCurrentScope, getRetentionScope } from '#workspace/content/retention/retention-scope.rules.ts';
import type { TeamRules } from '#workspace/content/retention/rule-schedule.rules.ts';
import { applyRule, isSameState } from '#workspace/content/retention/rule-schedule.rules.ts';
import { RETENTION_TARGETS } from './retention-targets.ts';
import type { RulesByKind } from './save-rules.actions.ts';

const NOTHING: ExpiredCount = { count: 0, bytes: 0, held: { count: 0, bytes: 0 }, oldest: null, newest: null };

/** Counts with the same conditions that runs delete by. */
export async function previewRules(
  db: Database,
  { teamId, rules, teamRules }: { teamId: string; rules: RulesByKind; teamRules: TeamRules },
): Promise<Partial<Record<RetentionKind, Preview>>> {
  const previews: Partial<Record<RetentionKind, Preview>> = {};
  const { now, timeZone } = teamRules;
  for (const kind of RETENTION_KINDS) {
    const rule = rules[kind];
    if (rule === undefined) continue;
    const before = teamRules.byKind[kind];
    const after = applyRule(before, rule, now);
    const { scheduled } = after;
    // A rule that is saved now would also delete the items that services had moved back earlier.
    const savedBefore = scheduled ? scheduled.effectiveAt - RETENTION_WAIT_MS : teamRules.savedAt[kind];
    const savedAt = isSameState(before, after) ? savedBefore : now;
    const scope = getRetentionScope(teamId, rule, { ...teamRules, savedAt, holds: holdsOn(kind, teamRules.holds) });
    const expired = scope === null ? NOTHING : await RETENTION_TARGETS[kind].countExpired(db, scope);
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

export async function countKind(
  db: Database,
  { teamId, kind, teamRules }: { teamId: string; kind: RetentionKind; teamRules: TeamRules },
): Promise<StoredRetention> {
  const scope = getCurrentScope(teamId, kind, teamRules);
  const stored = await RETENTION_TARGETS[kind].countStored(db, teamId);
  const overdue = scope === null ? NOTHING : await RETENTION_TARGETS[kind].countExpired(db, scope);
  return { kind, ...stored, overdue: overdue.count, overdue_bytes: overdue.bytes, held: overdue.held };
}
