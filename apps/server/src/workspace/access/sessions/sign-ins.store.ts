import { SIGN_IN_DAYS } from '@steward/contract/api/limits';
import type { SignInMethod, SignInOutcome } from '@steward/contract/users/sign-ins';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Origin } from '#platform/http/http.ts';
import { describeDevice } from './device.ts';

/** An attempt to sign in. */
export interface SignInAttempt {
  /** '' for an unknown address, which leaves no row but costs the same. */
  personId: string;
  outcome: SignInOutcome;
  method: SignInMethod;
  origin: Origin;
  /** The only team whose log has it, where it can't open others; all teams of the person when absent. */
  teamId?: string | undefined;
}

/**
 * Records an attempt in the log of every team of the person, so that each team reads its own by key. Attempts beyond the limit
 * of checks are recorded once a minute: they would let anyone grow the log.
 */
export async function addSignIn(db: Database | Trx, attempt: SignInAttempt): Promise<void> {
  await insertSignIns(attempt, sql`true`).execute(db);
}

/** The same as part of a statement, under a condition. */
export function insertSignIns(attempt: SignInAttempt, when: RawBuilder<boolean>): RawBuilder<unknown> {
  const { personId, outcome, method, origin, teamId = '' } = attempt;
  const { address, userAgent, requestId } = origin;
  // The log is filtered by time through its ids, so both have the same moment.
  const now = Date.now();
  return sql`insert into sign_ins (team_id, id, person_id, at, outcome, method, address, device, request_id)
    select m.team_id, ${newId(now)}, m.person_id, to_timestamp(${now} / 1000.0), ${outcome}, ${method}, ${address},
      ${describeDevice(userAgent)}, ${requestId}
    from memberships m where m.person_id = ${personId} and m.email is null and ${teamId} in ('', m.team_id)
      and (${outcome} <> 'throttled' or not exists (select 1 from sign_ins s where s.team_id = m.team_id
        and s.person_id = m.person_id and s.outcome = 'throttled' and s.at > now() - interval '1 minute')) and ${when}`;
}

/** Removes up to `limit` old rows and returns whether there may be more. */
export async function removeOldSignIns(db: Database, limit: number): Promise<boolean> {
  const { rows } = await sql`delete from sign_ins where (team_id, id) in (
    select team_id, id from sign_ins where at < now() - make_interval(days => ${SIGN_IN_DAYS}) limit ${limit}
  ) returning 1`.execute(db);
  return rows.length === limit;
}
