import type { Database } from '#platform/database/database.ts';
import type { SealedRows } from '#platform/security/reseal.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import { addKey, listKeys, replaceKey } from './chain.store.ts';
import { type ChainKey, toChainKey } from './chain-digests.ts';

export const AUDIT_KEY_PURPOSE = 'audit-chain';

export interface AuditKeys {
  current: ChainKey;
  find(id: string): ChainKey | undefined;
}

const currentKeys = new WeakMap<Secrets, ChainKey>();

export function getCurrentKey(secrets: Secrets): ChainKey {
  const known = currentKeys.get(secrets);
  if (known !== undefined) return known;
  const [derived = Buffer.alloc(0)] = secrets.exportKeys(AUDIT_KEY_PURPOSE);
  const key = toChainKey(derived);
  currentKeys.set(secrets, key);
  return key;
}

export async function readAuditKeys(db: Database, secrets: Secrets): Promise<AuditKeys> {
  const keys = new Map(
    secrets.exportKeys(AUDIT_KEY_PURPOSE).map((derived) => [toChainKey(derived).id, toChainKey(derived)]),
  );
  for (const { id, sealed } of await listKeys(db)) {
    const opened = keys.get(id) ?? openKey(secrets, sealed);
    if (opened?.id === id) keys.set(id, opened);
  }
  return { current: getCurrentKey(secrets), find: (id) => keys.get(id) };
}

/** Stores the key of SECRET_KEY, encrypted with it: after that changes, old rows are verified with it. */
export async function keepKeys(db: Database, secrets: Secrets): Promise<void> {
  for (const derived of secrets.exportKeys(AUDIT_KEY_PURPOSE)) {
    const key = toChainKey(derived);
    await addKey(db, { id: key.id, sealed: sealKey(secrets, key) });
  }
}

export const auditKeys: SealedRows<{ id: string; sealed: string }> = {
  purpose: AUDIT_KEY_PURPOSE,
  list: listKeys,
  replace: replaceKey,
};

const sealKey = (secrets: Secrets, { key }: ChainKey) => secrets.seal(AUDIT_KEY_PURPOSE, key.toString('hex'));

function openKey(secrets: Secrets, sealed: string): ChainKey | undefined {
  try {
    return toChainKey(Buffer.from(secrets.open(AUDIT_KEY_PURPOSE, sealed), 'hex'));
  } catch {
    return undefined;
  }
}
