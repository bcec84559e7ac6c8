import { type Database, inTransaction } from '#platform/database/database.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import { resealSecret } from './client-secret.ts';
import { listSecrets, replaceSecret } from './saved-connections.store.ts';

/** Encrypts the client secrets of all teams with the current key. Can be repeated. */
export async function resealClientSecrets(
  db: Database,
  secrets: Secrets,
): Promise<{ resealed: number; unreadable: number }> {
  const done = { resealed: 0, unreadable: 0 };
  for (const { id, client_secret: before } of await listSecrets(db)) {
    const after = resealSecret(secrets, secrets, before);
    if (after !== undefined) await inTransaction(db, (trx) => replaceSecret(trx, { id, before, after }));
    done[after === undefined ? 'unreadable' : 'resealed'] += 1;
  }
  return done;
}
