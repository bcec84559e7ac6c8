import { Id, type IfExists } from '@steward/contract/api/fields';
import type { AuditDetails } from '@steward/contract/audit/details';
import { type ExistingUser, pickProfile, type saveUser, type UserAction, type UserForm } from '@steward/contract/users';
import type * as endpoints from '@steward/contract/users/factors';
import type { UserDetails } from '@steward/contract/users/panel';
import { type AccountType, toAccountType, toRoles } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { defuseLinks } from '#platform/mail/email-template.ts';
import { queueMail } from '#platform/mail/mail.ts';
import { factorsResetMail } from '#workspace/access/factors/factors.mail.ts';
import { hasFactor, lockFactors, removeFactors } from '#workspace/access/factors/factors.store.ts';
import { adoptInvitations, inviteAddresses } from '#workspace/access/memberships/invitations.actions.ts';
import { endSessions, listUserSessions, sessionLimits } from '#workspace/access/sessions/sessions.store.ts';
import { stopTokens } from '#workspace/access/tokens.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { listHoldsOver } from '#workspace/content/holds/holds.store.ts';
import { notifyNewAdmins } from '#workspace/notices/notify-managers.ts';
import { requireEndInRange, saveEndDates } from '#workspace/users/end-dates.actions.ts';
import { findLinkedIdentity } from '#workspace/users/identity-providers/connections.store.ts';
import { findByEmail, findMember, type MemberRow } from '#workspace/users/members.store.ts';
import { saveInvitationNames, saveRoles } from '#workspace/users/memberships.store.ts';
import { getTeamName, lockTeam, lockTeamShared } from '#workspace/users/teams.store.ts';
import { saveProfiles } from '#workspace/users/users.store.ts';
import { type Edit, getEdit, isUnchanged, makesAdmin, withoutEmptyNames } from './edit.rules.ts';
import { toListedUser } from './list/list-users.actions.ts';
import { findUsers } from './list/users.store.ts';
import { findMemberFacts } from './member-facts.store.ts';
import { listSignIns } from './sign-ins.store.ts';
import { type Caller, getRefusal, getRenameRefusal } from './users.policy.ts';

export interface TargetInput {
  teamId: string;
  userId: string;
  caller: Caller;
}

/** Returns the member, locked; refuses if the admin may not do this to them. */
export async function findTarget(
  trx: Trx,
  { teamId, userId, caller }: TargetInput,
  action: UserAction,
): Promise<MemberRow> {
  const member = await findMember(trx, teamId, userId);
  if (!member) refuse('record.not_found');
  requireAllowed(action, member, caller);
  return member;
}

function requireAllowed(action: UserAction, member: MemberRow, caller: Caller): void {
  const refusal = getRefusal(action, member, caller);
  const isSelf = refusal === 'users.own_account';
  if (refusal) refuse(refusal, isSelf && !SIGNS_OUT.has(action) ? CHANGE_ONESELF : undefined);
}

interface SaveInput {
  teamId: string;
  caller: Caller;
  form: UserForm & { if_exists?: IfExists | undefined };
}

const DONE = { status_code: 200 } as const;
const SIGNS_OUT: ReadonlySet<UserAction> = new Set(['revoke_sessions']);
/** The usual message of `users.own_account` is about signing out. */
const CHANGE_ONESELF = 'To change your own account, use My account.';
const RENAMED = { renamed: true } as const;

export function toExisting(member: MemberRow): ExistingUser {
  return { id: member.id, email: member.email, ...pickProfile(member), state: member.state };
}

/** Invites an address that the team doesn't have, or edits the member or invitation with it. */
export async function saveUserByEmail(trx: Trx, deps: Deps, input: SaveInput): Promise<Changed<typeof saveUser>> {
  // The team is locked before its members.
  if (input.form.ends_on !== undefined) await lockTeamShared(trx, input.teamId);
  const member = await findByEmail(trx, input.teamId, input.form.email);
  if (!member) return inviteUser(trx, deps, input);
  if (input.form.if_exists === 'keep') return { answer: { ...DONE, existing: toExisting(member) }, audit: null };
  requireAllowed('edit', member, input.caller);
  const saved = await editUser(trx, deps, { ...input, member });
  const [teamId, actorId, ids] = [input.teamId, input.caller.userId, [member.id]];
  const [target] = await adoptInvitations(trx, deps, { teamId, invitedBy: actorId, ids });
  if (target === undefined || saved.audit) return saved;
  return { ...saved, audit: { action: 'users.invitation_resent', teamId, actorId, target } };
}

async function inviteUser(
  trx: Trx,
  deps: Deps,
  { teamId, caller, form }: SaveInput,
): Promise<Changed<typeof saveUser>> {
  const actorId = caller.userId;
  const { ends_on } = form;
  if (ends_on) await requireEndInRange(trx, teamId, ends_on);
  const users = [{ ...form, roles: toRoles(form.account_type) }];
  const target = (await inviteAddresses(trx, deps, { teamId, invitedBy: actorId, users })).get(form.email);
  // Another call invited the same address between our lookup and our insert.
  if (target === undefined) refuse('record.conflict', 'This address was just added. Try again.');
  if (ends_on) await saveEndDates(trx, teamId, [{ id: target, ends_on }]);
  const details = { account_type: form.account_type, ...(ends_on && { ends_on }) };
  return { answer: DONE, audit: { action: 'users.invited', teamId, actorId, target, details } };
}

