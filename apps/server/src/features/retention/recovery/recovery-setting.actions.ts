import { isDeepStrictEqual } from 'node:util';
import type { Recovery } from '@steward/contract/retention/recovery';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { queueMail } from '#platform/mail/mail.ts';
import type { TeamAdmin } from '#workspace/access/access.ts';
import { requireRecentSignIn } from '#workspace/access/step-up.ts';
import type { AuditEvent } from '#workspace/audit/audit.store.ts';
import { applyRecovery, type RecoveryState } from '#workspace/content/retention/recovery-setting.rules.ts';
import { findRecovery, saveRecovery } from '#workspace/content/retention/recovery-setting.store.ts';
import { listOwners } from '#workspace/users/managers.store.ts';
import { getTeam, lockTeam } from '#workspace/users/teams.store.ts';
import { findUserName } from '#workspace/users/users.store.ts';
import { recoveryLoweredMail } from './recovery.mail.ts';

/** Emails the owners if deleted content will be restorable for fewer days. */
export async function changeRecovery(
  trx: Trx,
  deps: Deps,
  { who, days }: { who: TeamAdmin; days: number },
): Promise<{ answer: Recovery; audit: AuditEvent | null }> {
  const { teamId, userId: actorId } = who;
  await lockTeam(trx, teamId);
  const { state: before, now } = await findRecovery(trx, teamId);
  const after = applyRecovery(before, days, now);
  const details = { before: toDetails(before), after: toDetails(after) };
  if (isDeepStrictEqual(details.before, details.after)) return { answer: toAnswer(after), audit: null };
  if (after.scheduled) requireRecentSignIn(who);
  await saveRecovery(trx, { teamId, savedBy: actorId }, after);
  if (after.scheduled) await mailOwners(trx, deps, { teamId, actorId, scheduled: after.scheduled });
  const event = { action: 'retention.recovery_saved', teamId, actorId, target: teamId } as const;
  return { answer: toAnswer(after), audit: { ...event, details } };
}

export function toAnswer({ current, scheduled }: RecoveryState): Recovery {
  if (scheduled === null) return { recoverable_days: current };
  return { recoverable_days: scheduled.days, effective_at: scheduled.effectiveAt, in_force: current };
}

function toDetails({ current, scheduled }: RecoveryState) {
  return {
    recoverable_days: current,
    waiting_days: scheduled?.days ?? null,
    effective_at: scheduled?.effectiveAt ?? null,
  };
}

async function mailOwners(
  trx: Trx,
  deps: Deps,
  { teamId, actorId, scheduled }: { teamId: string; actorId: string; scheduled: { days: number; effectiveAt: number } },
): Promise<void> {
  const { display_name: team, time_zone: timeZone } = await getTeam(trx, teamId);
  const by = await findUserName(trx, actorId);
  for (const { id, email } of await listOwners(trx, teamId)) {
    const mail = recoveryLoweredMail(deps.env, { to: email, teamId, team, by, timeZone, ...scheduled });
    await queueMail(trx, deps, { kind: 'retention.recovery_lowered', teamId, userId: id, mail });
  }
}
