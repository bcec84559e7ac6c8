import type * as endpoints from '@steward/contract/users/factors';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { defuseLinks } from '#platform/mail/email-template.ts';
import { queueMail } from '#platform/mail/mail.ts';
import { factorsResetMail } from '#workspace/access/factors/factors.mail.ts';
import { lockFactors, removeFactors } from '#workspace/access/factors/factors.store.ts';
import { endSessions, sessionLimits } from '#workspace/access/sessions/sessions.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { getTeamName, lockTeam } from '#workspace/users/teams.store.ts';
import { findTarget, type TargetInput } from './users.actions.ts';

/**
 * Removes the second factors of a user who lost them, and ends their sessions. The factors belong to the account, so no team
 * can remove them while the account is in another one, also if it is deactivated there.
 */
export async function resetFactors(
  trx: Trx,
  deps: Deps,
  input: TargetInput,
): Promise<Changed<typeof endpoints.resetFactors>> {
  const { teamId, caller } = input;
  await lockTeam(trx, teamId);
  const { id, email, other_teams } = await findTarget(trx, input, 'reset_factors');
  await lockFactors(trx, id);
  if (other_teams > 0) refuse('users.factor_needed_elsewhere');
  if (!(await removeFactors(trx, id))) refuse('users.no_factors');
  const ended = await endSessions(trx, { userId: id }, sessionLimits(deps.env));
  const by = `An owner of the team “${defuseLinks(await getTeamName(trx, teamId))}”`;
  const mail = factorsResetMail(deps.env, { to: email, by });
  await queueMail(trx, deps, { kind: 'users.factors_reset', teamId, userId: id, mail });
  const details = { sessions: ended.length };
  return {
    answer: { status_code: 200, revoked: ended.length },
    audit: { action: 'users.factors_reset', teamId, actorId: caller.userId, target: id, details },
  };
}
