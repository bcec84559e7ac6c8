import type { Credentials } from '@steward/contract/session';
import type { SignInOutcome } from '@steward/contract/users/sign-ins';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { getNetwork } from '#platform/http/network.ts';
import { withHashingPlace } from '#platform/security/passwords.ts';
import { toCounter } from '#platform/security/throttle.ts';
import { type Account, lockAccount } from '#workspace/access/accounts.store.ts';
import { refuseDeactivated } from '#workspace/access/deactivated-account.actions.ts';
import { recordBreakGlass } from '#workspace/access/factors/break-glass.actions.ts';
import {
  checkSecondFactor,
  refuseThrottled,
  toCodesCounter,
  useCode,
} from '#workspace/access/factors/check-factor.actions.ts';
import { verifyAccountPassword } from '#workspace/access/factors/check-password.actions.ts';
import { CHECKS, getCounterKey } from '#workspace/access/sessions/failed-attempts.ts';
import { removeSession } from '#workspace/access/sessions/sessions.store.ts';
import { addSignIn, type CountedAttempt, countSignIn } from '#workspace/access/sessions/sign-ins.store.ts';
import {
  type StartedUser,
  startSession,
  startSessionByPassword,
} from '#workspace/access/sessions/start-session.actions.ts';
import { createAwaitedTeams } from '#workspace/access/signups/create-team.actions.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { findConnectionById } from '#workspace/users/identity-providers/connections.store.ts';
import { findUser } from '#workspace/users/users.store.ts';

/** Limits refused sign-ins from one network over all accounts, against password spraying. Known devices aren't counted. */
const REFUSED = describeLimit({
  name: 'session.refused',
  counts: 'refused sign-ins of a network, known devices excepted',
  attempts: 100,
  seconds: 600,
});

interface Attempt {
  credentials: Credentials;
  origin: Origin;
  /** Token of the browser's previous session, which ends when the new one starts. */
  earlier: string | undefined;
  /** Token of the device cookie. */
  device: string | undefined;
}

/** An attempt after it was looked up, before its password is checked. */
type Checked = Attempt & CountedAttempt;

/**
 * Checks a password, and a code if the account has a second factor, and starts a session. Every failure before the code
 * (unknown address, wrong password, locked account) gets the same refusal, so that it reveals nothing. Only after the code
 * does a deactivated user learn that they are. A network with too many concurrent attempts is refused before any lookup.
 */
export async function signIn(deps: Deps, attempt: Attempt): Promise<StartedUser> {
  const { credentials, origin, device } = attempt;
  return withHashingPlace(getNetwork(origin.address), async (place) => {
    const from = { email: toEmail(credentials), address: origin.address, device };
    const checked = { ...attempt, ...(await countSignIn(deps.db, { ...from, refusals: REFUSED })) };
    const { known, limitedFor } = checked;
    if (limitedFor > 0 && known === 'no') return limited(deps, checked);
    if (!checked.mayCheck) return fail(deps, checked, 'throttled');
    const hash = await verifyAccountPassword(deps, { ...checked, password: credentials.password, place });
    if (!checked.account || hash === undefined || checked.account.is_integration)
      return fail(deps, checked, 'bad_password');
    const account = { ...checked.account, password_hash: hash };
    const counter = getCounterKey(from.email, { ...from, known });
    const factor = await checkSecondFactor(deps, {
      userId: account.id,
      hasFactor: account.has_factor,
      token: credentials.token,
    });
    if (factor === 'required') return requireFactor(deps, counter);
    if (factor === 'throttled') return fail(deps, checked, 'codes_throttled');
    const counters = [toCounter(CHECKS, counter), toCodesCounter(account.id)];
    const session = await startWithPassword(deps, checked, { account, isCoded: factor === 'check', counters });
    if (session === 'factor_required') return requireFactor(deps, counter);
    return typeof session === 'string' ? fail(deps, checked, session) : session;
  });
}

/** Asks for a code. This reveals that the password was correct, so the attempt must stay counted. */
async function requireFactor(deps: Deps, counter: string): Promise<never> {
  await deps.throttle.persist(CHECKS, counter);
  refuse('mfa.required');
}

