import type { Database } from '#platform/database/database.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import { resealArchiveKey } from '../archive/archive-key.ts';
import { replaceArchiveKey } from '../runs/runs.store.ts';
import { listArchiveKeys } from './restores.store.ts';

/** Encrypts the keys of all archives with the current SECRET_KEY; no object is rewritten. */
export async function resealArchives(
  db: Database,
  secrets: Secrets,
): Promise<{ resealed: number; unreadable: number }> {
  const done = { resealed: 0, unreadable: 0 };
  for (const run of await listArchiveKeys(db)) {
    const sealed = resealArchiveKey(secrets, secrets, run.sealed);
    if (sealed !== undefined) await replaceArchiveKey(db, run, sealed);
    done[sealed === undefined ? 'unreadable' : 'resealed'] += 1;
  }
  return done;
}
