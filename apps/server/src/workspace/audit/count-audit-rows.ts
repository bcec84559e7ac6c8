import type { Deps } from '#platform/deps.ts';
import { countPending } from './chain.store.ts';
import { countUnsent } from './sink/sink.store.ts';

/** How many rows of the audit log wait to be chained, and with AUDIT_SINK, to be sent. */
export async function countAuditRows({
  db,
  env,
}: Pick<Deps, 'db' | 'env'>): Promise<{ state: string; count: number }[]> {
  const counts = [{ state: 'unchained', count: await countPending(db) }];
  if (env.AUDIT_SINK !== undefined) counts.push({ state: 'unsent', count: await countUnsent(db) });
  return counts;
}
