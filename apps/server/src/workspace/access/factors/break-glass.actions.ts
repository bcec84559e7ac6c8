import { isOwnerOfTeam } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Origin } from '#platform/http/http.ts';
import { queueMails } from '#platform/mail/mail.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { listOwners } from '#workspace/users/managers.store.ts';
import { getTeamName } from '#workspace/users/teams.store.ts';
import { findUserName } from '#workspace/users/users.store.ts';
import { listTeamSecurity } from '../team-security.store.ts';
import { breakGlassMail } from './factors.mail.ts';

/**
 * Records that an owner who is named for it can now enter teams without the single sign-on that they require, since their
 * session has a second factor, and emails all owners of these teams.
 */
export async function recordBreakGlass(
  trx: Trx,
  deps: Deps,
  { userId, origin }: { userId: string; origin: Origin },
): Promise<void> {
  const teams = await listTeamSecurity(trx, userId);
  const entered = teams.filter(
    ({ roles, security }) => isOwnerOfTeam(roles) && security?.required_connection_id && security.is_break_glass,
  );
  for (const { team_id: teamId } of entered) {
    const event = { teamId, actorId: userId, target: userId };
    await addAuditEvent(trx, deps, { action: 'sso.break_glass', ...event, origin });
    await notifyOwners(trx, deps, { teamId, userId, origin });
  }
}

async function notifyOwners(
  trx: Trx,
  deps: Deps,
  { teamId, userId, origin }: { teamId: string; userId: string; origin: Origin },
): Promise<void> {
  const team = await getTeamName(trx, teamId);
  const by = await findUserName(trx, userId);
  const mails = (await listOwners(trx, teamId)).map(({ id, email }) => ({
    userId: id,
    mail: breakGlassMail(deps.env, { to: email, teamId, team, by, address: origin.address }),
  }));
  await queueMails(trx, deps, { kind: 'sso.break_glass', teamId, mails });
}
