import { type Database, inTransaction } from '#platform/database/database.ts';
import { type Resealed, reseal } from '#platform/security/reseal.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import { INTEGRATION_PURPOSE } from '#workspace/integrations/integration-health.ts';
import { listSealed, lockSealedRow, type SealedRow, saveSealed } from '../integrations.store.ts';

/** Seals every integration's credentials with the current key, one transaction each, so it can safely run again. */
export async function resealIntegrations(db: Database, secrets: Secrets): Promise<Resealed> {
  const done: Resealed = { resealed: 0, unreadable: 0 };
  for (const place of await listSealed(db)) {
    const isDone = await inTransaction(db, async (trx) => {
      const row = await lockSealedRow(trx, place);
      const next = row && resealed(secrets, row);
      if (next) await saveSealed(trx, place, next);
      return next !== undefined;
    });
    done[isDone ? 'resealed' : 'unreadable'] += 1;
  }
  return done;
}

/** Counts integrations whose credentials can't be decrypted with the current keys, for the startup log. */
export async function countUndecryptable(db: Database, secrets: Secrets): Promise<number> {
  const rows = await listSealed(db);
  return rows.filter((row) => resealed(secrets, row) === undefined).length;
}

function resealed(secrets: Secrets, row: SealedRow): SealedRow | undefined {
  const next = (text: string | null) =>
    text === null ? null : reseal(INTEGRATION_PURPOSE, text, { from: secrets, to: secrets });
  const [credentials, path_key, signing_secret] = [next(row.credentials), next(row.path_key), next(row.signing_secret)];
  if (credentials === undefined || path_key === undefined || signing_secret === undefined) return undefined;
  return { credentials, path_key, signing_secret };
}
