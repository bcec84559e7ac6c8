import type * as endpoints from '@steward/contract/account/email';
import type { Answer } from '@steward/contract/api/endpoint';
import { type Database, isUniqueViolation, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Call, Origin } from '#platform/http/http.ts';
import { queueMail } from '#platform/mail/mail.ts';
import { emailChangedMail } from '#workspace/access/account.mail.ts';
import { findAccount, isActiveAnywhere, lockPassword } from '#workspace/access/accounts.store.ts';
import { inAuthorizedTransaction } from '#workspace/access/authorized-transaction.ts';
import type { SignedIn } from '#workspace/access/enter-team.ts';
import { checkPassword } from '#workspace/access/factors/check-password.actions.ts';
import { addLink, consumeLink, findLink, getLinkEnd, removeUserLinks } from '#workspace/access/sessions/links.store.ts';
import { refuseLink } from '#workspace/access/sessions/refuse-link.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { findAccountName, findEmail, saveEmail } from '#workspace/users/users.store.ts';
import { confirmEmailMail, emailRequestedMail, emailTakenMail } from './email.mail.ts';

const REQUESTS = describeLimit({
  name: 'session.email_request',
  counts: 'email changes requested by an account',
  attempts: 10,
  seconds: 3600,
});
const MAILS = describeLimit({
  name: 'session.email_mail',
  counts: 'links to a new email address',
  attempts: 3,
  seconds: 3600,
  beyond: '200; no email',
});

/** Sends a link to a new address. Neither the response nor the stored rows reveal whether the address has an account. */
export async function requestEmailChange(
  deps: Deps,
  { who: { userId }, authorize, body, origin }: Call<typeof endpoints.requestEmailChange, SignedIn>,
): Promise<Answer<typeof endpoints.requestEmailChange>> {
  const current = await findEmail(deps.db, userId);
  const { hash, clearAttempts } = await checkPassword(deps, { email: current, password: body.password, origin });
  await clearAttempts();
  if (body.email === current) refuse('request.invalid', 'email: is your address already');
  await requireTeam(deps.db, userId);
  if (!(await deps.throttle.allows(REQUESTS, userId))) refuse('rate.limited');
  const allowed = await deps.throttle.allows(MAILS, body.email);
  await inAuthorizedTransaction({ db: deps.db, authorize }, async (trx) => {
    // A password reset during the hashing ended this session.
    if (!(await lockPassword(trx, userId, hash))) refuse('session.required');
    if (allowed) await sendLink(trx, deps, { userId, current, email: body.email });
    const event = { action: 'session.email_requested', teamId: '', actorId: userId, target: userId } as const;
    await addAuditEvent(trx, deps, { ...event, details: { limited: !allowed }, origin });
  });
  return { status_code: 200 };
}

/** A user who is only invited could no longer sign in, because the invitation is for the address that they would give up. */
async function requireTeam(db: Database | Trx, userId: string): Promise<void> {
  if (!(await isActiveAnywhere(db, userId))) refuse('email.needs_team');
}

async function sendLink(
  trx: Trx,
  deps: Deps,
  { userId, current, email }: { userId: string; current: string; email: string },
): Promise<void> {
  // The link is created for a taken address too, although its token is never sent, so that an earlier link ends in both cases.
  const token = await addLink(trx, { kind: 'email', userId, teamId: null, email });
  const account = await findAccountName(trx, userId);
  const link = { to: email, name: account?.name ?? '', current, token, expiresAt: await getLinkEnd(trx, token) };
  const taken = await findAccount(trx, email);
  const mail = taken ? emailTakenMail(deps.env, email) : confirmEmailMail(deps.env, link);
  await queueMail(trx, deps, { kind: 'session.email_link', userId: taken?.id ?? userId, mail });
  const notice = emailRequestedMail(deps.env, { to: current, email });
  await queueMail(trx, deps, { kind: 'session.email_requested', userId, mail: notice });
}

export async function checkEmailLink(
  { db }: Deps,
  { who, token }: { who: SignedIn; token: string },
): Promise<Answer<typeof endpoints.checkEmailLink>> {
  const link = (await findLink(db, 'email', token)) ?? (await refuseLink(db, 'email', token));
  const isOwn = link.person_id === who.userId;
  return {
    account: (await findAccountName(db, link.person_id)) ?? refuse('link.invalid'),
    email: link.email ?? refuse('link.invalid'),
    signed_in_as: isOwn ? null : ((await findAccountName(db, who.userId)) ?? refuse('session.required')),
  };
}

/** If several users confirm the same address, the first one gets it. */
export async function confirmEmail(
  deps: Deps,
  { who, authorize, body, origin }: Call<typeof endpoints.confirmEmail, SignedIn>,
): Promise<Answer<typeof endpoints.confirmEmail>> {
  const confirming = { who, token: body.token, origin };
  try {
    const email = await inAuthorizedTransaction({ db: deps.db, authorize }, (trx) =>
      changeEmail(trx, deps, confirming),
    );
    return { status_code: 200, email };
  } catch (error) {
    if (isUniqueViolation(error)) refuse('email.taken');
    throw error;
  }
}

async function changeEmail(
  trx: Trx,
  deps: Deps,
  { who, token, origin }: { who: SignedIn; token: string; origin: Origin },
): Promise<string> {
  const link = (await consumeLink(trx, 'email', token)) ?? (await refuseLink(trx, 'email', token));
  if (link.person_id !== who.userId) refuse('email.other_account');
  const { person_id: userId, email } = link;
  if (email === null) refuse('link.invalid');
  await requireTeam(trx, userId);
  const former = await findEmail(trx, userId);
  await saveEmail(trx, userId, email);
  await removeUserLinks(trx, userId);
  const mail = emailChangedMail(deps.env, { to: former, email });
  await queueMail(trx, deps, { kind: 'session.email_changed', userId, mail });
  const event = { action: 'session.email_changed', teamId: '', actorId: userId, target: userId } as const;
  await addAuditEvent(trx, deps, { ...event, origin });
  return email;
}
