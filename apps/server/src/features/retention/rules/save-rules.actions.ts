import {
  RETENTION_KINDS,
  type RetentionKind,
  type RetentionRule,
  type SavedRule,
} from '@steward/contract/retention/fields';
import type { Database, Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { queueMail } from '#platform/mail/mail.ts';
import type { AuditEvent } from '#workspace/audit/audit.store.ts';
import { findPersonName, listOwners } from '#workspace/people/people.store.ts';
import { getTeamName, lockTeam } from '#workspace/teams/teams.store.ts';
import { addTeamNight } from '../runs/nightly-run.store.ts';
import { type ChangedRule, rulesChangedMail } from './retention.mail.ts';
import { toNight } from './retention.rules.ts';
import { applyRule, isSameRule, type Policy, toSavedRule } from './rule-schedule.rules.ts';
import { findPolicies, savePolicy, type TeamPolicies } from './rules.store.ts';

/** Rules by the kinds they are for. */
export type RulesByKind = Partial<Record<RetentionKind, RetentionRule | undefined>>;

/** The rules of a team, or the refusal of an unknown one. */
export async function getPolicies(db: Database | Trx, teamId: string): Promise<TeamPolicies> {
  return (await findPolicies(db, teamId)) ?? refuse('team.admin_required');
}

/** The rules as they are answered. */
export function savedRules(policies: Readonly<Record<RetentionKind, Policy>>): Record<RetentionKind, SavedRule> {
  const saved = RETENTION_KINDS.map((kind) => [kind, toSavedRule(kind, policies[kind])]);
  return Object.fromEntries(saved) as Record<RetentionKind, SavedRule>;
}

/**
 * Saves rules, all or none, in the order of their arrival, and tells the owners. What was saved already is left as it is: its
 * wait does not begin anew (design §6).
 */
export async function saveRules(
  trx: Trx,
  deps: Deps,
  { teamId, actorId, rules }: { teamId: string; actorId: string; rules: RulesByKind },
): Promise<{ saved: Record<RetentionKind, Policy>; audit: AuditEvent | null }> {
  await lockTeam(trx, teamId);
  const { of, now, timeZone } = await getPolicies(trx, teamId);
  const saved = { ...of };
  const changes: ChangedRule[] = [];
  for (const kind of RETENTION_KINDS) {
    const rule = rules[kind];
    if (rule === undefined) continue;
    const before = of[kind];
    const after = applyRule(before, rule, now);
    if (isSamePolicy(before, after)) continue;
    saved[kind] = after;
    changes.push({ kind, before, after });
    await savePolicy(trx, { teamId, kind, savedBy: actorId }, after);
  }
  if (changes.length === 0) return { saved, audit: null };
  await addTeamNight(trx, teamId, toNight(now, timeZone));
  await mailRuleChanges(trx, deps, { teamId, actorId, changes, timeZone });
  const details = Object.fromEntries(changes.map(({ kind, before, after }) => [kind, { before, after }]));
  return { saved, audit: { action: 'retention.saved', teamId, actorId, target: teamId, details } };
}

function isSamePolicy(one: Policy, other: Policy): boolean {
  return (
    isSameRule(one.ruling, other.ruling) &&
    isSameRule(one.waiting?.rule ?? null, other.waiting?.rule ?? null) &&
    one.waiting?.effectiveAt === other.waiting?.effectiveAt
  );
}

async function mailRuleChanges(
  trx: Trx,
  deps: Deps,
  told: { teamId: string; actorId: string; changes: ChangedRule[]; timeZone: string },
): Promise<void> {
  const team = await getTeamName(trx, told.teamId);
  const owners = await listOwners(trx, told.teamId);
  const by = await findPersonName(trx, told.actorId);
  for (const owner of owners) {
    const mail = rulesChangedMail(deps.env, { to: owner.email, team, by, ...told });
    await queueMail(trx, deps, { kind: 'retention.rules_changed', teamId: told.teamId, personId: owner.id, mail });
  }
}
