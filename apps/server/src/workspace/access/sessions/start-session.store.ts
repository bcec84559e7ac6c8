import { type RawBuilder, sql } from 'kysely';
import { type Database, isAborted, type Trx } from '#platform/database/database.ts';
import { runPrepared } from '#platform/database/prepared.ts';
import { hashToken } from '#platform/security/secrets.ts';
import { clearCounters } from '#platform/security/throttle.ts';
import { type AuditEvent, insertAuditRow, insertPending, toAuditRow } from '#workspace/audit/audit.store.ts';
import { upsertPresence } from '#workspace/people/people.store.ts';
import { type Account, opensByPassword } from '../accounts.store.ts';
import { deleteOldestDevices, upsertKnownAddress, upsertKnownDevice } from './known-devices.store.ts';
import { deleteEarlierSessions, insertSession, type NewSession } from './sessions.store.ts';
import { insertSignIns, type SignInAttempt } from './sign-ins.store.ts';

/** What is stored when a session starts. */
export interface StartedRows {
  token: string;
  session: NewSession & { device: string };
  /** Token of the session that ends when this one starts; '' for none. */
  earlier: string;
  signIn: SignInAttempt;
  audit: AuditEvent;
  /** Counters of failed attempts that start over. */
  counters: readonly string[];
}

/**
 * Stores a session and everything that goes with it, in one statement: one for each table takes as long as hashing a password.
 * All parts see the rows from before the statement, so the limits of sessions and devices leave room for one more.
 */
export async function saveStartedSession(trx: Trx, rows: StartedRows): Promise<void> {
  await storeRows(trx, rows, sql`select true as is_open`);
}

/**
 * The same without a transaction around it, if the password alone opens the account; false otherwise, or if PostgreSQL aborts it, and nothing is stored. The
 * account is locked until the commit, but what was committed while the lock was awaited may go unnoticed: ask again afterwards.
 */
export async function saveSessionOfPassword(db: Database, rows: StartedRows, account: Account): Promise<boolean> {
  const locked = sql`select true as is_open from people p where ${opensByPassword(account)} for share of p`;
  try {
    return (await storeRows(db, rows, locked)) > 0;
  } catch (error) {
    if (isAborted(error)) return false;
    throw error;
  }
}

/** Stores the rows if `open` selects one. Returns how many sessions began. */
async function storeRows(db: Database | Trx, rows: StartedRows, open: RawBuilder<unknown>): Promise<number> {
  const { token, session, earlier, signIn, counters } = rows;
  const { personId, address, device } = session;
  const audit = toAuditRow(db, rows.audit, signIn.origin);
  const deviceHash = hashToken(device);
  const [from, when] = [sql`from open`, sql<boolean>`exists (select from open)`];
  const statement = sql`with open as materialized (${open}),
      ended as (${deleteEarlierSessions(personId, earlier, when)}),
      forgotten as (${deleteOldestDevices(personId, deviceHash, when)}),
      device as (${upsertKnownDevice(personId, deviceHash, from)}),
      network as (${upsertKnownAddress(personId, address, from)}),
      presence as (${upsertPresence(personId, from)}),
      logged as (${insertSignIns(signIn, when)}),
      event as (${insertAuditRow(audit, from)}),
      pending as (${insertPending(audit, from)}),
      cleared as (${clearCounters(counters, when)})
    ${insertSession(token, session, from)} returning id`;
  return (await runPrepared(db, statement)).length;
}
