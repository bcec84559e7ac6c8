import type * as endpoints from '@steward/contract/users/inactivity';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { addAuditEvent, JOB_ORIGIN } from '#workspace/audit/audit.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { applyGroupChannels } from '#workspace/channels/apply-groups.actions.ts';
import { lockMembers } from '#workspace/users/members.store.ts';
import { saveDeactivated } from '#workspace/users/memberships.store.ts';
import { lockTeam } from '#workspace/users/teams.store.ts';
import { findNight, listDeactivatedBy, saveConfirmed, saveUndone } from './nights.store.ts';
import { findRuleTonight } from './rule.store.ts';

interface NightOf {
  teamId: string;
  actorId: string;
  night: string;
}

/** The job does the rest within a minute. */
export async function confirmNight(
  trx: Trx,
  { teamId, actorId, night }: NightOf,
): Promise<Changed<typeof endpoints.confirmInactivityNight>> {
  await lockTeam(trx, teamId);
  const stored = (await findNight(trx, { teamId, night })) ?? refuse('record.not_found');
  const rule = await findRuleTonight(trx, teamId);
  if (stored.state !== 'asks' || rule?.tonight !== night) refuse('inactivity.night_over');
  await saveConfirmed(trx, { teamId, night }, actorId);
  const details = { night, user_count: stored.asked_ids.length };
  return {
    answer: { status_code: 200 },
    audit: { action: 'users.inactivity_confirmed', teamId, actorId, target: teamId, details },
  };
}

/** Restores those who are still deactivated by the night. Sessions, links and tokens that ended with it stay ended. */
export async function undoNight(
  trx: Trx,
  deps: Deps,
  { teamId, actorId, night }: NightOf,
): Promise<Changed<typeof endpoints.undoInactivityNight>> {
  await lockTeam(trx, teamId);
  const stored = (await findNight(trx, { teamId, night })) ?? refuse('record.not_found');
  if (stored.state !== 'done' || stored.is_undone || stored.deactivated_ids.length === 0)
    refuse('inactivity.nothing_to_undo');
  await lockMembers(trx, teamId, stored.deactivated_ids);
  const restored = await listDeactivatedBy(trx, { teamId, night });
  await saveDeactivated(trx, { teamId, userId: restored, deactivated: false });
  await applyGroupChannels(trx, teamId, restored);
  await saveUndone(trx, { teamId, night }, actorId);
  for (const target of restored) {
    const event = { teamId, actorId, target, origin: JOB_ORIGIN };
    await addAuditEvent(trx, deps, { action: 'users.reactivated', ...event });
  }
  const details = { night, restored_users: restored };
  return {
    answer: { status_code: 200, restored: restored.length },
    audit: { action: 'users.inactivity_undone', teamId, actorId, target: teamId, details },
  };
}