/** The address as it is stored. Only ASCII is lowercased, as in the contract's Email: a Kelvin sign isn't a k. */
function toEmail({ login_id }: Credentials): string {
  return login_id.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

async function startWithPassword(
  deps: Deps,
  { credentials, ...attempt }: Checked,
  { account, isCoded, counters }: { account: Account; isCoded: boolean; counters: readonly string[] },
): Promise<StartedUser | Refusal | 'factor_required'> {
  const { origin } = attempt;
  const [method, deviceId] = ['password', credentials.device_id ?? ''] as const;
  const start = { ...attempt, account, method, hasSecondFactor: isCoded, deviceId, counters } as const;
  const atOnce = isCoded || account.awaits_team ? undefined : await startSessionByPassword(deps, start);
  if (atOnce) return atOnce;
  return inTransaction(deps.db, async (trx) => {
    // A password reset during the hashing ended all sessions; don't start another with the old password.
    const locked = await lockAccount(trx, account.id, account.password_hash ?? '');
    if (!locked) return 'bad_password';
    // The same applies to a second factor that was set up in the meantime.
    if (!isCoded && locked.has_factor) return 'factor_required';
    const token = credentials.token ?? '';
    if (isCoded && !(await useCode(trx, deps, { user: account, token, origin }))) return 'second_factor';
    if (!(await createAwaitedTeams(trx, deps, { account: locked, origin }))) return 'deactivated';
    const session = await startSession(trx, deps, start);
    if (isCoded) await recordBreakGlass(trx, deps, { userId: account.id, origin });
    return { ...session, user: (await findUser(trx, account.id)) ?? refuse('session.required') };
  });
}

/** The log of the user's teams gives this reason; the response gives it only if the password was right, and the code. */
type Refusal =
  | Extract<SignInOutcome, 'bad_password' | 'throttled' | 'deactivated' | 'second_factor'>
  | 'codes_throttled';

async function fail(deps: Deps, attempt: Checked, reason: Refusal): Promise<never> {
  const { origin, account, known } = attempt;
  // A known device is limited by its own counter. A known network is counted: an address alone must not reveal who is a
  // member.
  const allowed = known === 'device' || (await deps.throttle.allows(REFUSED, getNetwork(origin.address)));
  if (!allowed) return limited(deps, attempt);
  deps.log.warn({ request_id: origin.requestId, address: origin.address, reason }, 'sign-in failed');
  await inTransaction(deps.db, async (trx) => {
    const isThrottled = reason === 'throttled' || reason === 'codes_throttled';
    const outcome = isThrottled ? 'throttled' : reason;
    await addSignIn(trx, { userId: account?.id ?? '', outcome, method: 'password', origin });
    // A locked account gets no more audit rows: the attempts that locked it were recorded.
    if (isThrottled) return;
    const event = { teamId: '', actorId: null, target: account?.id ?? null, details: { reason } };
    await addAuditEvent(trx, deps, { action: 'session.sign_in_failed', ...event, origin });
  });
  if (reason === 'codes_throttled') return refuseThrottled(deps, account?.id ?? '');
  if (reason === 'deactivated') return refuseDeactivated(deps.db, account?.id ?? '');
  refuse(reason === 'second_factor' ? 'mfa.wrong' : 'session.bad_credentials');
}

/**
 * Refuses an attempt beyond the limit of its network, equally for every account. It writes no rows, because password spraying
 * would fill the tables.
 */
async function limited(deps: Deps, { origin, limitedFor }: Checked): Promise<never> {
  deps.log.warn({ request_id: origin.requestId, address: origin.address, reason: 'network' }, 'sign-in failed');
  const left = limitedFor || (await deps.throttle.secondsLeft(REFUSED, getNetwork(origin.address)));
  refuse('rate.limited', undefined, Math.max(1, left));
}

/** Returns the provider where the user is still signed in. An unknown token isn't an error. */
export async function signOut(deps: Deps, token: string, origin: Origin): Promise<string | undefined> {
  return inTransaction(deps.db, async (trx) => {
    const session = await removeSession(trx, token);
    if (session === undefined) return undefined;
    const { person_id: actorId, connection_id } = session;
    await addAuditEvent(trx, deps, { action: 'session.signed_out', teamId: '', actorId, target: actorId, origin });
    return connection_id === null ? undefined : (await findConnectionById(trx, connection_id))?.name;
  });
}
