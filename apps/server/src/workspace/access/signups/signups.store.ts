import { SIGNUP_HOURS } from '@steward/contract/api/limits';
import type { SignUpRequest } from '@steward/contract/signup';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { millisecondsIn } from '#platform/database/milliseconds.ts';
import { hashToken, newToken } from '#platform/security/secrets.ts';

/** A sign-up whose link still works. */
export interface SignUpRow {
  token_hash: string;
  owner_email: string;
  team_name: string;
  invitees: string[];
  time_zone: string;
  is_checked: boolean;
  /** Milliseconds. For an owner with an account, the last moment for the sign-in that creates the team. */
  expires_at: number;
  /** When the link was first opened for an owner with an account; 0 for never. */
  confirmed_at: number;
  /** The team that a sign-in of an owner with an account created; null until then. */
  team_id: string | null;
}

/** Stores a request and returns the token of its link, and when it expires in milliseconds. */
export async function addSignUp(
  trx: Trx,
  { team_name, owner_email, invitees, time_zone }: SignUpRequest,
): Promise<{ token: string; expiresAt: number }> {
  const token = newToken();
  const { expiresAt } = await trx
    .insertInto('signups')
    .values({
      token_hash: hashToken(token),
      owner_email,
      team_name,
      invitees,
      time_zone,
      expires_at: sql<Date>`now() + make_interval(hours => ${SIGNUP_HOURS})`,
    })
    .returning(millisecondsIn('expires_at').as('expiresAt'))
    .executeTakeFirstOrThrow();
  return { token, expiresAt };
}

/** The sign-up of a link that still works, locked like `lockOpenSignUps`. */
export async function lockSignUp(trx: Trx, token: string): Promise<SignUpRow | undefined> {
  const hash = hashToken(token);
  const row = await trx.selectFrom('signups').select('owner_email').where('token_hash', '=', hash).executeTakeFirst();
  const rows = row ? await lockOpenSignUps(trx, row.owner_email) : [];
  return rows.find(({ token_hash }) => token_hash === hash);
}

/**
 * The sign-ups of an owner whose links still work. Locks all of the owner's until the transaction ends, in one order,
 * because finishing one of them ends others.
 */
export async function lockOpenSignUps(trx: Trx, email: string): Promise<SignUpRow[]> {
  const rows = await trx
    .selectFrom('signups')
    .select(['token_hash', 'owner_email', 'team_name', 'invitees', 'time_zone', 'team_id'])
    .select([
      millisecondsIn('expires_at').as('expires_at'),
      sql<boolean>`checked_at is not null`.as('is_checked'),
      millisecondsIn('confirmed_at').as('confirmed_at'),
      sql<boolean>`used_at is null and expires_at > now()`.as('is_open'),
    ])
    .where('owner_email', '=', email)
    .orderBy('token_hash')
    .forUpdate()
    .execute();
  return rows.filter((row) => row.is_open);
}

/**
 * Part of a statement: true if the next sign-in with the address of `people p` creates a team. The operator may have closed
 * sign-up since.
 */
export const awaitsSignIn = sql<boolean>`exists (select from signups s where s.owner_email = p.email
  and s.confirmed_at is not null and s.team_id is null and s.used_at is null and s.expires_at > now())`;

/** Records that the link was opened. */
export async function markSignUpChecked(trx: Trx, { token_hash }: SignUpRow): Promise<void> {
  await trx.updateTable('signups').set({ checked_at: sql<Date>`now()` }).where('token_hash', '=', token_hash).execute();
}

/** Records that the link was opened for an owner with an account, who has a day from now on. Returns when that ends. */
export async function confirmSignUp(trx: Trx, { token_hash }: SignUpRow): Promise<number> {
  const { expires_at } = await trx
    .updateTable('signups')
    .set({ confirmed_at: sql<Date>`now()`, expires_at: sql<Date>`now() + make_interval(hours => ${SIGNUP_HOURS})` })
    .where('token_hash', '=', token_hash)
    .returning(millisecondsIn('expires_at').as('expires_at'))
    .executeTakeFirstOrThrow();
  return expires_at;
}

/**
 * Records the team of a sign-up, and ends the owner's other open sign-ups for a team of this name. The link of an owner with
 * an account isn't used up: opened again, it says that the team exists.
 */
export async function recordTeamCreated(
  trx: Trx,
  { token_hash, owner_email, team_name }: SignUpRow,
  created: { teamId: string; isUsedUp: boolean },
): Promise<void> {
  await sql`update signups set invitees = '{}',
      team_id = case when token_hash = ${token_hash} then ${created.teamId} end,
      used_at = case when token_hash <> ${token_hash} or ${created.isUsedUp} then now() end
    where owner_email = ${owner_email} and lower(team_name) = lower(${team_name})
      and used_at is null and team_id is null`.execute(trx);
}

export async function removeOldSignUps(db: Database): Promise<void> {
  await db.deleteFrom('signups').where('expires_at', '<', sql<Date>`now()`).execute();
}

/** Removes every sign-up and returns how many there were. */
export async function removeAllSignUps(trx: Trx): Promise<number> {
  const { numDeletedRows } = await trx.deleteFrom('signups').executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
