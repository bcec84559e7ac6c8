import type { Secrets } from '#platform/security/secrets.ts';

const PURPOSE = 'retention-archive';

/** Encrypts the key of an archive, so that rotating SECRET_KEY rewrites one column and no object. */
export function sealArchiveKey(secrets: Secrets, key: Buffer): string {
  return secrets.seal(PURPOSE, key.toString('hex'));
}

/** The key of an archive; throws if it was encrypted with another SECRET_KEY. */
export function openArchiveKey(secrets: Secrets, sealed: string): Buffer {
  return Buffer.from(secrets.open(PURPOSE, sealed), 'hex');
}

/** A stored key, encrypted for other secrets; undefined if the first can't open it. */
export function resealArchiveKey(from: Secrets, to: Secrets, sealed: string): string | undefined {
  try {
    return sealArchiveKey(to, openArchiveKey(from, sealed));
  } catch {
    return undefined;
  }
}
