import type { Secrets } from '#platform/security/secrets.ts';

export const ARCHIVE_KEY_PURPOSE = 'retention-archive';

/** Encrypts the key, so that rotating SECRET_KEY rewrites one column and no object. */
export function sealArchiveKey(secrets: Secrets, key: Buffer): string {
  return secrets.seal(ARCHIVE_KEY_PURPOSE, key.toString('hex'));
}

/** The key of an archive; throws if it was encrypted with another SECRET_KEY. */
export function openArchiveKey(secrets: Secrets, sealed: string): Buffer {
  return Buffer.from(secrets.open(ARCHIVE_KEY_PURPOSE, sealed), 'hex');
}
