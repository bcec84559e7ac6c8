import { DEVICE_DAYS, DEVICES_PER_USER, SIGN_IN_DAYS } from '@steward/contract/api/limits';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { getNetwork } from '#platform/http/network.ts';
import { hashToken } from '#platform/security/secrets.ts';

/**
 * `device`: the browser has the cookie of an earlier sign-in of the account. `address`: its network had one within 90
 * days.
 */
export type Known = 'device' | 'address' | 'no';

export interface SignInFrom {
  address: string;
  /** Token of the device cookie. */
  device: string | undefined;
}

/** Part of a statement. */
export function getKnown(userId: RawBuilder<string>, { address, device }: SignInFrom): RawBuilder<Known> {
  return sql`case
    when exists (select from known_devices d where d.person_id = ${userId}
        and d.token_hash = ${device === undefined ? '' : hashToken(device)}
        and d.seen_at > now() - make_interval(days => ${DEVICE_DAYS})) then 'device'
    when exists (select from known_addresses a where a.person_id = ${userId} and a.address = ${getNetwork(address)}
        and a.seen_at > now() - make_interval(days => ${SIGN_IN_DAYS})) then 'address'
    else 'no' end`;
}

export async function findKnown(db: Database, userId: string, from: SignInFrom): Promise<Known> {
  const { rows } = await sql<{ known: Known }>`select ${getKnown(sql`${userId}`, from)} as known`.execute(db);
  return rows[0]?.known ?? 'no';
}

/** Part of a statement: records the network of a sign-in. */
export function upsertKnownAddress(userId: string, address: string, from: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into known_addresses (person_id, address) select ${userId}, ${getNetwork(address)} ${from}
    on conflict (person_id, address) do update set seen_at = now()`;
}

/** Part of a statement: records the browser of a sign-in, by the hash of its token. */
export function upsertKnownDevice(userId: string, tokenHash: string, from: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into known_devices (person_id, token_hash) select ${userId}, ${tokenHash} ${from}
    on conflict (person_id, token_hash) do update set seen_at = now()`;
}

/** Part of a statement: forgets the oldest of too many browsers, counting the one that is recorded. */
export function deleteOldestDevices(userId: string, tokenHash: string, when: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`delete from known_devices where person_id = ${userId} and token_hash in (
    select token_hash from known_devices where person_id = ${userId} and token_hash <> ${tokenHash}
    order by seen_at desc, token_hash offset ${DEVICES_PER_USER - 1}) and ${when}`;
}

/** Forgets the browsers of users who were signed out of their devices, except browsers that are still signed in. */
export async function removeKnownDevices(trx: Trx, userIds: readonly string[]): Promise<void> {
  await sql`delete from known_devices d where d.person_id = any(${userIds}) and not exists
    (select from sessions s where s.person_id = d.person_id and s.known_device = d.token_hash)`.execute(trx);
}

export async function removeKnownDevice(trx: Trx, userId: string, tokenHash: string): Promise<void> {
  await trx.deleteFrom('known_devices').where('person_id', '=', userId).where('token_hash', '=', tokenHash).execute();
}

export async function removeAllKnownDevices(trx: Trx): Promise<void> {
  await trx.deleteFrom('known_devices').execute();
}

export async function removeOldKnown(db: Database): Promise<void> {
  await sql`delete from known_addresses where seen_at < now() - make_interval(days => ${SIGN_IN_DAYS})`.execute(db);
  await sql`delete from known_devices where seen_at < now() - make_interval(days => ${DEVICE_DAYS})`.execute(db);
}
