import type { Received } from '@steward/contract/api/endpoint';
import type { ErrorId } from '@steward/contract/api/errors';
import type * as endpoints from '@steward/contract/factors/factors';
import type { AuthenticationResponse } from '@steward/contract/factors/webauthn';
import type { FastifyRequest } from 'fastify';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { Refusal, refuse, refuseWithoutSso } from '#platform/http/errors.ts';
import type { Authorize, Origin } from '#platform/http/http.ts';
import { lockPassword } from '#workspace/access/accounts.store.ts';
import { inAuthorizedTransaction } from '#workspace/access/authorized-transaction.ts';
import { type SignedIn, toReauthPath } from '#workspace/access/enter-team.ts';
import { recordBreakGlass } from '#workspace/access/factors/break-glass.actions.ts';
import {
  checkSecondFactor,
  clearCodes,
  refuseThrottled,
  useCode,
} from '#workspace/access/factors/check-factor.actions.ts';
import { checkPasskey, usePasskey } from '#workspace/access/factors/check-passkey.actions.ts';
import { checkPassword } from '#workspace/access/factors/check-password.actions.ts';
import { hasFactor } from '#workspace/access/factors/factors.store.ts';
import { getRelyingParty } from '#workspace/access/factors/relying-party.ts';
import { recordAuthentication } from '#workspace/access/sessions/sessions.store.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { findEmail } from '#workspace/users/users.store.ts';

interface Confirming {
  who: SignedIn;
  authorize: Authorize<SignedIn>;
  body: Received<typeof endpoints.reauthenticate>['body'];
  origin: Origin;
  request: FastifyRequest;
}

/** Confirms the session by password and code or by a passkey. Single sign-on is confirmed where it began. */
export async function confirmIdentity(deps: Deps, { body, request, ...call }: Confirming): Promise<void> {
  const { session } = call.who;
  if (session.method === 'sso') refuseWithoutSso(toReauthPath(session), 'session.reauth_sso');
  try {
    if (body.response) await confirmWithPasskey(deps, { ...call, request, response: body.response });
    else await confirmWithPassword(deps, { ...call, password: body.password ?? '', token: body.token });
  } catch (error) {
    await recordFailure(deps, call, error);
    throw error;
  }
}

/** Reasons have the wording of failed sign-ins. A limit adds no rows, because the attempts that reached it were recorded. */
const FAILURES: Partial<Record<ErrorId, string>> = {
  'password.wrong': 'bad_password',
  'mfa.wrong': 'second_factor',
  'passkey.refused': 'passkey',
};

/** Records a failed attempt, which may be made by another person at an unlocked computer. */
async function recordFailure(
  deps: Deps,
  { who: { userId }, origin }: Pick<Confirming, 'who' | 'origin'>,
  error: unknown,
): Promise<void> {
  const reason = error instanceof Refusal ? FAILURES[error.id] : undefined;
  if (reason === undefined) return;
  const event = { teamId: '', actorId: userId, target: userId, details: { reason } };
  await inTransaction(deps.db, (trx) =>
    addAuditEvent(trx, deps, { action: 'session.reauthentication_failed', ...event, origin }),
  );
}

async function confirmWithPassword(
  deps: Deps,
  {
    who,
    authorize,
    origin,
    password,
    token,
  }: Pick<Confirming, 'who' | 'authorize' | 'origin'> & { password: string; token: string | undefined },
): Promise<void> {
  const { userId } = who;
  const email = await findEmail(deps.db, userId);
  const checked = await checkPassword(deps, { email, password, origin });
  const factor = await checkSecondFactor(deps, { userId, hasFactor: await hasFactor(deps.db, userId), token });
  if (factor === 'required') refuse('mfa.required');
  if (factor === 'throttled') return refuseThrottled(deps, userId);
  await inAuthorizedTransaction({ db: deps.db, authorize }, async (trx) => {
    // A password reset during the hashing ended this session.
    if (!(await lockPassword(trx, userId, checked.hash))) refuse('session.required');
    if (factor === 'none' && (await hasFactor(trx, userId))) refuse('mfa.required');
    const code = { user: { id: userId, email }, token: token ?? '', origin };
    if (factor === 'check' && !(await useCode(trx, deps, code))) refuse('mfa.wrong');
    await record(trx, deps, { who, origin, method: factor === 'check' ? 'factor' : 'password' });
  });
  await checked.clearAttempts();
  await clearCodes(deps, userId);
}

async function confirmWithPasskey(
  deps: Deps,
  { who, authorize, origin, request, response }: Omit<Confirming, 'body'> & { response: AuthenticationResponse },
): Promise<void> {
  const passkey = await checkPasskey(deps, response, getRelyingParty(deps.env, request));
  if (passkey?.userId !== who.userId) refuse('passkey.refused');
  await inAuthorizedTransaction({ db: deps.db, authorize }, async (trx) => {
    if (!(await usePasskey(trx, passkey))) refuse('passkey.refused');
    await record(trx, deps, { who, origin, method: 'passkey' });
  });
}

async function record(
  trx: Trx,
  deps: Deps,
  { who, origin, method }: { who: SignedIn; origin: Origin; method: 'password' | 'factor' | 'passkey' },
): Promise<void> {
  const { userId, session } = who;
  const hasSecondFactor = method !== 'password';
  // The session may have been ended while the password or the passkey was checked.
  if (!(await recordAuthentication(trx, who.sessionId, { hasSecondFactor }))) refuse('session.required');
  if (hasSecondFactor && !session.has_second_factor) await recordBreakGlass(trx, deps, { userId, origin });
  const event = { teamId: '', actorId: userId, target: userId, details: { reauth_method: method } };
  await addAuditEvent(trx, deps, { action: 'session.reauthenticated', ...event, origin });
}
