import { randomBytes } from 'node:crypto';
import { CHALLENGE_MINUTES } from '@steward/contract/api/limits';
import type { Secrets } from '#platform/security/secrets.ts';

/** A challenge lets one session create a passkey, or anyone use one. */
export type ChallengePurpose = { kind: 'create'; sessionId: string } | { kind: 'use' };

const NONCE_BYTES = 16;
const TIME_BYTES = 6;

const toMacInput = (head: Buffer, purpose: ChallengePurpose) =>
  `${purpose.kind}:${purpose.kind === 'create' ? purpose.sessionId : ''}:${head.toString('base64url')}`;

/**
 * A challenge for the browser's WebAuthn call. It is signed instead of stored, so that strangers who request challenges
 * write nothing; only used ones are stored.
 */
export function newChallenge(secrets: Secrets, purpose: ChallengePurpose, now = Date.now()): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(NONCE_BYTES + TIME_BYTES);
  randomBytes(NONCE_BYTES).copy(head);
  head.writeUIntBE(now + CHALLENGE_MINUTES * 60_000, NONCE_BYTES, TIME_BYTES);
  return Buffer.concat([head, Buffer.from(secrets.sign('passkey-challenge', toMacInput(head, purpose)), 'base64url')]);
}

/** Checks the signature, the purpose and the time of a challenge in base64url. */
export function isOwnChallenge(
  secrets: Secrets,
  challenge: string,
  { purpose, now = Date.now() }: { purpose: ChallengePurpose; now?: number },
): boolean {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== NONCE_BYTES + TIME_BYTES + 16) return false;
  const [head, mac] = [bytes.subarray(0, NONCE_BYTES + TIME_BYTES), bytes.subarray(NONCE_BYTES + TIME_BYTES)];
  if (head.readUIntBE(NONCE_BYTES, TIME_BYTES) < now) return false;
  return secrets.verify('passkey-challenge', toMacInput(head, purpose), mac.toString('base64url'));
}
