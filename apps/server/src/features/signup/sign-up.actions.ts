import type { SignUpRequest } from '@steward/contract/signup';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { getNetwork } from '#platform/http/network.ts';
import { queueMail } from '#platform/mail/mail.ts';
import { addSignUp } from '#workspace/access/signups/signups.store.ts';
import { type AuditEvent, addAuditEvent } from '#workspace/audit/audit.store.ts';
import { requireAdmitted } from './sign-up-access.policy.ts';
import { signUpMail } from './signup.mail.ts';

const REQUESTS = describeLimit({
  name: 'signup.address',
  counts: 'sign-up requests of a network',
  attempts: 5,
  seconds: 3600,
});
const MAILS = describeLimit({
  name: 'signup.mail',
  counts: 'sign-up emails to an address',
  attempts: 3,
  seconds: 3600,
  beyond: '200; no email',
});

/**
 * Stores a sign-up and emails its link. Whether the owner's address has an account isn't looked up: the call does the same
 * work, in the same time, for every address.
 */
export async function signUp(deps: Deps, request: SignUpRequest, origin: Origin): Promise<void> {
  requireAdmitted(deps.env.signUp, request.owner_email);
  if (!(await deps.throttle.allows(REQUESTS, getNetwork(origin.address)))) refuse('rate.limited');
  const isAllowed = await deps.throttle.allows(MAILS, request.owner_email);
  const invitees = [...new Set(request.invitees)].filter((email) => email !== request.owner_email);
  await inTransaction(deps.db, async (trx) => {
    if (isAllowed) await storeAndEmail(trx, deps, { ...request, invitees });
    const details = { limited: !isAllowed, invitees: invitees.length };
    const event: AuditEvent = { action: 'signup.requested', teamId: '', actorId: null, target: null, details };
    await addAuditEvent(trx, deps, { ...event, origin });
  });
}

async function storeAndEmail(trx: Trx, deps: Deps, request: SignUpRequest): Promise<void> {
  const { token, expiresAt } = await addSignUp(trx, request);
  const { owner_email: to, team_name: team, invitees, time_zone: timeZone } = request;
  const mail = signUpMail(deps.env, { to, team, invitees: invitees.length, token, expiresAt, timeZone });
  await queueMail(trx, deps, { kind: 'signup.link', mail });
}
