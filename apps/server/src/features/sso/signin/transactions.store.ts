import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { millisecondsIn } from '#platform/database/milliseconds.ts';
import { hashToken, newToken, type Secrets } from '#platform/security/secrets.ts';
import type { Claims } from '../users/claims.rules.ts';

/** Maximum time that a user may spend at the provider, and then on the page that asks them to continue. */
const MINUTES = 10;
const PURPOSE = 'sso-transaction';
const ARRIVAL_PURPOSE = 'sso-arrival';

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
  sessionId: string | null;
  /** True if the sign-in confirms that session instead of starting a new one. */
  isReauth: boolean;
  /** Number of restarts because of an unknown key. */
  restarts: number;
}

/** Includes the proof that a response belongs to this sign-in. */
export type Proved = Transaction & { proof: Proof };

/** `startedAt` is in milliseconds. */
export type Pending = Proved & { startedAt: number };

const expiresAt = sql<Date>`now() + make_interval(mins => ${MINUTES})`;

/** Returns the token for the browser's cookie. */
export async function addTransaction(
  db: Database,
  secrets: Secrets,
  { proof, ...transaction }: Proved,
): Promise<string> {
  const token = newToken();
  await db
    .insertInto('sso_transactions')
    .values({
      token_hash: hashToken(token),
      connection_id: transaction.connectionId,
      sealed: secrets.seal(PURPOSE, JSON.stringify(proof)),
      return_path: transaction.returnPath,
      session_id: transaction.sessionId,
      is_reauth: transaction.isReauth,
      restarts: transaction.restarts,
      expires_at: expiresAt,
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
    .where('has_arrived', '=', false)
    .returningAll()
    .returning(sql<boolean>`expires_at > now()`.as('is_valid'))
    .returning(millisecondsIn('expires_at').as('expires_at_ms'))
    .executeTakeFirst();
  if (!row?.is_valid) return undefined;
  return {
    connectionId: row.connection_id,
    returnPath: row.return_path,
    sessionId: row.session_id,
    isReauth: row.is_reauth,
    restarts: row.restarts,
    proof: JSON.parse(secrets.open(PURPOSE, row.sealed)) as Proof,
    startedAt: row.expires_at_ms - MINUTES * 60_000,
  };
}

/** A user who is back from the provider, and whose session a request with the cookies of this site will start. */
export interface Arrived {
  connectionId: string;
  returnPath: string;
  claims: Claims;
  /** When the sign-in started, in milliseconds. */
  startedAt: number;
}

/** Returns the token for the browser's cookie. */
export async function addArrived(db: Database, secrets: Secrets, arrived: Arrived): Promise<string> {
  const token = newToken();
  const { claims, startedAt } = arrived;
  await db
    .insertInto('sso_transactions')
    .values({
      token_hash: hashToken(token),
      connection_id: arrived.connectionId,
      sealed: secrets.seal(ARRIVAL_PURPOSE, JSON.stringify({ claims, startedAt })),
      return_path: arrived.returnPath,
      is_reauth: false,
      has_arrived: true,
      expires_at: expiresAt,
    })
    .execute();
  return token;
}

export async function findArrived(db: Database, secrets: Secrets, token: string): Promise<Arrived | undefined> {
  const row = await db
    .selectFrom('sso_transactions')
    .select(['connection_id', 'return_path', 'sealed'])
    .where('token_hash', '=', hashToken(token))
    .where('has_arrived', '=', true)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const sealed = JSON.parse(secrets.open(ARRIVAL_PURPOSE, row.sealed)) as Pick<Arrived, 'claims' | 'startedAt'>;
  return { connectionId: row.connection_id, returnPath: row.return_path, ...sealed };
}

/** False if another request has consumed it. */
export async function consumeArrived(db: Database, token: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sso_transactions')
    .where('token_hash', '=', hashToken(token))
    .where('has_arrived', '=', true)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

interface PresentSession {
  sessionId: string;
  userId: string;
  connectionId: string;
}

/** True for a session of this user by this connection that began after a moment, in milliseconds. */
export async function hasStartedSince(
  trx: Trx,
  { sessionId, userId, connectionId }: PresentSession,
  moment: number,
): Promise<boolean> {
  const row = await trx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('person_id', '=', userId)
    .where('connection_id', '=', connectionId)
    .where('created_at', '>', sql<Date>`to_timestamp(${moment} / 1000.0)`)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Sign-ins of other tabs that began in a session, which is being replaced. From now on they count as begun in none, and so
 * can't link anyone.
 */
export async function releaseTransactions(trx: Trx, { sessionId, connectionId }: PresentSession): Promise<void> {
  await trx
    .updateTable('sso_transactions')
    .set({ session_id: null })
    .where('session_id', '=', sessionId)
    .where('connection_id', '=', connectionId)
    .where('is_reauth', '=', false)
    .execute();
}

/** Deletes sign-ins that were not completed. */
export async function removeOldTransactions(db: Database | Trx): Promise<void> {
  await db.deleteFrom('sso_transactions').where('expires_at', '<', sql<Date>`now()`).execute();
}
