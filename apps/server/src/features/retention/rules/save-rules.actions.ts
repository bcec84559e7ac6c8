import {
  RETENTION_KINDS,
  type RetentionKind,
  type RetentionRule,
  type SavedRule,
} from '@steward/contract/retention/fields';
import type { Database, Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { TeamAdmin } from '#workspace/access/access.ts';
import { requireRecentSignIn } from '#workspace/access/step-up.ts';
import type { AuditEvent } from '#workspace/audit/audit.store.ts';
import { toNight } from '#workspace/content/retention/cutoff.rules.ts';
import { addTeamNight } from '#workspace/content/retention/nights.store.ts';
import { findRecovery } from '#workspace/content/retention/recovery-setting.store.ts';
import {
  applyRule,
  isSameState,
  type RuleState,
  type TeamRules,
  toSavedRule,
} from '#workspace/content/retention/rule-schedule.rules.ts';
import { findTeamRules } from '#workspace/content/retention/team-rules.store.ts';
import { emailUsers } from '#workspace/notices/send-notice.job.ts';
import { listManagers } from '#workspace/users/managers.store.ts';
import { getTeamName, lockTeam } from '#workspace/users/teams.store.ts';
import { findUserName } from '#workspace/users/users.store.ts';
import { type RuleChange, rulesChangedMail } from './retention.mail.ts';
import { saveRule } from './rules.store.ts';

export type RulesByKind = Partial<Record<RetentionKind, RetentionRule | undefined>>;

export async function getTeamRules(db: Database | Trx, teamId: string): Promise<TeamRules> {
  return (await findTeamRules(db, teamId)) ?? refuse('team.admin_required');
}

export function toSavedRules(states: TeamRules['byKind']): Record<RetentionKind, SavedRule> {
  const saved = RETENTION_KINDS.map((kind) => [kind, toSavedRule(kind, states[kind])]);
  return Object.fromEntries(saved) as Record<RetentionKind, SavedRule>;
}

/**
 * Saves all rules or none. Emails the owners, and the admins too if a rule becomes stricter. Saving an unchanged rule doesn't
 * restart its 24 hours.
 */
export async function saveRules(
  trx: Trx,
  deps: Deps,
  { who, rules }: { who: TeamAdmin; rules: RulesByKind },
): Promise<{ saved: TeamRules['byKind']; audit: AuditEvent | null }> {
  const { teamId, userId: actorId } = who;
  await lockTeam(trx, teamId);
  const { byKind, now, timeZone } = await getTeamRules(trx, teamId);
  const saved = { ...byKind };
  const changes: RuleChange[] = [];
  for (const kind of RETENTION_KINDS) {
    const rule = rules[kind];
    if (rule === undefined) continue;
    const before = byKind[kind];
    const after = applyRule(before, rule, now);
    if (isSameState(before, after)) continue;
    saved[kind] = after;
    changes.push({ kind, before, after });
    await saveRule(trx, { teamId, kind, savedBy: actorId }, after);
  }
  if (changes.length === 0) return { saved, audit: null };
  if (isAnyStricter(changes)) requireRecentSignIn(who);
  await addTeamNight(trx, teamId, toNight(now, timeZone));
  await mailRuleChanges(trx, deps, { teamId, actorId, changes, timeZone });
  const details = Object.fromEntries(
    changes.map(({ kind, before, after }) => [kind, { before: toAuditState(before), after: toAuditState(after) }]),
  );
  return { saved, audit: { action: 'retention.saved', teamId, actorId, target: teamId, details } };
}

const isAnyStricter = (changes: readonly RuleChange[]) => changes.some(({ after }) => after.scheduled !== null);

/** These names can't change: audit rows are stored with them. */
function toAuditState({ current, scheduled }: RuleState) {
  return { ruling: current, waiting: scheduled };
}

async function mailRuleChanges(
  trx: Trx,
  deps: Deps,
  saved: { teamId: string; actorId: string; changes: RuleChange[]; timeZone: string },
): Promise<void> {
  const { teamId, actorId, changes, timeZone } = saved;
  const team = await getTeamName(trx, teamId);
  const by = await findUserName(trx, actorId);
  const { current: recoverableDays } = (await findRecovery(trx, teamId)).state;
  const isStricter = isAnyStricter(changes);
  const managers = await listManagers(trx, teamId, { except: [], kind: 'retention' });
  // Owners are also informed of their own changes and of less strict rules.
  const recipients = managers.filter(({ id, is_owner }) => is_owner || (isStricter && id !== actorId));
  const text = rulesChangedMail(deps.env, { teamId, team, by, changes, timeZone, recoverableDays });
  await emailUsers(trx, deps, { recipients, email: { ...text, kind: 'retention.rules_changed', teamId } });
}
