import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** A one-time or session token: 256 random bits, URL-safe. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored form of a token. It needs no salt and no slow hash, because a token has too many bits to be guessed. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Encrypts text for storage and signs values that pass through clients. Keys are derived from SECRET_KEY by purpose. */
export interface Secrets {
  /** AES-256-GCM; the result names its version. */
  seal(purpose: string, text: string): string;
  /** Decrypts the result of `seal`; throws if the key or the text differs. */
  open(purpose: string, sealed: string): string;
  /** MAC of a text, 16 bytes, URL-safe. */
  sign(purpose: string, text: string): string;
  /** Compares in constant time. */
  verify(purpose: string, text: string, signature: string): boolean;
  /** A key of 256 bits for one encrypted file, by the salt in it, from the current key. */
  deriveKey(purpose: string, salt: Uint8Array): KeyObject;
  /** Keys of 32 bytes for a purpose: the current one, and during a key rotation also the previous one. */
  exportKeys(purpose: string): Buffer[];
}

/**
 * Secrets by SECRET_KEY (64 hex digits). During a key rotation, the previous key still decrypts and verifies; only the current
 * key encrypts and signs.
 */
export function createSecrets(secretKey: string, previousKey?: string): Secrets {
  const current = createSecretsFor(secretKey);
  if (previousKey === undefined) return current;
  const previous = createSecretsFor(previousKey);
  return {
    ...current,
    open(purpose, sealed) {
      try {
        return current.open(purpose, sealed);
      } catch {
        return previous.open(purpose, sealed);
      }
    },
    verify: (...signed) => current.verify(...signed) || previous.verify(...signed),
    exportKeys: (purpose) => [...current.exportKeys(purpose), ...previous.exportKeys(purpose)],
  };
}

function createSecretsFor(secretKey: string): Secrets {
  const root = Buffer.from(secretKey, 'hex');
  // Key objects are cached: with a Buffer, every signature would create one, which takes six times as long.
  const keys = new Map<string, KeyObject>();
  const deriveKey = (purpose: string, salt: Uint8Array) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', root, salt, `steward:${purpose}`, 32)));
  const keyFor = (purpose: string) => {
    let key = keys.get(purpose);
    if (!key) {
      key = deriveKey(purpose, Buffer.alloc(0));
      keys.set(purpose, key);
    }
    return key;
  };
  const sign = (purpose: string, text: string) =>
    createHmac('sha256', keyFor(purpose)).update(text).digest().subarray(0, 16).toString('base64url');
  return {
    seal(purpose, text) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `v1.${iv.toString('base64url')}.${body.toString('base64url')}`;
    },
    open(purpose, sealed) {
      const [version, iv = '', body = ''] = sealed.split('.');
      const bytes = Buffer.from(body, 'base64url');
      if (version !== 'v1' || bytes.length < 16) throw new Error('not a sealed text');
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), Buffer.from(iv, 'base64url'));
      decipher.setAuthTag(bytes.subarray(-16));
      return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
    },
    sign,
    verify(purpose, text, signature) {
      const expected = Buffer.from(sign(purpose, text));
      const given = Buffer.from(signature);
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
    deriveKey,
    exportKeys: (purpose) => [keyFor(purpose).export()],
  };
}
