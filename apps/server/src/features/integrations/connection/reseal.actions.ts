import { type Database, inTransaction } from '#platform/database/database.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import { opened, seal } from '#workspace/integrations/integration-health.ts';
import { listSealed, lockSealedRow, type SealedRow, saveSealed } from '../integrations.store.ts';

/** What became of the sealed credentials of integrations. */
export interface Resealed {
  resealed: number;
  /** Integrations with something that no key opens; they are left as they are. */
  unreadable: number;
}

/** Seals the credentials of every integration with the present key; each in a transaction of its own, so it may be repeated. */
export async function resealIntegrations(db: Database, secrets: Secrets): Promise<Resealed> {
  const done: Resealed = { resealed: 0, unreadable: 0 };
  for (const place of await listSealed(db)) {
    const isDone = await inTransaction(db, async (trx) => {
      const row = await lockSealedRow(trx, place);
      const anew = row && sealedAnew(secrets, row);
      if (anew) await saveSealed(trx, place, anew);
      return anew !== undefined;
    });
    done[isDone ? 'resealed' : 'unreadable'] += 1;
  }
  return done;
}

/** How many integrations cannot use their credentials with the present keys, for the line that a start writes. */
export async function countUndecryptable(db: Database, secrets: Secrets): Promise<number> {
  const rows = await listSealed(db);
  return rows.filter((row) => sealedAnew(secrets, row) === undefined).length;
}

function sealedAnew(secrets: Secrets, row: SealedRow): SealedRow | undefined {
  const anew = (text: string | null): string | null | undefined => {
    const open = opened({ secrets }, text);
    if (text === null) return null;
    return open === undefined ? undefined : seal({ secrets }, open);
  };
  const [credentials, path_key, signing_secret] = [anew(row.credentials), anew(row.path_key), anew(row.signing_secret)];
  if (credentials === undefined || path_key === undefined || signing_secret === undefined) return undefined;
  return { credentials, path_key, signing_secret };
}
