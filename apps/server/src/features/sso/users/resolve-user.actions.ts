import type { ErrorId } from '@steward/contract/api/errors';
import type { SsoRole } from '@steward/contract/sso/connection';
import { hasIntegrationRole, isAdminOfTeam, isOwnerOfTeam } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Origin } from '#platform/http/http.ts';
import { defuseLinks } from '#platform/mail/email-template.ts';
import { findAccount } from '#workspace/access/accounts.store.ts';
import { acceptInvitation, toAcceptedEvent } from '#workspace/access/memberships/invitations.actions.ts';
import { stopTokens } from '#workspace/access/tokens.store.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { joinFirstChannels } from '#workspace/channels/apply-groups.actions.ts';
import { notifyLinked } from '#workspace/notices/notify-links.ts';
import { notifyManagers } from '#workspace/notices/notify-managers.ts';
import { type Connection, listProvedDomains } from '#workspace/users/identity-providers/connections.store.ts';
import { hasProvisionedRoles, listGroupNames } from '#workspace/users/identity-providers/provisioning.store.ts';
import { findMember, type MemberRow } from '#workspace/users/members.store.ts';
import {
  addInvitations,
  addMembership,
  lockInvitation,
  removeClosedInvitation,
  saveRoles,
} from '#workspace/users/memberships.store.ts';
import { addUser, findUserName } from '#workspace/users/users.store.ts';
import { type Claims, toGroupRole } from './claims.rules.ts';
import { addIdentity, findIdentity, saveIdentityUse } from './identities.store.ts';

/** A user returning from the provider. */
export interface Arrival {
  connection: Connection;
  claims: Claims;
  /** The session in which the sign-in started. `canLink` is true if it may link its user now. */
  session: { userId: string; canLink: boolean } | null;
  origin: Origin;
}

/** The member; or the reason for a refusal, with the user if known. */
export type Resolved = { userId: string } | { refusal: ErrorId; userId?: string };

/**
 * Only the provider's own user id opens a linked account. An email address links an account once, and only if no other user
 * could have the address (decision 0061).
 */
export async function resolveUser(trx: Trx, deps: Deps, given: Arrival): Promise<Resolved> {
  const { connection, session } = given;
  const { id: connectionId, team_id: teamId } = connection;
  const claims = await addGroupNames(trx, given);
  const arrival = { ...given, claims };
  const linked = await findIdentity(trx, { connectionId, ...claims });
  if (linked !== undefined) return enterLinked(trx, deps, { ...arrival, userId: linked });
  const member = session?.canLink ? await findMember(trx, teamId, session.userId) : undefined;
  if (member?.state !== 'active' || hasIntegrationRole(member.roles)) return resolveByEmail(trx, deps, arrival);
  const refusal = await findAddressProblem(trx, arrival, member.email);
  return refusal === undefined ? link(trx, deps, { ...arrival, member }) : { refusal, userId: member.id };
}

/**
 * An address counts if the provider has verified it, and it is in a domain that the team has verified. The user's own address
 * counts without the domain when they link themselves.
 */
async function findAddressProblem(
  trx: Trx,
  { connection, claims }: Arrival,
  own?: string,
): Promise<'sso.unverified_email' | 'sso.domain' | undefined> {
  const { email, isEmailVerified } = claims;
  if (email === null || !isEmailVerified) return 'sso.unverified_email';
  if (email === own) return undefined;
  const domains = await listProvedDomains(trx, connection.team_id);
  return domains.includes(email.slice(email.lastIndexOf('@') + 1)) ? undefined : 'sso.domain';
}

/** A group that the provider names by its id is the provisioned group with this id. */
async function addGroupNames(trx: Trx, { connection, claims }: Arrival): Promise<Claims> {
  if (claims.groups === null) return claims;
  return { ...claims, groups: [...claims.groups, ...(await listGroupNames(trx, connection.team_id, claims.groups))] };
}

