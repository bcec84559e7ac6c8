import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { AuthenticationResponse, RegistrationResponse } from '@steward/contract/factors/webauthn';

/** Deviations from a correct passkey. */
interface Ceremony {
  origin?: string;
  rpId?: string;
  /** True by default. */
  isUnlocked?: boolean;
  /** The signature counter; one more than the last by default. */
  counter?: number;
  /** Another type than that of the ceremony. */
  type?: string;
  /** Another COSE key than its own. */
  key?: Uint8Array;
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();

function toCoseKey(key: KeyObject): Uint8Array {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const fields: [number, number | Uint8Array][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ];
  return isoCBOR.encode(new Map(fields));
}

const PRESENT = 1;
const UNLOCKED = 4;
const HAS_KEY = 64;

/** A software passkey of one account at one server. With `counts: false` the counter stays 0, as for synchronized passkeys. */
export function createAuthenticator(
  { origin, userHandle }: { origin: string; userHandle?: string },
  { counts = true } = {},
) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  let signatures = 0;
  const toData = (flags: number, ceremony: Ceremony) => {
    signatures += counts ? 1 : 0;
    const head = Buffer.alloc(5);
    head[0] = flags | PRESENT | ((ceremony.isUnlocked ?? true) ? UNLOCKED : 0);
    head.writeUInt32BE(ceremony.counter ?? signatures, 1);
    return Buffer.concat([sha256(ceremony.rpId ?? new URL(origin).hostname), head]);
  };
  const toClient = (type: string, challenge: string, ceremony: Ceremony) =>
    JSON.stringify({ type: ceremony.type ?? type, challenge, origin: ceremony.origin ?? origin, crossOrigin: false });
  const credential = { id: base64(id), rawId: base64(id), type: 'public-key' } as const;
  return {
    credentialId: credential.id,
    /** COSE key in base64url, as it is stored. */
    publicKey: base64(toCoseKey(publicKey)),
    create({ challenge }: { challenge: string }, ceremony: Ceremony = {}): RegistrationResponse {
      const attested = [Buffer.alloc(16), Buffer.from([0, id.length]), id, ceremony.key ?? toCoseKey(publicKey)];
      const authData = Buffer.concat([toData(HAS_KEY, ceremony), ...attested]);
      const attestation = new Map<string, string | Map<string, string> | Uint8Array>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      return {
        ...credential,
        response: {
          clientDataJSON: base64(toClient('webauthn.create', challenge, ceremony)),
          attestationObject: base64(isoCBOR.encode(attestation)),
          transports: ['internal'],
        },
      };
    },
    use({ challenge }: { challenge: string }, ceremony: Ceremony = {}): AuthenticationResponse {
      const client = toClient('webauthn.get', challenge, ceremony);
      const data = toData(0, ceremony);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return {
        ...credential,
        response: {
          clientDataJSON: base64(client),
          authenticatorData: base64(data),
          signature: base64(signature),
          ...(userHandle !== undefined && { userHandle: base64(userHandle) }),
        },
      };
    },
  };
}
