import type { Database } from '#platform/database/database.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import { listTotpSecrets, replaceTotpSecret } from './factors.store.ts';
import { resealTotpSecret } from './totp.ts';

/** Encrypts the secrets of all authenticator apps with the current SECRET_KEY; it may be repeated. */
export async function resealTotpSecrets(
  db: Database,
  secrets: Secrets,
): Promise<{ resealed: number; unreadable: number }> {
  const done = { resealed: 0, unreadable: 0 };
  for (const row of await listTotpSecrets(db)) {
    const sealed = resealTotpSecret(secrets, secrets, row.secret);
    if (sealed !== undefined) await replaceTotpSecret(db, row, sealed);
    done[sealed === undefined ? 'unreadable' : 'resealed'] += 1;
  }
  return done;
}
