import { isOwnerOfTeam } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Origin } from '#platform/http/http.ts';
import { defuseLinks, renderEmail } from '#platform/mail/email-template.ts';
import { queueMails } from '#platform/mail/mail.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { listOwners } from '#workspace/people/managers.store.ts';
import { findPersonName } from '#workspace/people/people.store.ts';
import { getTeamName } from '#workspace/people/teams.store.ts';
import { listTeamSecurity } from '../team-security.store.ts';

/**
 * Records that an owner can now enter teams that require single sign-on without it, since their session has a second factor, and
 * emails all owners of these teams.
 */
export async function recordBreakGlass(
  trx: Trx,
  deps: Deps,
  { personId, origin }: { personId: string; origin: Origin },
): Promise<void> {
  const teams = await listTeamSecurity(trx, personId);
  const entered = teams.filter(({ roles, security }) => isOwnerOfTeam(roles) && security?.required_connection_id);
  for (const { team_id: teamId } of entered) {
    const event = { teamId, actorId: personId, target: personId };
    await addAuditEvent(trx, { action: 'sso.break_glass', ...event }, origin);
    await notifyOwners(trx, deps, { teamId, personId, origin });
  }
}

async function notifyOwners(
  trx: Trx,
  deps: Deps,
  { teamId, personId, origin }: { teamId: string; personId: string; origin: Origin },
): Promise<void> {
  const team = await getTeamName(trx, teamId);
  const [who, place] = [await findPersonName(trx, personId), team].map(defuseLinks);
  const mails = (await listOwners(trx, teamId)).map(({ id, email }) => ({
    personId: id,
    mail: renderEmail(deps.env, {
      to: email,
      subject: `${team}: an owner signed in without single sign-on`,
      paragraphs: [
        `${who} signed in from ${origin.address} with a second factor of ${deps.env.PRODUCT_NAME}, although “${place}” requires single sign-on. Owners can do this in case the identity provider doesn't work.`,
      ],
      action: { label: 'View the audit log', url: `${deps.env.publicUrl}/dashboard/audit_log` },
      closing: "If this wasn't expected, ask them, and sign them out of all devices.",
    }),
  }));
  await queueMails(trx, deps, { kind: 'sso.break_glass', teamId, mails });
}
