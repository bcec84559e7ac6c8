import type { AuthenticationResponse } from '@steward/contract/factors/webauthn';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { isOwnChallenge } from './challenges.ts';
import { findPasskey, recordPasskeyUse, type StoredPasskey, useChallenge } from './passkeys.store.ts';
import { loadWebauthn, type RelyingParty } from './relying-party.ts';

/** A passkey whose signature was checked. `usePasskey` must accept it too. */
export interface CheckedPasskey {
  id: string;
  userId: string;
  challenge: string;
  counter: number;
  backedUp: boolean;
}

/**
 * Checks our challenge, our origin, the user verification, and that the counter rises. Undefined for every failure, an
 * unknown credential too.
 */
export async function checkPasskey(
  deps: Deps,
  response: AuthenticationResponse,
  party: RelyingParty,
): Promise<CheckedPasskey | undefined> {
  const passkey = await findPasskey(deps.db, response.id);
  if (!passkey || !isOwnHandle(response.response.userHandle, passkey)) return undefined;
  let challenge = '';
  const { verifyAuthenticationResponse } = await loadWebauthn();
  const { authenticationInfo: info, verified } = await verifyAuthenticationResponse({
    response: toJson(response),
    expectedChallenge: (given) => {
      challenge = given;
      return isOwnChallenge(deps.secrets, given, { purpose: { kind: 'use' } });
    },
    expectedOrigin: party.origins,
    expectedRPID: party.id,
    credential: toCredential(passkey),
    requireUserVerification: true,
  }).catch(() => ({ verified: false, authenticationInfo: undefined }));
  if (!verified || info === undefined) return undefined;
  const { newCounter: counter, credentialBackedUp: backedUp } = info;
  return { id: passkey.id, userId: passkey.person_id, challenge, counter, backedUp };
}

/** A passkey that the browser finds without a user name names its user. */
function isOwnHandle(userHandle: string | undefined, { person_id }: StoredPasskey): boolean {
  return userHandle === undefined || Buffer.from(userHandle, 'base64url').toString() === person_id;
}

/** Uses up the challenge and the counter; false if either was used, or the passkey removed, since the check. */
export async function usePasskey(trx: Trx, checked: CheckedPasskey): Promise<boolean> {
  return (await useChallenge(trx, checked.challenge)) && (await recordPasskeyUse(trx, checked));
}

function toJson({ authenticatorAttachment, response, ...rest }: AuthenticationResponse) {
  const { userHandle, ...signed } = response;
  return {
    ...rest,
    ...(authenticatorAttachment && { authenticatorAttachment }),
    response: { ...signed, ...(userHandle && { userHandle }) },
    clientExtensionResults: {},
  };
}

function toCredential({ credential_id, public_key, counter }: StoredPasskey) {
  return { id: credential_id, publicKey: new Uint8Array(Buffer.from(public_key, 'base64url')), counter };
}
