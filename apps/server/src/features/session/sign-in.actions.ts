import type { Credentials } from '@steward/contract/session';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { verifyPassword } from '#platform/security/passwords.ts';
import type { Limit } from '#platform/security/throttle.ts';
import { type AuditEvent, addAuditEvent } from '#workspace/audit/audit.store.ts';
import { type Account, canSignIn, findAccount, lockAccount } from '#workspace/people/accounts.store.ts';
import { recordPresence } from '#workspace/people/people.store.ts';
import { CHECKS, getCounterKey } from '#workspace/sessions/failed-attempts.ts';
import { addSession, isKnownAddress, removeSession, saveKnownAddress } from '#workspace/sessions/sessions.store.ts';

/** Failed sign-ins from one IP address over all accounts, against password spraying. */
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
  if (!(await deps.throttle.allows(CHECKS, counter))) return fail(deps, attempt, { account, reason: 'locked' });
  const isCorrect = await verifyPassword(account?.password_hash, credentials.password);
  if (!account || !isCorrect) return fail(deps, attempt, { account, reason: 'wrong' });
  if (!canSignIn(account)) return fail(deps, attempt, { account, reason: 'inactive' });
  const token = await startSession(deps, attempt, account);
  if (token === undefined) return fail(deps, attempt, { account, reason: 'wrong' });
  await deps.throttle.clear(CHECKS, counter);
  return { token, personId: account.id };
}

async function startSession(
  deps: Deps,
  { credentials, origin, earlier }: Attempt,
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
    const event: AuditEvent = { action: 'session.signed_in', teamId: '', actorId: account.id, target: account.id };
    await addAuditEvent(trx, event, origin);
    return token;
  });
}

async function fail(
  deps: Deps,
  { origin }: Attempt,
  found: { account: Account | undefined; reason: string },
): Promise<never> {
  const allowed = await deps.throttle.allows(FAILURES, origin.address);
  deps.log.warn({ request_id: origin.requestId, address: origin.address, reason: found.reason }, 'sign-in failed');
  // A locked account gets no more rows: the attempts that locked it were recorded.
  if (found.reason !== 'locked' && allowed) {
    await inTransaction(deps.db, (trx) =>
      addAuditEvent(
        trx,
        {
          action: 'session.sign_in_failed',
          teamId: '',
          actorId: null,
          target: found.account?.id ?? null,
          details: { reason: found.reason },
        },
        origin,
      ),
    );
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