async function enterLinked(trx: Trx, deps: Deps, arrival: Arrival & { userId: string }): Promise<Resolved> {
  const { connection, claims, session, userId } = arrival;
  const member = await findMember(trx, connection.team_id, userId);
  if (member === undefined) return { refusal: 'sso.no_account' };
  if (member.state === 'invited') return { refusal: 'sso.accept_invitation' };
  if (session !== null && session.userId !== userId) return { refusal: 'sso.other_account', userId };
  if (member.state === 'deactivated') return { refusal: 'sso.deactivated', userId };
  await saveIdentityUse(trx, { teamId: connection.team_id, userId, email: claims.email });
  await syncRole(trx, deps, { ...arrival, member });
  return { userId };
}

async function link(trx: Trx, deps: Deps, arrival: Arrival & { member: MemberRow }): Promise<Resolved> {
  const { connection, member, origin } = arrival;
  if (!(await addIdentity(trx, toIdentity(arrival, member.id))))
    return { refusal: 'sso.other_identity', userId: member.id };
  const event = { teamId: connection.team_id, actorId: member.id, target: member.id };
  await addAuditEvent(trx, deps, { action: 'sso.linked', ...event, origin });
  await notifyLinked(trx, deps, { teamId: connection.team_id, userId: member.id });
  return enterLinked(trx, deps, { ...arrival, userId: member.id });
}

function toIdentity({ connection, claims }: Arrival, userId: string) {
  const { issuer, subject, email } = claims;
  return { teamId: connection.team_id, userId, connectionId: connection.id, issuer, subject, email: email ?? '' };
}

async function resolveByEmail(trx: Trx, deps: Deps, arrival: Arrival): Promise<Resolved> {
  const { connection, claims, session } = arrival;
  const { email } = claims;
  const refusal = await findAddressProblem(trx, arrival);
  if (refusal !== undefined || email === null) return { refusal: refusal ?? 'sso.unverified_email' };
  const account = await findAccount(trx, email);
  if (session !== null && session.userId !== account?.id) return { refusal: 'sso.other_account' };
  if (account?.is_integration) return { refusal: 'sso.no_account' };
  const member = account && (await findMember(trx, connection.team_id, account.id));
  if (member === undefined) return welcome(trx, deps, { ...arrival, email, accountId: account?.id });
  if (member.state === 'deactivated') return { refusal: 'sso.deactivated', userId: member.id };
  if (isAdminOfTeam(member.roles)) return { refusal: 'sso.link_first', userId: member.id };
  return link(trx, deps, { ...arrival, member });
}

/** Adds a user who isn't in the team. A user with an account is only invited, because a team can't take over an account. */
async function welcome(
  trx: Trx,
  deps: Deps,
  arrival: Arrival & { email: string; accountId: string | undefined },
): Promise<Resolved> {
  const { connection, email, accountId } = arrival;
  const invitation = await lockInvitation(trx, connection.team_id, email);
  if (invitation === undefined && !connection.jit) return { refusal: 'sso.no_account' };
  if (invitation === undefined) await removeClosedInvitation(trx, connection.team_id, email);
  if (accountId === undefined && !(invitation && isAdminOfTeam(invitation.roles))) {
    const member = await joinTeam(trx, deps, { ...arrival, isInvited: invitation !== undefined });
    return member === undefined ? { refusal: 'sso.expired' } : link(trx, deps, { ...arrival, member });
  }
  const id = invitation?.id ?? (await inviteAccount(trx, deps, arrival));
  // The user accepts the invitation with their password, and that links the account.
  if (id !== undefined) await addIdentity(trx, toIdentity(arrival, id));
  return { refusal: 'sso.accept_invitation', ...(accountId !== undefined && { userId: accountId }) };
}

type Newcomer = Arrival & { email: string };

