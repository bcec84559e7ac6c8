import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { hashToken, newToken, type Secrets } from '#platform/security/secrets.ts';

/** A user may take this long at the provider. */
const MINUTES = 10;
const PURPOSE = 'sso-transaction';

/** Only the server and the provider's response may know these. */
export interface Proof {
  state: string;
  nonce: string;
  verifier: string;
}

/** A sign-in on its way. */
export interface Transaction {
  connectionId: string;
  returnPath: string;
  /** The session that the browser had when it began; null without one. */
  session: { id: string; personId: string; canLink: boolean } | null;
  /** It confirms that session instead of beginning one. */
  isReauth: boolean;
  /** The number of restarts because of an unknown key. */
  restarts: number;
}

/** A sign-in on its way, with what proves that a response is for it. */
export type Pending = Transaction & { proof: Proof };

/** Adds a sign-in, and returns the token for the cookie of its browser. */
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

/** Takes the sign-in of a cookie: of several responses one gets it. Undefined if it is unknown, used or expired. */
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

/** Deletes sign-ins that were never completed. */
export async function removeOldTransactions(db: Database | Trx): Promise<void> {
  await db.deleteFrom('sso_transactions').where('expires_at', '<', sql<Date>`now()`).execute();
}
