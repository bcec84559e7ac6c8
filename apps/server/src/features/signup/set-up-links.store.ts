import { SETUP_HOURS } from '@steward/contract/api/limits';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { hashToken, newToken } from '#platform/security/secrets.ts';

/** Replaces the link, and returns the token of the new one. */
export async function replaceSetUpLink(trx: Trx): Promise<string> {
  const token = newToken();
  const link = {
    token_hash: hashToken(token),
    expires_at: sql<Date>`now() + make_interval(hours => ${SETUP_HOURS})`,
  };
  await trx
    .insertInto('set_up_links')
    .values(link)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(link))
    .execute();
  return token;
}

export async function isSetUpLink(db: Database, token: string): Promise<boolean> {
  const row = await db
    .selectFrom('set_up_links')
    .select('id')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns false for another link. Only one of several concurrent calls gets true: the others wait for its commit. */
export async function consumeSetUpLink(trx: Trx, token: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('set_up_links')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function removeSetUpLink(trx: Trx): Promise<void> {
  await trx.deleteFrom('set_up_links').execute();
}
