import type { CheckedResetLink } from '@steward/contract/session';
import { type Database, inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { getNetwork } from '#platform/http/network.ts';
import { queueMail } from '#platform/mail/mail.ts';
import { hashPassword, isTooCommon, withHashingPlace } from '#platform/security/passwords.ts';
import { passwordChangedMail } from '#workspace/access/account.mail.ts';
import { canSignIn, findAccount } from '#workspace/access/accounts.store.ts';
import type { SignedIn } from '#workspace/access/enter-team.ts';
import { clearFailedAttempts } from '#workspace/access/sessions/failed-attempts.ts';
import { consumeLink, findLink, type LinkRow, removeUserLinks } from '#workspace/access/sessions/links.store.ts';
import { refuseLink } from '#workspace/access/sessions/refuse-link.ts';
import { removeUserSessions } from '#workspace/access/sessions/sessions.store.ts';
import { type AuditEvent, addAuditEvent } from '#workspace/audit/audit.store.ts';
import { findSharedAdminTeam, isInvitedByAdmin, type TeamManager } from '#workspace/users/teams.store.ts';
import { findAccountName, findUser, savePassword } from '#workspace/users/users.store.ts';
import { resetRequestedJob, sealAddress } from './password-reset.job.ts';

const MAILS = describeLimit({
  name: 'session.reset_mail',
  counts: 'reset emails to an address',
  attempts: 3,
  seconds: 3600,
  beyond: '200; no email',
});
const REQUESTS = describeLimit({
  name: 'session.reset_address',
  counts: 'reset requests of a network, signed out',
  attempts: 60,
  seconds: 3600,
});

/** Tokens can't be guessed, so this limits the work alone. */
const CHECKS = describeLimit({
  name: 'session.reset_check',
  counts: 'reset links checked by a network',
  attempts: 120,
  seconds: 600,
});

/**
 * Queues a reset link for an address. A job looks up the account, so this call does the same work in the same time for every
 * address.
 */
export async function sendPasswordReset(
  deps: Deps,
  email: string,
  by: { who: SignedIn | null; origin: Origin },
): Promise<void> {
  const { who, origin } = by;
  const network = getNetwork(origin.address);
  if (!who && !(await deps.throttle.allows(REQUESTS, network)))
    refuse('rate.limited', undefined, await deps.throttle.secondsLeft(REQUESTS, network));
  const shared = who && (await findSharedAccount(deps, who, email));
  // An admin whose team has only invited the address must not be able to disturb its owner or use up the owner's limit.
  if (who && !shared && (await isInvitedByAdmin(deps.db, toAdmin(who), email))) return;
  const allowed = await deps.throttle.allows(MAILS, email);
  await inTransaction(deps.db, async (trx) => {
    if (allowed) await deps.jobs.send(trx, resetRequestedJob, sealAddress(deps.secrets, email));
    const { target = null, teamId = '' } = shared ?? {};
    const event: AuditEvent = { action: 'session.reset_requested', teamId, actorId: who?.userId ?? null, target };
    await addAuditEvent(trx, deps, { ...event, details: { limited: !allowed }, origin });
  });
}

/** In a session of single sign-on, the caller is an admin of its team alone. */
function toAdmin({ userId, session }: SignedIn): TeamManager {
  return { userId, onlyTeamId: session.only_team_id };
}

/** The account of an address and a team in which the caller is its admin; undefined without such a team. */
async function findSharedAccount(
  deps: Deps,
  who: SignedIn,
  email: string,
): Promise<{ target: string; teamId: string } | undefined> {
  const target = (await findAccount(deps.db, email))?.id;
  const teamId = target && (await findSharedAdminTeam(deps.db, toAdmin(who), target));
  return target && teamId ? { target, teamId } : undefined;
}

/** Says whose password a link resets. The holder of its token could set that password, so the address is no secret to them. */
export async function checkResetLink(
  deps: Deps,
  { token, who, origin }: { token: string; who: SignedIn | null; origin: Origin },
): Promise<CheckedResetLink> {
  const network = getNetwork(origin.address);
  if (!(await deps.throttle.allows(CHECKS, network)))
    refuse('rate.limited', undefined, await deps.throttle.secondsLeft(CHECKS, network));
  const link = (await findLink(deps.db, 'reset', token)) ?? (await refuseLink(deps.db, 'reset', token));
  const { id, email } = await requireUser(deps.db, link);
  const signed_in_as = who === null || who.userId === id ? null : await findAccountName(deps.db, who.userId);
  return { email, signed_in_as: signed_in_as ?? null };
}

/** The user of a link, who may have become one of an integration, or lost their last team, since it was sent. */
async function requireUser(db: Database | Trx, link: LinkRow) {
  const user = await findUser(db, link.person_id);
  const account = user && (await findAccount(db, user.email));
  return account && (canSignIn(account) || account.awaits_team) ? account : refuse('link.invalid');
}

/** Sets a password with a one-time link, ends all sessions and other links, and tells the user by email. */
export async function resetPassword(
  deps: Deps,
  body: { token: string; new_password: string },
  origin: Origin,
): Promise<void> {
  if (await isTooCommon(body.new_password)) refuse('password.too_common');
  const passwordHash = await withHashingPlace(getNetwork(origin.address), async (place) => {
    // An invalid link is refused before the password is hashed.
    if (!(await findLink(deps.db, 'reset', body.token))) await refuseLink(deps.db, 'reset', body.token);
    return hashPassword(body.new_password, place);
  });
  const email = await inTransaction(deps.db, async (trx) => {
    const link = (await consumeLink(trx, 'reset', body.token)) ?? (await refuseLink(trx, 'reset', body.token));
    const user = await requireUser(trx, link);
    await savePassword(trx, user.id, passwordHash);
    const ended = await removeUserSessions(trx, user.id);
    await removeUserLinks(trx, user.id);
    const mail = passwordChangedMail(deps.env, user.email, 'all devices');
    await queueMail(trx, deps, { kind: 'session.password_changed', userId: user.id, mail });
    const details = { sessions: ended.length };
    const event: AuditEvent = {
      action: 'session.password_reset',
      teamId: '',
      actorId: user.id,
      target: user.id,
      details,
    };
    await addAuditEvent(trx, deps, { ...event, origin });
    return user.email;
  });
  await clearFailedAttempts(deps, email, origin.address);
}
