import type { Answer, Received } from '@steward/contract/api/endpoint';
import type * as endpoints from '@steward/contract/signup';
import type { SignUpMode } from '@steward/contract/signup';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { getNetwork } from '#platform/http/network.ts';
import { hashPassword, isTooCommon, withHashingPlace } from '#platform/security/passwords.ts';
import { type Account, findAccount } from '#workspace/access/accounts.store.ts';
import { acceptInvitation, toAcceptedEvent } from '#workspace/access/memberships/invitations.actions.ts';
import { clearFailedAttempts } from '#workspace/access/sessions/failed-attempts.ts';
import { consumeLink, findLink, markLinkChecked } from '#workspace/access/sessions/links.store.ts';
import { createTeam } from '#workspace/access/signups/create-team.actions.ts';
import {
  confirmSignUp,
  lockSignUp,
  markSignUpChecked,
  type SignUpRow,
} from '#workspace/access/signups/signups.store.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { notifyLinked } from '#workspace/notices/notify-links.ts';
import { notifyJoined } from '#workspace/notices/notify-managers.ts';
import { findMember, type MemberRow } from '#workspace/users/members.store.ts';
import { lockInvitation } from '#workspace/users/memberships.store.ts';
import { getTeamName } from '#workspace/users/teams.store.ts';
import { addUser, findNameInTeam } from '#workspace/users/users.store.ts';
import { requireAdmitted } from './sign-up-access.policy.ts';

/** The row of a link of the confirm screen, locked until the transaction ends. */
type EmailedLink =
  | { kind: 'signup'; request: SignUpRow }
  | {
      kind: 'invitation';
      teamId: string;
      invitee: MemberRow;
      /** The account of the address; its owner signs in and accepts there. */
      account: Account | undefined;
      isChecked: boolean;
    };

/**
 * Looks up a link. Every kind of bad link gets the same refusal, so that nothing can be learned from it. A sign-up that has no
 * team yet gets none after the operator has closed sign-up.
 */
async function openLink(trx: Trx, { env }: Pick<Deps, 'env'>, token: string): Promise<EmailedLink> {
  const request = await lockSignUp(trx, token);
  if (request) {
    if (request.team_id === null) requireAdmitted(env.signUp, request.owner_email);
    return { kind: 'signup', request };
  }
  const link = await findLink(trx, 'invite', token);
  if (!link?.team_id) refuse('signup.link_invalid');
  const invitee = await findMember(trx, link.team_id, link.person_id);
  if (invitee?.state !== 'invited') refuse('signup.link_invalid');
  if (!(await lockInvitation(trx, link.team_id, invitee.email))) refuse('signup.link_invalid');
  const account = await findAccount(trx, invitee.email);
  if (account?.is_integration) refuse('signup.link_invalid');
  return { kind: 'invitation', teamId: link.team_id, invitee, account, isChecked: link.is_checked };
}

/** The next step for this owner; refuses owners who may not have a team. */
async function getSignUpMode(trx: Trx, { owner_email }: SignUpRow): Promise<SignUpMode> {
  const owner = await findAccount(trx, owner_email);
  if (owner?.is_integration) refuse('signup.link_invalid');
  return owner ? '1' : '2';
}

type Check = Answer<typeof endpoints.checkSignUp>;

/** Says what a link leads to. Uses nothing up and creates nothing: mail scanners open links, and users reload pages. */
export async function checkSignUp(deps: Deps, token: string): Promise<Check> {
  return inTransaction(deps.db, async (trx) => {
    const link = await openLink(trx, deps, token);
    if (link.kind === 'signup') return checkRequest(trx, link.request);
    const { email, first_name: first, last_name: last } = link.invitee;
    const team_name = await getTeamName(trx, link.teamId);
    const invited = { invited: true, ...(await findInviter(trx, link.teamId, email)) };
    // The names that the team typed aren't shown to an account, which has its own.
    if (link.account) return { mode: '1', email, team_name, ...invited, first: '', last: '' };
    if (!link.isChecked) await markLinkChecked(trx, token);
    return { mode: '2', email, team_name, ...invited, first, last };
  });
}

