import type { Credentials } from '@steward/contract/session';
import type { SignInOutcome } from '@steward/contract/users/sign-ins';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { getNetwork } from '#platform/http/network.ts';
import { queueMail } from '#platform/mail/mail.ts';
import { verifyPassword } from '#platform/security/passwords.ts';
import type { Limit } from '#platform/security/throttle.ts';
import { type AuditEvent, addAuditEvent } from '#workspace/audit/audit.store.ts';
import { type Account, canSignIn, findAccount, lockAccount } from '#workspace/people/accounts.store.ts';
import { managesTeam } from '#workspace/people/members/managers.store.ts';
import { recordPresence } from '#workspace/people/people.store.ts';
import { describeDevice } from '#workspace/sessions/device.ts';
import { CHECKS, getCounterKey } from '#workspace/sessions/failed-attempts.ts';
import { addSession, isKnownAddress, removeSession, saveKnownAddress } from '#workspace/sessions/sessions.store.ts';
import { addSignIn } from '#workspace/sessions/sign-ins.store.ts';
import { newDeviceMail } from './new-device.mail.ts';

/** Failed sign-ins from one network over all accounts, against password spraying. */
const FAILURES: Limit = { name: 'session.login_address', attempts: 1000, seconds: 600 };

interface Attempt {
  credentials: Credentials;
  origin: Origin;
  /** Token of the session this browser has now; it ends when the new one starts. */
  earlier: string | undefined;
}

/**
 * Checks a password and starts a session. Every failure (unknown address, wrong password, locked or inactive account) gets
 * the same refusal, so that nothing can be learned from it.
 */
export async function signIn(deps: Deps, attempt: Attempt): Promise<{ token: string; personId: string }> {
  const { credentials, origin } = attempt;
  // Only ASCII is lowercased, as in the contract's Email: a Kelvin sign isn't a k.
  const email = credentials.login_id.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const account = await findAccount(deps.db, email);
  const isKnown = await isKnownAddress(deps.db, account?.id ?? '', origin.address);
  const counter = getCounterKey(email, { address: origin.address, isKnown });
  if (!(await deps.throttle.allows(CHECKS, counter))) return fail(deps, attempt, { account, reason: 'throttled' });
  const isCorrect = await verifyPassword(account?.password_hash, credentials.password);
  if (!account || !isCorrect) return fail(deps, attempt, { account, reason: 'bad_password' });
  if (!canSignIn(account)) return fail(deps, attempt, { account, reason: 'deactivated' });
  const token = await startSession(deps, { ...attempt, isKnown }, account);
  if (token === undefined) return fail(deps, attempt, { account, reason: 'bad_password' });
  await deps.throttle.clear(CHECKS, counter);
  return { token, personId: account.id };
}

async function startSession(
  deps: Deps,
  { credentials, origin, earlier, isKnown }: Attempt & { isKnown: boolean },
  account: Account,
): Promise<string | undefined> {
  return inTransaction(deps.db, async (trx) => {
    // A password reset while we were hashing ended all sessions; don't start another with the old password.
    if (!(await lockAccount(trx, account.id, account.password_hash ?? ''))) return undefined;
    if (earlier !== undefined) await removeSession(trx, earlier);
    const token = await addSession(trx, {
      personId: account.id,
      deviceId: credentials.device_id ?? '',
      userAgent: origin.userAgent,
      address: origin.address,
    });
    await saveKnownAddress(trx, account.id, origin.address);
    await recordPresence(trx, account.id);
    await addSignIn(trx, { personId: account.id, outcome: 'ok', method: 'password', origin });
    const event: AuditEvent = { action: 'session.signed_in', teamId: '', actorId: account.id, target: account.id };
    await addAuditEvent(trx, event, origin);
    if (!isKnown) await notifyNewDevice(trx, deps, { account, origin });
    return token;
  });
}

/** No email in the first 24 hours of an account, in milliseconds: every device is new to it. */
const YOUNG_MS = 24 * 3_600_000;

/** Emails owners and admins whose account was used from a network that it wasn't used from within 30 days. */
async function notifyNewDevice(
  trx: Trx,
  deps: Deps,
  { account: { id, email, create_at }, origin }: { account: Account; origin: Origin },
): Promise<void> {
  const at = Date.now();
  if (at - create_at < YOUNG_MS || !(await managesTeam(trx, id))) return;
  const device = describeDevice(origin.userAgent);
  const mail = newDeviceMail(deps.env, { to: email, device, address: origin.address, at });
  await queueMail(trx, deps, { kind: 'session.new_device', personId: id, mail });
}

/** Why a sign-in was refused, as the log of the person's teams says it; the answer never does. */
type Refusal = Extract<SignInOutcome, 'bad_password' | 'throttled' | 'deactivated'>;

async function fail(
  deps: Deps,
  { origin }: Attempt,
  { account, reason }: { account: Account | undefined; reason: Refusal },
): Promise<never> {
  const allowed = await deps.throttle.allows(FAILURES, getNetwork(origin.address));
  deps.log.warn({ request_id: origin.requestId, address: origin.address, reason }, 'sign-in failed');
  // Beyond the limit of its network an attempt leaves no rows, or spraying passwords would fill the tables.
  if (allowed) {
    await inTransaction(deps.db, async (trx) => {
      await addSignIn(trx, { personId: account?.id ?? '', outcome: reason, method: 'password', origin });
      // A locked account gets no more audit rows: the attempts that locked it were recorded.
      if (reason === 'throttled') return;
      const event = { teamId: '', actorId: null, target: account?.id ?? null, details: { reason } };
      await addAuditEvent(trx, { action: 'session.sign_in_failed', ...event }, origin);
    });
  }
  refuse('session.bad_credentials');
}

/** Ends the session of a token. An unknown token isn't an error. */
export async function signOut(deps: Deps, token: string, origin: Origin): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const personId = await removeSession(trx, token);
    if (personId === undefined) return;
    await addAuditEvent(trx, { action: 'session.signed_out', teamId: '', actorId: personId, target: personId }, origin);
  });
}
