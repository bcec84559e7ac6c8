import { LEASE_SECONDS } from '@steward/contract/api/limits';
import type { CheckRow } from '@steward/contract/connections/fields';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { millisecondsIn } from '#platform/database/milliseconds.ts';
import { hashToken, newToken } from '#platform/security/secrets.ts';

/** Operators and secret scanners recognize a connector token by this prefix. */
const TOKEN_PREFIX = 'stc_';

/** Only the hash of the token is stored. */
export async function addServer(
  trx: Trx,
  { provider, name }: { provider: string; name: string },
): Promise<{ id: string; token: string }> {
  const [id, token] = [newId(), TOKEN_PREFIX + newToken()];
  await trx
    .insertInto('connected_servers')
    .values({ id, provider, name, token_hash: hashToken(token) })
    .execute();
  return { id, token };
}

/** Replaces the token and ends the lease. Undefined if there is no such connection. */
export async function renewToken(trx: Trx, id: string): Promise<string | undefined> {
  const token = TOKEN_PREFIX + newToken();
  const row = await trx
    .updateTable('connected_servers')
    .set({ token_hash: hashToken(token), lease_until: null })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row && token;
}

/** Removes a connection with all that was listed through it. */
export async function removeServer(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('connected_servers').where('id', '=', id).execute();
}

export interface ServerOverview {
  id: string;
  provider: string;
  name: string;
  /** The end of the last lease, in milliseconds; 0 for none. */
  last_seen_at: number;
}

export async function listServers(db: Database | Trx): Promise<ServerOverview[]> {
  return db
    .selectFrom('connected_servers')
    .select(['id', 'provider', 'name', millisecondsIn('lease_until').as('last_seen_at')])
    .orderBy('id')
    .execute();
}

export async function findServerByToken(db: Database | Trx, token: string): Promise<{ id: string } | undefined> {
  return db.selectFrom('connected_servers').select('id').where('token_hash', '=', hashToken(token)).executeTakeFirst();
}

/** Takes or extends the lease; undefined while another bridge has it. */
export async function takeLease(
  trx: Trx,
  serverId: string,
  { lease, bridge }: { lease: string | undefined; bridge: string },
): Promise<string | undefined> {
  const row = await trx
    .updateTable('connected_servers')
    .set({
      lease_id: sql<string>`case when lease_until > clock_timestamp() then lease_id else ${newId()} end`,
      lease_until: sql<Date>`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`,
      bridge,
    })
    .where('id', '=', serverId)
    .where(sql<boolean>`coalesce(lease_until <= clock_timestamp(), true) or lease_id = ${lease ?? ''}`)
    .returning('lease_id')
    .executeTakeFirst();
  return row?.lease_id ?? undefined;
}

export async function releaseLease(trx: Trx, serverId: string): Promise<void> {
  await trx
    .updateTable('connected_servers')
    .set({ lease_until: sql<Date>`clock_timestamp()` })
    .where('id', '=', serverId)
    .execute();
}

const selectLease = (db: Database | Trx, serverId: string, lease: string) =>
  db
    .selectFrom('connected_servers')
    .select('id')
    .where('id', '=', serverId)
    .where('lease_id', '=', lease)
    .where('lease_until', '>', sql<Date>`clock_timestamp()`);

export async function hasLease(db: Database, serverId: string, lease: string): Promise<boolean> {
  return (await selectLease(db, serverId, lease).executeTakeFirst()) !== undefined;
}

/** True if the bridge has the lease; no other one gets it until this transaction ends. */
export async function lockLease(trx: Trx, serverId: string, lease: string): Promise<boolean> {
  return (await selectLease(trx, serverId, lease).forShare().executeTakeFirst()) !== undefined;
}

export async function saveStatus(
  trx: Trx,
  serverId: string,
  { server_version, checks }: { server_version: string; checks: readonly CheckRow[] },
): Promise<void> {
  await trx
    .updateTable('connected_servers')
    .set({
      server_version,
      checks: JSON.stringify(checks),
      reported_at: sql<Date>`clock_timestamp()`,
      // Another version has to be rehearsed again.
      rehearsal_passed: sql<boolean>`rehearsal_passed and server_version = ${server_version}`,
    })
    .where('id', '=', serverId)
    .execute();
}

export async function saveRehearsal(
  trx: Trx,
  serverId: string,
  { server_version, checks }: { server_version: string; checks: readonly CheckRow[] },
): Promise<boolean> {
  const passed = checks.every((check) => check.passed);
  await trx
    .updateTable('connected_servers')
    .set({
      server_version,
      rehearsal: JSON.stringify(checks),
      rehearsal_passed: passed,
      rehearsed_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', serverId)
    .execute();
  return passed;
}

/** Records the end of a complete list. */
export async function setListed(trx: Trx, serverId: string, kind: 'users' | 'channels'): Promise<void> {
  await trx
    .updateTable('connected_servers')
    .set({ [`${kind}_listed_at`]: sql<Date>`clock_timestamp()` })
    .where('id', '=', serverId)
    .execute();
}

/** The lists of users and channels have to begin again, because they left out a team. */
export async function setUnlisted(trx: Trx, serverId: string): Promise<void> {
  await trx
    .updateTable('connected_servers')
    .set({ users_listed_at: null, channels_listed_at: null })
    .where('id', '=', serverId)
    .execute();
}

export interface ServerState {
  id: string;
  provider: string;
  name: string;
  server_version: string;
  /** True if the server was checked within a quarter of an hour and nothing was missing. */
  is_ready: boolean;
  rehearsal_passed: boolean;
  rehearsed_at: number;
  users_listed_at: number;
  channels_listed_at: number;
}

export async function findServer(db: Database | Trx, id: string): Promise<ServerState | undefined> {
  return db
    .selectFrom('connected_servers')
    .select(['id', 'provider', 'name', 'server_version', 'rehearsal_passed'])
    .select([
      isReady.as('is_ready'),
      millisecondsIn('rehearsed_at').as('rehearsed_at'),
      millisecondsIn('users_listed_at').as('users_listed_at'),
      millisecondsIn('channels_listed_at').as('channels_listed_at'),
    ])
    .where('id', '=', id)
    .executeTakeFirst();
}

const isReady = sql<boolean>`coalesce(reported_at > clock_timestamp() - interval '15 minutes', false)
  and not exists (select 1 from jsonb_array_elements(checks) as c where not (c->>'passed')::boolean)`;

/**
 * Ends all connector tokens of a restored workspace, with a schema of any version. It doesn't know what was deleted since the
 * backup, so everything has to be listed again before anything is deleted.
 */
export const END_ALL_CONNECTOR_TOKENS = `do $$ begin
  if to_regclass('connected_servers') is not null then
    update connected_servers set token_hash = 'ended:' || id, lease_until = null, reported_at = null,
      users_listed_at = null, channels_listed_at = null, rehearsal_passed = false;
  end if;
end $$`;