/** Creates an account without a password and adds it to the team; undefined if another request just created one. */
async function joinTeam(
  trx: Trx,
  deps: Deps,
  newcomer: Newcomer & { isInvited: boolean },
): Promise<MemberRow | undefined> {
  const { connection, claims, email, isInvited, origin } = newcomer;
  const { first_name, last_name } = claims;
  const teamId = connection.team_id;
  const userId = await addUser(trx, { email, first_name, last_name, password_hash: null, provisioned_by: teamId });
  if (userId === undefined) return undefined;
  if (isInvited) {
    const accepted = await acceptInvitation(trx, deps, { teamId, userId, email });
    if (accepted?.linkId) await addAuditEvent(trx, deps, { ...toAcceptedEvent(teamId, userId, accepted), origin });
  } else {
    await addMembership(trx, { teamId, userId, roles: getFirstRoles(newcomer) });
    await joinFirstChannels(trx, userId, teamId);
  }
  const member = await findMember(trx, teamId, userId);
  if (member === undefined) return undefined;
  const event = { teamId, actorId: userId, target: userId, details: { roles: member.roles } };
  await addAuditEvent(trx, deps, { action: 'sso.joined', ...event, origin });
  await notifyPromoted(trx, deps, { teamId, member });
  return member;
}

/** Invites a user who has an account in other teams. */
async function inviteAccount(trx: Trx, deps: Deps, newcomer: Newcomer): Promise<string | undefined> {
  const { connection, claims, email, origin } = newcomer;
  const roles = getFirstRoles(newcomer);
  const { first_name, last_name } = claims;
  const inviting = { teamId: connection.team_id, invitedBy: null };
  const id = (await addInvitations(trx, inviting, [{ email, first_name, last_name, roles }])).get(email);
  if (id === undefined) return undefined;
  const event = { teamId: connection.team_id, actorId: null, target: id, details: { roles } };
  await addAuditEvent(trx, deps, { action: 'sso.invited', ...event, origin });
  return id;
}

function getFirstRoles({ connection, claims }: Arrival): string[] {
  return toStoredRoles(toGroupRole(connection, claims.groups) ?? connection.default_role);
}

/** The roles of a membership that a provider can give. */
function toStoredRoles(role: SsoRole): string[] {
  return role === 'team_admin' ? ['team_user', 'team_admin'] : ['team_user'];
}

/** Owners stay owners, and unknown groups change nothing. */
async function syncRole(trx: Trx, deps: Deps, arrival: Arrival & { member: MemberRow }): Promise<void> {
  const { connection, claims, member, origin } = arrival;
  const role = toGroupRole(connection, claims.groups);
  if (role === undefined || isOwnerOfTeam(member.roles)) return;
  if (isAdminOfTeam(member.roles) === (role === 'team_admin')) return;
  const { team_id: teamId } = connection;
  // Groups from provisioning are more recent than those of a sign-in.
  const groups = Object.keys(connection.group_roles);
  if (await hasProvisionedRoles(trx, { teamId, userId: member.id, groups })) return;
  const roles = toStoredRoles(role);
  await saveRoles(trx, { teamId, userId: member.id, roles });
  if (role === 'team_user') await stopTokens(trx, teamId, member.id);
  const details = { before: { roles: member.roles }, after: { roles } };
  const event = { teamId, actorId: null, target: member.id, details };
  await addAuditEvent(trx, deps, { action: 'sso.role_changed', ...event, origin });
  await notifyPromoted(trx, deps, { teamId, member: { ...member, roles } });
}

/** Emails the owners and admins if the provider has given a member the admin role. */
async function notifyPromoted(
  trx: Trx,
  deps: Deps,
  { teamId, member }: { teamId: string; member: MemberRow },
): Promise<void> {
  if (!isAdminOfTeam(member.roles)) return;
  const name = defuseLinks(await findUserName(trx, member.id));
  await notifyManagers(trx, deps, {
    teamId,
    actorId: null,
    userIds: [member.id],
    kind: 'new_admin',
    subject: 'new admin',
    describe: (team) => `${name} is now an admin of ${team}, by single sign-on.`,
    action: { label: 'View users', path: '/users/users' },
  });
}
