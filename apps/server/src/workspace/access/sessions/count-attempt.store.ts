import { sql } from 'kysely';
import { asynchronous, type Database } from '#platform/database/database.ts';
import { runPrepared } from '#platform/database/prepared.ts';
import { getNetwork } from '#platform/http/network.ts';
import { countAttempt, findSecondsLeft, type Limit, toCounter } from '#platform/security/throttle.ts';
import { type Account, selectAccount } from '../accounts.store.ts';
import { CHECKS, getCounterKey } from './failed-attempts.ts';
import { getKnown, type Known, type SignInFrom } from './known-devices.store.ts';

/** An attempt to sign in that was looked up and counted. */
export interface CountedAttempt {
  account: Account | undefined;
  known: Known;
  /** Seconds until its network may sign in again; 0 while it may. An attempt that isn't known and has to wait isn't counted. */
  limitedFor: number;
  /** Whether the account's password may be checked. */
  mayCheck: boolean;
}

type AttemptRow = { known: Known; limited_for: number; checks: number | null } & {
  [Field in keyof Account]: Account[Field] | null;
};

/**
 * Looks up the account of an address, and counts an attempt to sign in to it before its password is checked, in one statement that
 * does the same for an address without an account. The commit doesn't wait for the disk. Every answer that says something about the
 * password must: the commit that records a success or a failure does, for both, and so does `Throttle.persist`.
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
