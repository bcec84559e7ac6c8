import type { Database, Trx } from '#platform/database/database.ts';
import { refuse } from '#platform/http/errors.ts';
import { findLinkEnd } from './links.store.ts';

const REFUSALS = { used: 'link.used', replaced: 'link.replaced', expired: 'link.expired' } as const;

/** Tells the holder of a link's token why the link doesn't work. */
export async function refuseLink(db: Database | Trx, kind: 'reset' | 'email', token: string): Promise<never> {
  const end = await findLinkEnd(db, kind, token);
  return refuse(end === undefined ? 'link.invalid' : REFUSALS[end]);
}