async function findInviter(trx: Trx, teamId: string, email: string): Promise<{ invited_by?: { name: string } }> {
  const invitation = await lockInvitation(trx, teamId, email);
  const name = invitation?.invited_by ? await findNameInTeam(trx, teamId, invitation.invited_by) : '';
  return name === '' ? {} : { invited_by: { name } };
}

/** An owner with an account has nothing left to enter: their next sign-in creates the team. */
async function checkRequest(trx: Trx, request: SignUpRow): Promise<Check> {
  const mode = await getSignUpMode(trx, request);
  if (mode === '2' && !request.is_checked) await markSignUpChecked(trx, request);
  const { owner_email: email, team_name } = request;
  const check = { mode, email, team_name, invited: false, first: '', last: '' };
  if (mode === '2' || request.team_id !== null) return check;
  const sign_in_until = request.confirmed_at !== 0 ? request.expires_at : await confirmSignUp(trx, request);
  return { ...check, sign_in_until, invitees: request.invitees.filter((invitee) => invitee !== email).length };
}

type Form = Received<typeof endpoints.finishSignUp>['body'];

/** Creates the account of an opened link, and for a sign-up its team. Only one of several concurrent calls succeeds. */
export async function finishSignUp(deps: Deps, form: Form, origin: Origin): Promise<void> {
  if (form.password !== form.password2) refuse('signup.passwords_differ');
  if (await isTooCommon(form.password)) refuse('password.too_common');
  const passwordHash = await withHashingPlace(getNetwork(origin.address), async (place) => {
    // An invalid link is refused before the password is hashed.
    await inTransaction(deps.db, (trx) => requireReady(trx, deps, form.token));
    return hashPassword(form.password, place);
  });
  const user = { first_name: form.first, last_name: form.last, passwordHash };
  const email = await inTransaction(deps.db, async (trx) => {
    const link = await openLink(trx, deps, form.token);
    if (link.kind === 'invitation') return joinByInvitation(trx, deps, { ...link, token: form.token, user, origin });
    const { request } = link;
    const ownerId = await addAccount(trx, request.owner_email, user);
    await createTeam(trx, deps, { request, ownerId, isUsedUp: true, origin });
    return request.owner_email;
  });
  await clearFailedAttempts(deps, email, origin.address);
}

interface NewUser {
  first_name: string;
  last_name: string;
  passwordHash: string;
}

/** Refuses a link that wasn't opened yet, or that doesn't need a name and password. */
async function requireReady(trx: Trx, deps: Deps, token: string): Promise<void> {
  const link = await openLink(trx, deps, token);
  const isChecked = link.kind === 'signup' ? link.request.is_checked : link.isChecked;
  const hasAccount =
    link.kind === 'signup' ? (await getSignUpMode(trx, link.request)) === '1' : link.account !== undefined;
  if (!isChecked || hasAccount) refuse('signup.link_invalid');
}

/** Refuses an address that got an account after the link was opened: this link must not change its password. */
async function addAccount(trx: Trx, email: string, user: NewUser): Promise<string> {
  const { first_name, last_name, passwordHash: password_hash } = user;
  const id = await addUser(trx, { email, first_name, last_name, password_hash });
  return id ?? refuse('signup.link_invalid');
}

async function joinByInvitation(
  trx: Trx,
  deps: Deps,
  accepting: EmailedLink & { kind: 'invitation' } & { token: string; user: NewUser; origin: Origin },
): Promise<string> {
  const { teamId, invitee, token, user, origin } = accepting;
  const { email } = invitee;
  if (!(await consumeLink(trx, 'invite', token))) refuse('signup.link_invalid');
  const userId = await addAccount(trx, email, user);
  const accepted = await acceptInvitation(trx, deps, { teamId, userId, email });
  if (accepted === undefined) refuse('signup.link_invalid');
  await notifyJoined(trx, deps, { teamId, userId });
  // The provider may have named the invited user before.
  await notifyLinked(trx, deps, { teamId, userId });
  await addAuditEvent(trx, deps, { ...toAcceptedEvent(teamId, userId, accepted), origin });
  return email;
}
