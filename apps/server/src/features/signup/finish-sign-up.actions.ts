import type { Received } from '@steward/contract/api/endpoint';
import type * as endpoints from '@steward/contract/signup';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { getNetwork } from '#platform/http/network.ts';
import { hashPassword, isTooCommon, withHashingPlace } from '#platform/security/passwords.ts';
import { acceptInvitation, toAcceptedEvent } from '#workspace/access/memberships/invitations.actions.ts';
import { clearFailedAttempts } from '#workspace/access/sessions/failed-attempts.ts';
import { consumeLink } from '#workspace/access/sessions/links.store.ts';
import { createTeam } from '#workspace/access/signups/create-team.actions.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { notifyLinked } from '#workspace/notices/notify-links.ts';
import { notifyJoined } from '#workspace/notices/notify-managers.ts';
import { addUser } from '#workspace/users/users.store.ts';
import { type EmailedLink, getSignUpMode, openLink } from './sign-up-link.actions.ts';

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
    const owner = () => addAccount(trx, request.owner_email, user);
    const ownerName = `${form.first} ${form.last}`;
    await createTeam(trx, deps, { request, owner, ownerName, isUsedUp: true, origin });
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
