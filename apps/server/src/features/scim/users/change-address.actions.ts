import { isOwnerOfTeam } from '@steward/contract/users/roles';
import { queueMail } from '#platform/mail/mail.ts';
import { emailChangedMail } from '#workspace/access/account.mail.ts';
import { findAccount } from '#workspace/access/accounts.store.ts';
import { removePersonLinks } from '#workspace/access/sessions/links.store.ts';
import { findIdsByEmail, type MemberRow } from '#workspace/people/memberships.store.ts';
import { saveEmail } from '#workspace/people/people.store.ts';
import { isProvedBy } from '../company-sign-in.ts';
import type { Provisioning } from '../provisioning.ts';
import { getDomain } from './addresses.ts';
import { hasOtherTeams } from './users.store.ts';

/**
 * Changes the address of an account only if the account is the team's: both addresses are of domains that it has proved, and the
 * account has no other team. Whoever receives an address can set a new password, so anything else would give the account away.
 */
export async function changeAddress(provisioning: Provisioning, member: MemberRow, address: string): Promise<void> {
  const { trx, deps, teamId, note } = provisioning;
  if (address === member.email) return;
  const refusal = await findRefusal(provisioning, member, address);
  if (refusal !== undefined) return note(`The account's address stays ${member.email}: ${refusal}.`);
  await saveEmail(trx, member.id, address);
  // Links that went to the former address.
  await removePersonLinks(trx, member.id);
  const mail = emailChangedMail(deps.env, { to: member.email, email: address });
  await queueMail(trx, deps, { kind: 'session.email_changed', personId: member.id, teamId, mail });
  note(`Changed the account's address from ${member.email} to ${address}.`);
}

async function findRefusal(
  { trx, teamId }: Provisioning,
  member: MemberRow,
  address: string,
): Promise<string | undefined> {
  if (member.state === 'invited') return 'the invitation went there';
  if (isOwnerOfTeam(member.roles)) return 'it belongs to an owner';
  for (const domain of [getDomain(member.email), getDomain(address)])
    if (!(await isProvedBy(trx, teamId, domain))) return `the team hasn't verified ${domain}`;
  if (await hasOtherTeams(trx, teamId, member.id)) return 'the account has other teams';
  const isTaken = (await findAccount(trx, address)) ?? (await findIdsByEmail(trx, teamId, [address]))[0];
  return isTaken === undefined ? undefined : 'another account has the new one';
}
