import type { Received } from '@steward/contract/api/endpoint';
import { CHALLENGE_MINUTES, PASSKEYS_MAX } from '@steward/contract/api/limits';
import type * as endpoints from '@steward/contract/factors/factors';
import type { RegistrationResponse } from '@steward/contract/factors/webauthn';
import type { FastifyRequest } from 'fastify';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import type { SignedIn } from '#workspace/access/enter-team.ts';
import { isOwnChallenge, newChallenge } from '#workspace/access/factors/challenges.ts';
import { lockFactors } from '#workspace/access/factors/factors.store.ts';
import * as store from '#workspace/access/factors/passkeys.store.ts';
import { getRelyingParty, loadWebauthn, type RelyingParty } from '#workspace/access/factors/relying-party.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { findUser } from '#workspace/users/users.store.ts';
import { finishAdding, finishRemoving } from './change-factors.actions.ts';

/**
 * EdDSA, ES256 and RS256: every authenticator supports at least one. The library's default includes algorithms that Node.js
 * calls experimental.
 */
const ALGORITHMS = [-8, -7, -257];
/** Bytes of a COSE key. An RSA key of 4,096 bits takes some 530; larger ones only take time to verify with. */
const PUBLIC_KEY_MAX = 600;

/** Options for creating a passkey that browsers find without an email address, and that its owner must unlock. */
export async function getCreationOptions(
  { db, secrets }: Deps,
  { who: { userId, sessionId }, party }: { who: SignedIn; party: RelyingParty },
): Promise<{ options: Record<string, unknown> }> {
  const user = await findUser(db, userId);
  if (!user) refuse('session.required');
  const { generateRegistrationOptions } = await loadWebauthn();
  const options = await generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userID: new Uint8Array(Buffer.from(userId)),
    userName: user.email,
    userDisplayName: `${user.first_name} ${user.last_name}`.trim(),
    challenge: newChallenge(secrets, { kind: 'create', sessionId }),
    timeout: CHALLENGE_MINUTES * 60_000,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    excludeCredentials: await store.listCredentials(db, userId),
  });
  return { options: { ...options } };
}

interface AddPasskey {
  who: SignedIn;
  body: Received<typeof endpoints.addPasskey>['body'];
  request: FastifyRequest;
  origin: Origin;
}

export async function addPasskey(
  trx: Trx,
  deps: Deps,
  { who, body, request, origin }: AddPasskey,
): Promise<Changed<typeof endpoints.addPasskey>> {
  const { userId } = who;
  const party = getRelyingParty(deps.env, request);
  const created = await readCreated(deps, { who, party, response: body.response });
  if (!created) refuse('passkey.not_created');
  await lockFactors(trx, userId);
  if ((await store.listPasskeys(trx, userId)).length >= PASSKEYS_MAX) refuse('mfa.too_many_passkeys');
  if (!(await store.useChallenge(trx, created.challenge))) refuse('passkey.not_created');
  const passkey = await store.addPasskey(trx, { ...created.passkey, person_id: userId, name: body.name });
  if (!passkey) refuse('passkey.not_created');
  const { recovery_codes, audit } = await finishAdding(trx, deps, { who, factor: 'passkey', origin });
  return { answer: { passkey, recovery_codes }, audit };
}

type Created = Omit<store.NewPasskey, 'person_id' | 'name'>;

/** The new passkey; undefined if it isn't for this session and this server, or wasn't unlocked. */
async function readCreated(
  deps: Deps,
  { who: { sessionId }, party, response }: { who: SignedIn; party: RelyingParty; response: RegistrationResponse },
): Promise<{ passkey: Created; challenge: string } | undefined> {
  let challenge = '';
  const { verifyRegistrationResponse } = await loadWebauthn();
  const { registrationInfo: info, verified } = await verifyRegistrationResponse({
    response: toJson(response),
    expectedChallenge: (given) => {
      challenge = given;
      return isOwnChallenge(deps.secrets, given, { purpose: { kind: 'create', sessionId } });
    },
    expectedOrigin: party.origins,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => ({ verified: false, registrationInfo: undefined }));
  if (!verified || info === undefined || info.credential.publicKey.length > PUBLIC_KEY_MAX) return undefined;
  const { credential, credentialDeviceType: device_type, credentialBackedUp: backed_up } = info;
  const passkey = {
    credential_id: credential.id,
    counter: credential.counter,
    device_type,
    backed_up,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    transports: response.response.transports ?? [],
  };
  return { passkey, challenge };
}

function toJson({ authenticatorAttachment, response, ...rest }: RegistrationResponse) {
  const { transports: _transports, ...attested } = response;
  const attachment = authenticatorAttachment && { authenticatorAttachment };
  return { ...rest, ...attachment, response: attested, clientExtensionResults: {} };
}

export async function removePasskey(
  trx: Trx,
  deps: Deps,
  { who, passkeyId }: { who: SignedIn; passkeyId: string },
): Promise<Changed<typeof endpoints.removePasskey>> {
  await lockFactors(trx, who.userId);
  if (!(await store.removePasskey(trx, who.userId, passkeyId))) refuse('record.not_found');
  return { answer: { status_code: 200 }, audit: await finishRemoving(trx, deps, { who, factor: 'passkey' }) };
}
