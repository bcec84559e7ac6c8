import { isDeepStrictEqual } from 'node:util';
import { isOwnerOfTeam } from '@steward/contract/users/roles';
import { refuse } from '#platform/http/errors.ts';
import { queueMail } from '#platform/mail/mail.ts';
import { emailChangedMail } from '#workspace/access/account.mail.ts';
import { findAccount } from '#workspace/access/accounts.store.ts';
import { removeUserLinks } from '#workspace/access/sessions/links.store.ts';
import { saveProvisionedUser } from '#workspace/users/identity-providers/provisioning.store.ts';
import { findIdsByEmail, findMember, type MemberRow } from '#workspace/users/members.store.ts';
import { saveInvitationNames } from '#workspace/users/memberships.store.ts';
import { belongsToProvider, saveEmail, saveProfile } from '#workspace/users/users.store.ts';
import { isProvedBy } from '../company-sign-in.ts';
import type { Provisioning } from '../provisioning.ts';
import { activate, suspend } from './suspend.actions.ts';
import type { UserInput } from './user.ts';
import { getDomain, listAddresses } from './user.ts';
import { findUserByName, type UserRow } from './users.store.ts';

/** The account's or the invitation's value replaces one that the identity provider hasn't sent. */
export function toInput(row: UserRow): UserInput {
  return {
    userName: row.user_name,
    externalId: row.external_id,
    givenName: row.sent.given_name,
    familyName: row.sent.family_name,
    displayName: row.display_name,
    emails: row.emails,
    active: row.state === 'active' || row.state === 'invited',
  };
}

const ATTRIBUTES = ['userName', 'externalId', 'givenName', 'familyName', 'displayName', 'emails'] as const;

/** Saves the changes, and applies them to the account and the membership as far as the team is permitted to. */
export async function saveUser(provisioning: Provisioning, row: UserRow, user: UserInput): Promise<void> {
  const { trx, teamId, tokenId, audit, note } = provisioning;
  const before = toInput(row);
  const changed = ATTRIBUTES.filter((name) => !isDeepStrictEqual(before[name], user[name]));
  const target = row.person_id ?? row.id;
  if (changed.length > 0 || !row.is_managed) {
    await requireFreeName(provisioning, row, user);
    const emails = changed.includes('emails') ? user.emails : row.sent.emails;
    const addresses = listAddresses({ ...user, emails: user.emails ?? row.emails });
    await saveProvisionedUser(trx, { teamId, id: row.id, userId: row.person_id, ...user, emails, addresses });
    const member = row.person_id === null ? undefined : await findMember(trx, teamId, row.person_id);
    if (member) {
      await saveNames(provisioning, member, user);
      if (changed.includes('emails') || changed.includes('userName'))
        await changeAddress(provisioning, member, addresses[0] ?? '');
    }
    if (changed.length > 0) note(`Changed ${changed.join(', ')} of ${row.user_name}.`);
    await audit({
      action: 'scim.user_changed',
      teamId,
      actorId: null,
      target,
      details: { scim_token_id: tokenId, attributes: changed },
    });
  }
  if (user.active !== before.active) await (user.active ? activate : suspend)(provisioning, row, user);
}

async function requireFreeName({ trx, teamId }: Provisioning, row: UserRow, { userName }: UserInput): Promise<void> {
  const other = await findUserByName(trx, teamId, userName);
  if (other && other.id !== row.id) refuse('scim.uniqueness');
}

/** An account's name is visible in all of its teams, so one team's identity provider can't change it for the others. */
async function saveNames({ trx, teamId, note }: Provisioning, member: MemberRow, user: UserInput): Promise<void> {
  const names = { first_name: user.givenName ?? member.first_name, last_name: user.familyName ?? member.last_name };
  if (names.first_name === member.first_name && names.last_name === member.last_name) return;
  if (member.state === 'invited') return saveInvitationNames(trx, teamId, [{ ...member, ...names }]);
  if (member.other_teams > 0) return note("The account's name stays as it is: it has other teams.");
  await saveProfile(trx, member.id, names);
}

/**
 * Changes the address of an account only if the team's provider created it, it was never in another team, and both addresses
 * are in verified domains of the team. A recipient of mail at the address can set a new password, so any weaker rule would
 * give the account away.
 */
async function changeAddress(provisioning: Provisioning, member: MemberRow, address: string): Promise<void> {
  const { trx, deps, teamId, note } = provisioning;
  if (address === member.email) return;
  const refusal = await findRefusal(provisioning, member, address);
  if (refusal !== undefined) return note(`The account's address stays ${member.email}: ${refusal}.`);
  await saveEmail(trx, member.id, address);
  // Deletes links that were sent to the former address.
  await removeUserLinks(trx, member.id);
  const mail = emailChangedMail(deps.env, { to: member.email, email: address });
  await queueMail(trx, deps, { kind: 'session.email_changed', userId: member.id, teamId, mail });
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
  if (!(await belongsToProvider(trx, teamId, member.id)))
    return "your provider didn't create the account, or it was in another team";
  const isTaken = (await findAccount(trx, address)) ?? (await findIdsByEmail(trx, teamId, [address]))[0];
  return isTaken === undefined ? undefined : 'another account has the new one';
}
