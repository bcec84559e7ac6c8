import { sql } from 'kysely';
import type { Trx } from '#platform/database/database.ts';
import { UNLIST_ALL_CHANNELS } from './mirror/mirror.store.ts';
import { STOP_ALL_ORDERS } from './orders/orders.store.ts';
import { CLOSE_ALL_PERMITS } from './orders/permits.store.ts';
import { END_ALL_CONNECTOR_TOKENS } from './servers.store.ts';

/** Statements that end what a restored workspace must not go on with, with a schema of any version. */
export const END_CONNECTIONS = [END_ALL_CONNECTOR_TOKENS, UNLIST_ALL_CHANNELS, CLOSE_ALL_PERMITS, STOP_ALL_ORDERS];

export async function endConnections(trx: Trx): Promise<void> {
  for (const statement of END_CONNECTIONS) await sql.raw(statement).execute(trx);
}
