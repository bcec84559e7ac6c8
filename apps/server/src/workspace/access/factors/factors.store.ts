import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import type { SealedRows } from '#platform/security/reseal.ts';
import { hashToken } from '#platform/security/secrets.ts';
import { isActive } from '#workspace/users/active-members.store.ts';
import { readCode, TOTP_PURPOSE } from './codes.ts';
import { removePasskeys } from './passkeys.store.ts';

export interface FactorCounts {
  totp: boolean;
  passkeys: number;
  recovery_codes_left: number;
}

/** An authenticator app counts from its first code on. */
export async function countFactors(db: Database | Trx, userId: string): Promise<FactorCounts> {
  const { rows } = await sql<FactorCounts>`
    select exists (select from totp_factors where person_id = ${userId} and confirmed_at is not null) as totp,
      (select count(*)::int from passkeys where person_id = ${userId}) as passkeys,
      (select count(*)::int from recovery_codes where person_id = ${userId}) as recovery_codes_left`.execute(db);
  return rows[0] ?? { totp: false, passkeys: 0, recovery_codes_left: 0 };
}

/** Part of a statement. */
export function factorExists(userId: RawBuilder<string>): RawBuilder<boolean> {
  return sql`(exists (select from totp_factors where person_id = ${userId} and confirmed_at is not null)
    or exists (select from passkeys where person_id = ${userId}))`;
}

/** Part of a statement for many users. PostgreSQL joins the tables only if each is denied by itself. */
export function factorMissing(userId: RawBuilder<string>): RawBuilder<boolean> {
  return sql`(not exists (select from totp_factors where person_id = ${userId} and confirmed_at is not null)
    and not exists (select from passkeys where person_id = ${userId}))`;
}

