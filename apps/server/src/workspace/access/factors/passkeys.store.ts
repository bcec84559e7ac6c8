import { CHALLENGE_MINUTES } from '@steward/contract/api/limits';
import type { Passkey } from '@steward/contract/factors/factors';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { millisecondsIn, toMilliseconds } from '#platform/database/milliseconds.ts';
import { hashToken } from '#platform/security/secrets.ts';

export interface StoredPasskey {
  id: string;
  person_id: string;
  credential_id: string;
  /** COSE key in base64url. */
  public_key: string;
  counter: number;
  transports: string[];
}

const shown = [
  'id',
  'name',
  millisecondsIn('created_at').as('created_at'),
  toMilliseconds(sql.ref('last_used_at')).as('last_used_at'),
] as const;

export async function listPasskeys(db: Database | Trx, userId: string): Promise<Passkey[]> {
  return db.selectFrom('passkeys').select(shown).where('person_id', '=', userId).orderBy('id').execute();
}

/** The list that the browser gets, so that it offers only these passkeys. */
export async function listCredentials(
  db: Database | Trx,
  userId: string,
): Promise<{ id: string; transports: string[] }[]> {
  return db
    .selectFrom('passkeys')
    .select(['credential_id as id', 'transports'])
    .where('person_id', '=', userId)
    .orderBy('passkeys.id')
    .execute();
}

export async function findPasskey(db: Database | Trx, credentialId: string): Promise<StoredPasskey | undefined> {
  return db
    .selectFrom('passkeys')
    .select(['id', 'person_id', 'credential_id', 'public_key', 'counter', 'transports'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
}

export interface NewPasskey extends Omit<StoredPasskey, 'id'> {
  device_type: string;
  backed_up: boolean;
  name: string;
}

/** Adds a passkey; undefined if the credential exists already. */
export async function addPasskey(trx: Trx, passkey: NewPasskey): Promise<Passkey | undefined> {
  return trx
    .insertInto('passkeys')
    .values({ id: newId(), ...passkey })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(shown)
    .executeTakeFirst();
}

/** Records a use; false if the passkey was removed, or its counter used, since it was read. */
export async function recordPasskeyUse(
  trx: Trx,
  { id, counter, backedUp }: { id: string; counter: number; backedUp: boolean },
): Promise<boolean> {
  const row = await trx
    .updateTable('passkeys')
    .set({ counter, backed_up: backedUp, last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    // Passkeys that are synchronized between devices don't count: theirs stays 0.
    .where(({ eb, and }) => eb('counter', '<', counter).or(and([eb('counter', '=', 0), eb.lit(counter === 0)])))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function removePasskey(trx: Trx, userId: string, id: string): Promise<boolean> {
  const row = await trx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('person_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function removePasskeys(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('passkeys').where('person_id', '=', userId).execute();
}

/** Uses up a challenge; false if it was used before. */
export async function useChallenge(trx: Trx, challenge: string): Promise<boolean> {
  const row = await trx
    .insertInto('used_challenges')
    .values({ challenge_hash: hashToken(challenge) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('challenge_hash')
    .executeTakeFirst();
  return row !== undefined;
}

export async function removeOldChallenges(db: Database): Promise<void> {
  const old = sql<Date>`now() - make_interval(mins => ${2 * CHALLENGE_MINUTES})`;
  await db.deleteFrom('used_challenges').where('used_at', '<', old).execute();
}
