import { DEVICE_DAYS, DEVICES_PER_PERSON, SIGN_IN_DAYS } from '@steward/contract/api/limits';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { getNetwork } from '#platform/http/network.ts';
import { hashToken, newToken } from '#platform/security/secrets.ts';

/**
 * How a sign-in is known: its browser has the cookie of an earlier sign-in of the account, its network had one within 90 days,
 * or neither.
 */
export type Known = 'device' | 'address' | 'no';

/** Where a sign-in comes from. */
export interface SignInFrom {
  address: string;
  /** Token of the device cookie. */
  device: string | undefined;
}

/** Whether the account of a person was used from this browser or network. */
export async function findKnown(db: Database, personId: string, { address, device }: SignInFrom): Promise<Known> {
  const { rows } = await sql<{ is_device: boolean; is_address: boolean }>`
    select exists (select from known_devices d where d.person_id = ${personId}
        and d.token_hash = ${device === undefined ? '' : hashToken(device)}
        and d.seen_at > now() - make_interval(days => ${DEVICE_DAYS})) as is_device,
      exists (select from known_addresses a where a.person_id = ${personId} and a.address = ${getNetwork(address)}
        and a.seen_at > now() - make_interval(days => ${SIGN_IN_DAYS})) as is_address`.execute(db);
  if (rows[0]?.is_device) return 'device';
  return rows[0]?.is_address ? 'address' : 'no';
}

/** Records the network that the person signed in from. */
export async function saveKnownAddress(trx: Trx, personId: string, address: string): Promise<void> {
  await trx
    .insertInto('known_addresses')
    .values({ person_id: personId, address: getNetwork(address) })
    .onConflict((known) => known.columns(['person_id', 'address']).doUpdateSet({ seen_at: sql<Date>`now()` }))
    .execute();
}

/**
 * Records the browser that the person signed in with, and returns the token for its cookie. A token that isn't known for this
 * person isn't taken over: someone else may have put it there. Of too many the oldest are forgotten.
 */
export async function saveKnownDevice(trx: Trx, personId: string, known: string | undefined): Promise<string> {
  const token = known ?? newToken();
  const hash = hashToken(token);
  await sql`with kept as (select token_hash from known_devices where person_id = ${personId} and token_hash <> ${hash}
      order by seen_at desc, token_hash limit ${DEVICES_PER_PERSON - 1}),
    gone as (delete from known_devices where person_id = ${personId} and token_hash <> ${hash}
      and token_hash not in (select token_hash from kept))
    insert into known_devices (person_id, token_hash) values (${personId}, ${hash})
    on conflict (person_id, token_hash) do update set seen_at = now()`.execute(trx);
  return token;
}

/** Forgets the browsers of people who were signed out of their devices, except browsers that are still signed in. */
export async function removeKnownDevices(trx: Trx, personIds: readonly string[]): Promise<void> {
  await sql`delete from known_devices d where d.person_id = any(${personIds}) and not exists
    (select from sessions s where s.person_id = d.person_id and s.known_device = d.token_hash)`.execute(trx);
}

/** Forgets one browser of a person. */
export async function removeKnownDevice(trx: Trx, personId: string, tokenHash: string): Promise<void> {
  await trx.deleteFrom('known_devices').where('person_id', '=', personId).where('token_hash', '=', tokenHash).execute();
}

/** Forgets all browsers of all people. */
export async function removeAllKnownDevices(trx: Trx): Promise<void> {
  await trx.deleteFrom('known_devices').execute();
}

/** Deletes networks and browsers that were not used for so long that they no longer count as known. */
export async function removeOldKnown(db: Database): Promise<void> {
  await sql`delete from known_addresses where seen_at < now() - make_interval(days => ${SIGN_IN_DAYS})`.execute(db);
  await sql`delete from known_devices where seen_at < now() - make_interval(days => ${DEVICE_DAYS})`.execute(db);
}
