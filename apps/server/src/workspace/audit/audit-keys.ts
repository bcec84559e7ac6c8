import type { Database } from '#platform/database/database.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import { addKey, listKeys, replaceKey } from './chain.store.ts';
import { type ChainKey, toChainKey } from './chain-digests.ts';

const PURPOSE = 'audit-chain';

/** Keys of the chain by their id. */
export interface AuditKeys {
  /** Signs new rows. */
  current: ChainKey;
  find(id: string): ChainKey | undefined;
}

const currentKeys = new WeakMap<Secrets, ChainKey>();

/** The key that signs new rows. */
export function getCurrentKey(secrets: Secrets): ChainKey {
  const known = currentKeys.get(secrets);
  if (known !== undefined) return known;
  const [derived = Buffer.alloc(0)] = secrets.exportKeys(PURPOSE);
  const key = toChainKey(derived);
  currentKeys.set(secrets, key);
  return key;
}

/** All keys that the secrets give or open. */
export async function readAuditKeys(db: Database, secrets: Secrets): Promise<AuditKeys> {
  const keys = new Map(secrets.exportKeys(PURPOSE).map((derived) => [toChainKey(derived).id, toChainKey(derived)]));
  for (const { id, sealed } of await listKeys(db)) {
    const opened = keys.get(id) ?? openKey(secrets, sealed);
    if (opened?.id === id) keys.set(id, opened);
  }
  return { current: getCurrentKey(secrets), find: (id) => keys.get(id) };
}

/** Stores the key of SECRET_KEY, encrypted with it: after that changes, old rows are verified with it. */
export async function keepKeys(db: Database, secrets: Secrets): Promise<void> {
  for (const derived of secrets.exportKeys(PURPOSE)) {
    const key = toChainKey(derived);
    await addKey(db, { id: key.id, sealed: sealKey(secrets, key) });
  }
}

/** Encrypts the stored keys with the current SECRET_KEY. Can be repeated. */
export async function resealAuditKeys(
  db: Database,
  secrets: Secrets,
): Promise<{ resealed: number; unreadable: number }> {
  const done = { resealed: 0, unreadable: 0 };
  await keepKeys(db, secrets);
  for (const { id, sealed } of await listKeys(db)) {
    const opened = openKey(secrets, sealed);
    if (opened?.id === id) await replaceKey(db, { id, sealed: sealKey(secrets, opened) });
    done[opened?.id === id ? 'resealed' : 'unreadable'] += 1;
  }
  return done;
}

/** A stored key, encrypted for other secrets; undefined if the first can't open it. */
export function resealAuditKey(from: Secrets, to: Secrets, sealed: string): string | undefined {
  const opened = openKey(from, sealed);
  return opened && sealKey(to, opened);
}

const sealKey = (secrets: Secrets, { key }: ChainKey) => secrets.seal(PURPOSE, key.toString('hex'));

function openKey(secrets: Secrets, sealed: string): ChainKey | undefined {
  try {
    return toChainKey(Buffer.from(secrets.open(PURPOSE, sealed), 'hex'));
  } catch {
    return undefined;
  }
}