async function editUser(
  trx: Trx,
  deps: Deps,
  { teamId, caller, form, member }: SaveInput & { member: MemberRow },
): Promise<Changed<typeof saveUser>> {
  const { if_exists, email: _, account_type, ends_on, ...profileInput } = form;
  const names = if_exists === 'update' ? profileInput : withoutEmptyNames(profileInput);
  const edit = getEdit(member, { ...names, account_type, ends_on });
  const refusal = edit.profile ? getRenameRefusal(member) : undefined;
  if (refusal) refuse(refusal);
  if (isUnchanged(edit)) return { answer: DONE, audit: null };
  if (edit.endsOn) await requireEndInRange(trx, teamId, edit.endsOn);
  await saveEdits(trx, deps, { teamId, actorId: caller.userId, edited: [{ member, edit }] });
  if (edit.endsOn !== undefined) await saveEndDates(trx, teamId, [{ id: member.id, ends_on: edit.endsOn }]);
  const details = toEditDetails(member, edit);
  return {
    answer: DONE,
    audit: { action: 'users.edited', teamId, actorId: caller.userId, target: member.id, details },
  };
}

type EditedIds = Pick<AuditDetails<'users.added_many'>, 'made_admins' | 'made_users' | 'renamed_users'>;

/** Stores changes of members but those of end dates, which a caller stores with those of new users. */
export async function saveEdits(
  trx: Trx,
  deps: Deps,
  {
    teamId,
    actorId,
    edited,
  }: { teamId: string; actorId: string; edited: readonly { member: MemberRow; edit: Edit }[] },
): Promise<EditedIds> {
  const listIds = (which: (one: (typeof edited)[number]) => unknown) =>
    edited.filter(which).map(({ member }) => member.id);
  const made = (type: AccountType) => listIds(({ edit: { roles } }) => roles && toAccountType(roles) === type);
  const [made_admins, made_users] = [made(1), made(2)];
  if (made_admins.length > 0) await saveRoles(trx, { teamId, userId: made_admins, roles: toRoles(1) });
  if (made_users.length > 0) await saveRoles(trx, { teamId, userId: made_users, roles: toRoles(2) });
  const ended = listIds(({ edit }) => edit.endsTokens);
  if (ended.length > 0) await stopTokens(trx, teamId, ended);
  const renamed = edited.flatMap(({ member, edit: { profile } }) => (profile ? [{ ...member, ...profile }] : []));
  const invited = renamed.filter(({ state }) => state === 'invited');
  const joined = renamed.filter(({ state }) => state !== 'invited');
  if (invited.length > 0) await saveInvitationNames(trx, teamId, invited);
  if (joined.length > 0) await saveProfiles(trx, joined);
  const userIds = listIds(({ member, edit }) => makesAdmin(member, edit));
  await notifyNewAdmins(trx, deps, { teamId, actorId, userIds });
  return { made_admins, made_users, renamed_users: renamed.map(({ id }) => id) };
}

function toEditDetails(
  member: MemberRow,
  { profile, roles = member.roles, endsOn }: Edit,
): AuditDetails<'users.edited'> {
  const end = (ends_on: string | null) => endsOn !== undefined && { ends_on };
  return {
    ...(profile && RENAMED),
    before: { roles: member.roles, ...end(member.ends_on) },
    after: { roles, ...end(endsOn ?? null) },
  };
}

const LAST_SIGN_INS = 20;

export async function getUserDetails(deps: Deps, { teamId, userId, caller }: TargetInput): Promise<UserDetails> {
  // An id from a path may hold characters that PostgreSQL can't even compare.
  if (!Id.safeParse(userId).success) refuse('record.not_found');
  const [row] = await findUsers(deps.db, teamId, [userId]);
  const facts = row && (await findMemberFacts(deps.db, { teamId, userId, email: row.email }));
  if (!facts) refuse('record.not_found');
  const { invited_by: inviter, inviter_name, ...rest } = facts;
  return {
    ...toListedUser(row, caller),
    ...rest,
    invited_by: inviter === null ? null : { id: inviter, name: inviter_name },
    sessions: row.state === 'active' ? await countSessions(deps, { teamId, userId }) : 0,
    sso: (await findLinkedIdentity(deps.db, teamId, userId)) ?? null,
    second_factor: row.state === 'active' && (await hasFactor(deps.db, userId)),
    holds: row.state === 'invited' ? [] : await listHoldsOver(deps.db, teamId, userId),
    // An invitation has none: sign-ins belong to accounts.
    sign_ins: await listSignIns(deps.db, { teamId, user_id: userId, before: undefined, limit: LAST_SIGN_INS }),
  };
}

async function countSessions({ db, env }: Deps, member: { teamId: string; userId: string }): Promise<number> {
  return (await listUserSessions(db, member, sessionLimits(env))).length;
}

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
