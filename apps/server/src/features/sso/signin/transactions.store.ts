import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { hashToken, newToken, type Secrets } from '#platform/security/secrets.ts';

/** Maximum time that a user may spend at the provider. */
const MINUTES = 10;
const PURPOSE = 'sso-transaction';

/** Known only to this server and to the provider's response. */
export interface Proof {
  state: string;
  nonce: string;
  verifier: string;
}

export interface Transaction {
  connectionId: string;
  returnPath: string;
  /** The browser's session when the sign-in started; null without one. */
  session: { id: string; personId: string; canLink: boolean } | null;
  /** True if the sign-in confirms that session instead of starting a new one. */
  isReauth: boolean;
  /** Number of restarts because of an unknown key. */
  restarts: number;
}

/** Includes the proof that a response belongs to this sign-in. */
export type Pending = Transaction & { proof: Proof };

/** Returns the token for the browser's cookie. */
export async function addTransaction(
  db: Database,
  secrets: Secrets,
  { proof, ...transaction }: Pending,
): Promise<string> {
  const token = newToken();
  await db
    .insertInto('sso_transactions')
    .values({
      token_hash: hashToken(token),
      connection_id: transaction.connectionId,
      sealed: secrets.seal(PURPOSE, JSON.stringify(proof)),
      return_path: transaction.returnPath,
      session_id: transaction.session?.id ?? null,
      person_id: transaction.session?.personId ?? null,
      can_link: transaction.session?.canLink ?? false,
      is_reauth: transaction.isReauth,
      restarts: transaction.restarts,
      expires_at: sql<Date>`now() + make_interval(mins => ${MINUTES})`,
    })
    .execute();
  return token;
}

/**
 * Consumes the sign-in of a cookie, so only one of several responses succeeds. Returns undefined if it is unknown, used or
 * expired.
 */
export async function consumeTransaction(db: Database, secrets: Secrets, token: string): Promise<Pending | undefined> {
  const row = await db
    .deleteFrom('sso_transactions')
    .where('token_hash', '=', hashToken(token))
    .returningAll()
    .returning(sql<boolean>`expires_at > now()`.as('is_valid'))
    .executeTakeFirst();
  if (!row?.is_valid) return undefined;
  const { session_id: id, person_id: personId, can_link: canLink } = row;
  return {
    connectionId: row.connection_id,
    returnPath: row.return_path,
    session: id === null || personId === null ? null : { id, personId, canLink },
    isReauth: row.is_reauth,
    restarts: row.restarts,
    proof: JSON.parse(secrets.open(PURPOSE, row.sealed)) as Proof,
  };
}

/** Deletes sign-ins that were not completed. */
export async function removeOldTransactions(db: Database | Trx): Promise<void> {
  await db.deleteFrom('sso_transactions').where('expires_at', '<', sql<Date>`now()`).execute();
}
