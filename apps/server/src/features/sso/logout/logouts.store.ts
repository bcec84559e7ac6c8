import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { hashToken } from '#platform/security/secrets.ts';

/** Older tokens are refused anyway, so their ids need not be kept longer. */
const KEPT_MINUTES = 30;

/** Returns false if the token was received before. */
export async function addLogout(trx: Trx, connectionId: string, jti: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('sso_logouts')
    .values({
      connection_id: connectionId,
      jti_hash: hashToken(jti),
      expires_at: sql<Date>`now() + make_interval(mins => ${KEPT_MINUTES})`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function removeOldLogouts(db: Database): Promise<void> {
  await db.deleteFrom('sso_logouts').where('expires_at', '<', sql<Date>`now()`).execute();
}