export async function hasFactor(db: Database | Trx, userId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select ${factorExists(sql`${userId}`)} as found`.execute(db);
  return rows[0]?.found === true;
}

/** An active owner of a team. */
export interface OwnerRow {
  id: string;
  name: string;
  email: string;
  has_second_factor: boolean;
  /** The owner may enter with the second factor where single sign-on is required. */
  is_break_glass: boolean;
}

export async function listOwnersWithFactors(db: Database | Trx, teamId: string): Promise<OwnerRow[]> {
  const { rows } = await sql<OwnerRow>`
    select p.id, coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), p.email) as name, p.email,
      ${factorExists(sql`p.id`)} as has_second_factor, b.person_id is not null as is_break_glass
    from memberships m join people p on p.id = m.person_id
    left join break_glass_owners b on b.team_id = m.team_id and b.person_id = m.person_id
    where m.team_id = ${teamId} and m.roles && array['team_admin', 'team_owner', 'zendesk']
      and 'team_owner' = any(m.roles) and ${isActive()}
    order by lower(coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), p.email)), p.id`.execute(db);
  return rows;
}

/** Someone can open the team while its identity provider is down. */
export async function hasBreakGlassOwner(db: Database | Trx, teamId: string): Promise<boolean> {
  return (await listOwnersWithFactors(db, teamId)).some(
    ({ is_break_glass, has_second_factor }) => is_break_glass && has_second_factor,
  );
}

/** Removes recovery codes too, and the right to enter teams without single sign-on; false if there was no factor. */
export async function removeFactors(trx: Trx, userId: string): Promise<boolean> {
  const had = await hasFactor(trx, userId);
  await trx.deleteFrom('totp_factors').where('person_id', '=', userId).execute();
  await removePasskeys(trx, userId);
  await removeRecoveryCodes(trx, userId);
  await removeBreakGlassOwner(trx, userId);
  return had;
}

/** Locks the account, so that the second of two changes of its factors sees the first. */
export async function lockFactors(trx: Trx, userId: string): Promise<void> {
  await trx.selectFrom('people').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}

/** The secret is encrypted; `last_step` is the last time step that was used. */
export interface TotpRow {
  secret: string;
  last_step: number;
}

export async function findTotp(db: Database | Trx, userId: string): Promise<TotpRow | undefined> {
  return db
    .selectFrom('totp_factors')
    .select(['secret', 'last_step'])
    .where('person_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
}

/** Minutes within which a code must follow the new secret. */
const SET_UP_MINUTES = 60;

/** Only the session that stored the secret finds it. */
export async function findPendingTotp(
  trx: Trx,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<TotpRow | undefined> {
  return trx
    .selectFrom('totp_factors')
    .select(['secret', 'last_step'])
    .where('person_id', '=', userId)
    .where('session_id', '=', sessionId)
    .where('confirmed_at', 'is', null)
    .where('created_at', '>', sql<Date>`now() - make_interval(mins => ${SET_UP_MINUTES})`)
    .executeTakeFirst();
}

/** Stores a secret that isn't confirmed yet, in place of an earlier one; false if an authenticator app is set up. */
export async function savePendingTotp(
  trx: Trx,
  { userId, sessionId }: { userId: string; sessionId: string },
  secret: string,
): Promise<boolean> {
  const row = await trx
    .insertInto('totp_factors')
    .values({ person_id: userId, session_id: sessionId, secret })
    .onConflict((conflict) =>
      conflict
        .column('person_id')
        .doUpdateSet({ secret, session_id: sessionId, created_at: sql<Date>`now()` })
        .where('totp_factors.confirmed_at', 'is', null),
    )
    .returning('person_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function confirmTotp(trx: Trx, userId: string, step: number): Promise<void> {
  await trx
    .updateTable('totp_factors')
    .set({ confirmed_at: sql<Date>`now()`, last_step: step, session_id: null })
    .where('person_id', '=', userId)
    .execute();
}

/** Uses up the code of a time step; false if it, or a later one, was used. */
export async function useTotpStep(trx: Trx, userId: string, step: number): Promise<boolean> {
  const row = await trx
    .updateTable('totp_factors')
    .set({ last_step: step })
    .where('person_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .where('last_step', '<', step)
    .returning('person_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function removeTotp(trx: Trx, userId: string): Promise<boolean> {
  const row = await trx
    .deleteFrom('totp_factors')
    .where('person_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .returning('person_id')
    .executeTakeFirst();
  return row !== undefined;
}

// A recovery code has too many bits to be guessed, so its hash needs no salt and needn't be slow.
const hashCode = (code: string): string => {
  const read = readCode(code);
  return hashToken(read.kind === 'neither' ? '' : read.code);
};

export async function saveRecoveryCodes(trx: Trx, userId: string, codes: readonly string[]): Promise<void> {
  await removeRecoveryCodes(trx, userId);
  const rows = codes.map((code) => ({ person_id: userId, code_hash: hashCode(code) }));
  await trx.insertInto('recovery_codes').values(rows).execute();
}

/** Uses up a recovery code; false if the user has no such code. */
export async function useRecoveryCode(trx: Trx, userId: string, code: string): Promise<boolean> {
  const row = await trx
    .deleteFrom('recovery_codes')
    .where('person_id', '=', userId)
    .where('code_hash', '=', hashCode(code))
    .returning('person_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function removeRecoveryCodes(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('person_id', '=', userId).execute();
}

export const totpSecrets: SealedRows<{ person_id: string; sealed: string }> = {
  purpose: TOTP_PURPOSE,
  list: (db) => db.selectFrom('totp_factors').select(['person_id', 'secret as sealed']).orderBy('person_id').execute(),
  async replace(db, { person_id, sealed }, secret) {
    await db
      .updateTable('totp_factors')
      .set({ secret })
      .where('person_id', '=', person_id)
      .where('secret', '=', sealed)
      .execute();
  },
};

/** Replaces the named owners of a team. The caller has checked that they are its owners and have a second factor. */
export async function saveBreakGlassOwners(trx: Trx, teamId: string, userIds: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('break_glass_owners')
    .where('team_id', '=', teamId)
    .where(sql<boolean>`person_id <> all(${[...userIds]})`)
    .execute();
  await sql`insert into break_glass_owners (team_id, person_id) select ${teamId}, unnest(${[...userIds]}::text[])
    on conflict do nothing`.execute(trx);
}

/** In all teams: only owners with a second factor are named to enter without single sign-on. */
export async function removeBreakGlassOwner(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('break_glass_owners').where('person_id', '=', userId).execute();
}
