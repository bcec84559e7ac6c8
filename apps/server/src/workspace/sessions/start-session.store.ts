import { sql } from 'kysely';
import { prepared, type Trx } from '#platform/database/database.ts';
import { hashToken } from '#platform/security/secrets.ts';
import { clearCounters } from '#platform/security/throttle.ts';
import { type AuditEvent, insertAuditRow, insertPending, toAuditRow } from '#workspace/audit/audit.store.ts';
import { upsertPresence } from '#workspace/people/people.store.ts';
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
 * Stores a session and everything that goes with it, in one statement: ten of them take twice the time of hashing a password. All
 * parts see the rows from before the statement, so the limits of sessions and devices leave room for one more.
 */
export async function saveStartedSession(trx: Trx, rows: StartedRows): Promise<void> {
  const { token, session, earlier, signIn, counters } = rows;
  const { personId, address, device } = session;
  const audit = toAuditRow(trx, rows.audit, signIn.origin);
  const deviceHash = hashToken(device);
  await sql`${prepared}
    with ended as (${deleteEarlierSessions(personId, earlier)}),
      forgotten as (${deleteOldestDevices(personId, deviceHash)}),
      device as (${upsertKnownDevice(personId, deviceHash)}),
      network as (${upsertKnownAddress(personId, address)}),
      presence as (${upsertPresence(personId)}),
      logged as (${insertSignIns(signIn)}),
      event as (${insertAuditRow(audit)}),
      pending as (${insertPending(audit)}),
      cleared as (${clearCounters(counters)})
    ${insertSession(token, session)}`.execute(trx);
}
