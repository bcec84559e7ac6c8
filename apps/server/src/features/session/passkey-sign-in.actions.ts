import { CHALLENGE_MINUTES } from '@steward/contract/api/limits';
import type { AuthenticationResponse } from '@steward/contract/factors/webauthn';
import type { FastifyRequest } from 'fastify';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { getNetwork } from '#platform/http/network.ts';
import { lockAccountById } from '#workspace/access/accounts.store.ts';
import { refuseDeactivated } from '#workspace/access/deactivated-account.actions.ts';
import { recordBreakGlass } from '#workspace/access/factors/break-glass.actions.ts';
import { newChallenge } from '#workspace/access/factors/challenges.ts';
import { type CheckedPasskey, checkPasskey, usePasskey } from '#workspace/access/factors/check-passkey.actions.ts';
import { listCredentials } from '#workspace/access/factors/passkeys.store.ts';
import { getRelyingParty, loadWebauthn, type RelyingParty } from '#workspace/access/factors/relying-party.ts';
import { findKnown } from '#workspace/access/sessions/known-devices.store.ts';
import { addSignIn } from '#workspace/access/sessions/sign-ins.store.ts';
import { type StartedSession, startSession } from '#workspace/access/sessions/start-session.actions.ts';
import { createAwaitedTeams } from '#workspace/access/signups/create-team.actions.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';

/** Refused passkeys from one network: signatures can't be guessed, but refusals are recorded. */
const REFUSED_PASSKEYS = describeLimit({
  name: 'session.passkey',
  counts: 'refused passkeys of a network',
  attempts: 100,
  seconds: 600,
});

/** Options for using a passkey: any, or those of the signed-in user. Stores nothing. */
export async function getPasskeyOptions(
  deps: Deps,
  request: FastifyRequest,
  who: { userId: string } | null,
): Promise<{ options: Record<string, unknown> }> {
  const party = getRelyingParty(deps.env, request);
  const { generateAuthenticationOptions } = await loadWebauthn();
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: newChallenge(deps.secrets, { kind: 'use' }),
    timeout: CHALLENGE_MINUTES * 60_000,
    userVerification: 'required',
    ...(who && { allowCredentials: await listCredentials(deps.db, who.userId) }),
  });
  return { options: { ...options } };
}

interface PasskeyAttempt {
  response: AuthenticationResponse;
  party: RelyingParty;
  origin: Origin;
  earlier: string | undefined;
  device: string | undefined;
}

/** Checks a passkey and starts a session, which has a second factor: the passkey was unlocked by its owner. */
export async function signInWithPasskey(deps: Deps, attempt: PasskeyAttempt): Promise<StartedSession> {
  const { response, party, origin, device } = attempt;
  const wait = await deps.throttle.secondsLeft(REFUSED_PASSKEYS, getNetwork(origin.address));
  if (wait > 0) refuse('rate.limited', undefined, wait);
  const passkey = await checkPasskey(deps, response, party);
  if (!passkey) return fail(deps, attempt, { outcome: 'second_factor' });
  const known = await findKnown(deps.db, passkey.userId, { address: origin.address, device });
  const session = await inTransaction(deps.db, async (trx) => {
    const account = await lockAccountById(trx, passkey.userId);
    if (!account || account.is_integration || !(await usePasskey(trx, passkey))) return 'second_factor';
    if (!(await createAwaitedTeams(trx, deps, { account, origin }))) return 'deactivated';
    const started = await startSession(trx, deps, {
      ...attempt,
      account,
      known,
      method: 'passkey',
      hasSecondFactor: true,
    });
    await recordBreakGlass(trx, deps, { userId: account.id, origin });
    return started;
  });
  return typeof session === 'string' ? fail(deps, attempt, { passkey, outcome: session }) : session;
}

async function fail(
  deps: Deps,
  { origin }: PasskeyAttempt,
  { passkey, outcome }: { passkey?: CheckedPasskey; outcome: 'second_factor' | 'deactivated' },
): Promise<never> {
  const { requestId: request_id, address } = origin;
  const reason = outcome === 'deactivated' ? outcome : 'passkey';
  deps.log.warn({ request_id, address, reason }, 'sign-in failed');
  if (!(await deps.throttle.allows(REFUSED_PASSKEYS, getNetwork(address)))) refuse('passkey.refused');
  const userId = passkey?.userId ?? '';
  await inTransaction(deps.db, async (trx) => {
    await addSignIn(trx, { userId, outcome, method: 'passkey', origin });
    const event = { teamId: '', actorId: null, target: passkey?.userId ?? null, details: { reason } };
    await addAuditEvent(trx, deps, { action: 'session.sign_in_failed', ...event, origin });
  });
  if (outcome === 'deactivated') return refuseDeactivated(deps.db, userId);
  refuse('passkey.refused');
}
