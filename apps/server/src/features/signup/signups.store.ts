import { SIGNUP_HOURS } from '@steward/contract/api/limits';
import type { SignUpRequest } from '@steward/contract/signup';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { hashToken, newToken } from '#platform/security/secrets.ts';

/** A request for a team whose link still works. */
export interface SignUpRow {
  token_hash: string;
  owner_email: string;
  team_name: string;
  invitees: string[];
  is_checked: boolean;
  /** The team that looking at the link made, for an owner with an account; null while there is none. */
  team_id: string | null;
}

/** Stores a request and answers the token of its link. */
export async function addSignUp(trx: Trx, { team_name, owner_email, invitees }: SignUpRequest): Promise<string> {
  const token = newToken();
  await sql`insert into signups (token_hash, owner_email, team_name, invitees, expires_at)
    values (${hashToken(token)}, ${owner_email}, ${team_name}, ${invitees},
      now() + make_interval(hours => ${SIGNUP_HOURS}))`.execute(trx);
  return token;
}

/**
 * The request of a link that still works, with all requests of its owner held until the transaction ends, in one order:
 * finishing one of them ends others.
 */
export async function lockSignUp(trx: Trx, token: string): Promise<SignUpRow | undefined> {
  const hash = hashToken(token);
  const { rows } = await sql<SignUpRow & { is_open: boolean }>`
    select token_hash, owner_email, team_name, invitees, checked_at is not null as is_checked, team_id,
      used_at is null and expires_at > now() as is_open
    from signups where owner_email = (select s.owner_email from signups s where s.token_hash = ${hash})
    order by token_hash for update`.execute(trx);
  return rows.find((row) => row.token_hash === hash && row.is_open);
}

/** Notes that somebody has looked where the link leads. */
export async function markSignUpChecked(trx: Trx, { token_hash }: SignUpRow): Promise<void> {
  await sql`update signups set checked_at = now() where token_hash = ${token_hash}`.execute(trx);
}

/**
 * Notes the team that a request has made, and ends the owner's other open requests for a team of this name. A link that
 * made its team by being looked at can be looked at again: it is not used up.
 */
export async function recordTeamCreated(
  trx: Trx,
  { token_hash, owner_email, team_name }: SignUpRow,
  made: { teamId: string; isUsedUp: boolean },
): Promise<void> {
  await sql`update signups set invitees = '{}',
      team_id = case when token_hash = ${token_hash} then ${made.teamId} end,
      used_at = case when token_hash <> ${token_hash} or ${made.isUsedUp} then now() end
    where owner_email = ${owner_email} and lower(team_name) = lower(${team_name})
      and used_at is null and team_id is null`.execute(trx);
}

/** Forgets requests whose link is over, whether they made a team or not. */
export async function removeOldSignUps(db: Database): Promise<void> {
  await sql`delete from signups where expires_at < now()`.execute(db);
}

/** Ends every request, whatever came of it, and answers how many there were. */
export async function removeAllSignUps(trx: Trx): Promise<number> {
  const { numDeletedRows } = await trx.deleteFrom('signups').executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
