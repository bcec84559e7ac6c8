import type { SignUpRequest } from '@steward/contract/signup';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { queueMail } from '#platform/mail/mail.ts';
import type { Limit } from '#platform/security/throttle.ts';
import { type AuditEvent, addAuditEvent } from '#workspace/audit/audit.store.ts';
import { signUpMail } from './signup.mail.ts';
import { addSignUp } from './signups.store.ts';

/** Requests of one stranger, and mails to one address (trust G18). */
const REQUESTS: Limit = { name: 'signup.address', tries: 5, seconds: 3600 };
const MAILS: Limit = { name: 'signup.mail', tries: 3, seconds: 3600 };

/**
 * Stores a request for a team and mails its link. Whether the owner's address has an account is not looked up: the call does
 * the same work, in the same time, for every address (trust G7).
 */
export async function requestSignUp(deps: Deps, asked: SignUpRequest, origin: Origin): Promise<void> {
  if (!(await deps.throttle.allows(REQUESTS, origin.address))) refuse('rate.limited');
  const isAllowed = await deps.throttle.allows(MAILS, asked.owner_email);
  const invitees = [...new Set(asked.invitees)].filter((email) => email !== asked.owner_email);
  await inTransaction(deps.db, async (trx) => {
    if (isAllowed) await storeAndMail(trx, deps, { ...asked, invitees });
    const details = { limited: !isAllowed, invitees: invitees.length };
    const event: AuditEvent = { action: 'signup.requested', teamId: '', actorId: null, target: null, details };
    await addAuditEvent(trx, event, origin);
  });
}

async function storeAndMail(trx: Trx, deps: Deps, asked: SignUpRequest): Promise<void> {
  const token = await addSignUp(trx, asked);
  const { owner_email: to, team_name: team, invitees } = asked;
  const mail = signUpMail(deps.env, { to, team, invitees: invitees.length, token });
  await queueMail(trx, deps, { kind: 'signup.link', mail });
}
