import { SIGN_IN_DAYS } from '@steward/contract/api/limits';
import type { SignInMethod, SignInOutcome } from '@steward/contract/users/sign-ins';
import { type RawBuilder, sql } from 'kysely';
import { asynchronous, type Database, isAborted, type Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { runPrepared } from '#platform/database/prepared.ts';
import type { Origin } from '#platform/http/http.ts';
import { getNetwork } from '#platform/http/network.ts';
import { hashToken } from '#platform/security/secrets.ts';
import { clearCounters, countAttempt, findSecondsLeft, type Limit, toCounter } from '#platform/security/throttle.ts';
import { type AuditRow, insertAuditRow, insertPending } from '#workspace/audit/audit.store.ts';
import { upsertPresence } from '#workspace/users/users.store.ts';
import { type Account, opensByPassword, selectAccount } from '../accounts.store.ts';
import { describeDevice } from './device.ts';
import { CHECKS, getCounterKey } from './failed-attempts.ts';
import {
  deleteOldestDevices,
  getKnown,
  type Known,
  type SignInFrom,
  upsertKnownAddress,
  upsertKnownDevice,
} from './known-devices.store.ts';
import { deleteEarlierSessions, insertSession, type NewSession } from './sessions.store.ts';

export interface CountedAttempt {
  account: Account | undefined;
  known: Known;
  /** Seconds until its network may sign in again; 0 while it may. An attempt that isn't known and has to wait isn't counted. */
  limitedFor: number;
  mayCheck: boolean;
}

type AttemptRow = { known: Known; limited_for: number; checks: number | null } & {
  [Field in keyof Account]: Account[Field] | null;
};

/**
 * Looks up the account of an address and counts an attempt to sign in before the password is checked, in one statement
 * that does the same for an address without an account. Its commit doesn't wait for the disk, but every answer that
 * reveals something about the password must: the commit that records a success or a failure waits, and so does
 * `Throttle.persist`.
 */
export async function countSignIn(
  db: Database,
  { email, refusals, ...from }: SignInFrom & { email: string; refusals: Limit },
): Promise<CountedAttempt> {
  const [unknown, address, device] = (['no', 'address', 'device'] as const).map((known) =>
    toCounter(CHECKS, getCounterKey(email, { ...from, known })),
  );
  const counter = sql`select case known when 'device' then ${device}::text when 'address' then ${address}::text else ${unknown}::text end
    from known, asynchronous where known <> 'no' or not exists (select from limited)`;
  const statement = sql<AttemptRow>`
    with asynchronous as materialized ${asynchronous},
      account as materialized (${selectAccount(email)}),
      known as materialized (select ${getKnown(sql`(select id from account)`, from)} as known),
      limited as materialized (${findSecondsLeft(toCounter(refusals, getNetwork(from.address)), refusals)}),
      counted as (${countAttempt(counter, CHECKS)})
    select known.known, coalesce((select seconds from limited), 0) as limited_for, (select points from counted) as checks, account.*
    from known left join account on true`;
  const [{ known, limited_for, checks, ...account }] = (await runPrepared(db, statement)) as [AttemptRow];
  return {
    account: account.id === null ? undefined : (account as Account),
    known,
    limitedFor: limited_for,
    mayCheck: checks !== null && checks <= CHECKS.attempts,
  };
}

export interface StartedRows {
  token: string;
  session: NewSession & { device: string };
  /** Token of the session that ends when this one starts; '' for none. */
  earlier: string;
  signIn: SignInAttempt;
  /** The signed row for the audit log. */
  audit: AuditRow;
  /** Counters of failed attempts that start over. */
  counters: readonly string[];
}

/**
 * Stores a session and all rows that belong to it in one statement: a statement for each table takes as long as hashing
 * a password. All parts see the rows from before the statement, so the limits of sessions and devices leave room for
 * one more.
 */
export async function saveStartedSession(trx: Trx, rows: StartedRows): Promise<void> {
  await storeRows(trx, rows, sql`select true as is_open`);
}

/**
 * The same without a transaction around it, if the password alone opens the account; false otherwise, or if PostgreSQL
 * aborts it, and nothing is stored. The account is locked until the commit, but a change that was committed while the
 * lock was awaited may be missed: check again afterwards.
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

/** Stores the rows if `open` selects one. Returns the number of sessions that began. */
async function storeRows(db: Database | Trx, rows: StartedRows, open: RawBuilder<unknown>): Promise<number> {
  const { token, session, earlier, signIn, audit, counters } = rows;
  const { userId, address, device } = session;
  const deviceHash = hashToken(device);
  const [from, when] = [sql`from open`, sql<boolean>`exists (select from open)`];
  const statement = sql`with open as materialized (${open}),
      ended as (${deleteEarlierSessions(userId, earlier, when)}),
      forgotten as (${deleteOldestDevices(userId, deviceHash, when)}),
      device as (${upsertKnownDevice(userId, deviceHash, from)}),
      network as (${upsertKnownAddress(userId, address, from)}),
      presence as (${upsertPresence(userId, from)}),
      logged as (${insertSignIns(signIn, when)}),
      event as (${insertAuditRow(audit, from)}),
      pending as (${insertPending(audit, from)}),
      cleared as (${clearCounters(counters, when)})
    ${insertSession(token, session, from)} returning id`;
  return (await runPrepared(db, statement)).length;
}

export interface SignInAttempt {
  /** '' for an unknown address, which leaves no row but costs the same. */
  userId: string;
  outcome: SignInOutcome;
  method: SignInMethod;
  origin: Origin;
  /** The only team whose log gets the attempt, if it can't open others; all teams of the user when absent. */
  teamId?: string | undefined;
}

/**
 * Records an attempt in the log of every team of the user, so that each team reads its own by key. Attempts beyond the
 * limit of checks are recorded once a minute: they would let anyone grow the log.
 */
export async function addSignIn(db: Database | Trx, attempt: SignInAttempt): Promise<void> {
  await insertSignIns(attempt, sql`true`).execute(db);
}

/** The same as part of a statement, under a condition. */
function insertSignIns(attempt: SignInAttempt, when: RawBuilder<boolean>): RawBuilder<unknown> {
  const { userId, outcome, method, origin, teamId = '' } = attempt;
  const { address, userAgent, requestId } = origin;
  // The log is filtered by time through its ids, so both have the same moment.
  const now = Date.now();
  return sql`insert into sign_ins (team_id, id, person_id, at, outcome, method, address, device, request_id)
    select m.team_id, ${newId(now)}, m.person_id, to_timestamp(${now} / 1000.0), ${outcome}, ${method}, ${address},
      ${describeDevice(userAgent)}, ${requestId}
    from memberships m where m.person_id = ${userId} and m.email is null and ${teamId} in ('', m.team_id)
      and (${outcome} <> 'throttled' or not exists (select 1 from sign_ins s where s.team_id = m.team_id
        and s.person_id = m.person_id and s.outcome = 'throttled' and s.at > now() - interval '1 minute')) and ${when}`;
}

/** Removes up to `limit` old rows and returns true if there may be more. */
export async function removeOldSignIns(db: Database, limit: number): Promise<boolean> {
  const { rows } = await sql`delete from sign_ins where (team_id, id) in (
    select team_id, id from sign_ins where at < now() - make_interval(days => ${SIGN_IN_DAYS}) limit ${limit}
  ) returning 1`.execute(db);
  return rows.length === limit;
}
