import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { databaseNow, millisecondsIn } from '#platform/database/milliseconds.ts';

/** A team of a connected server and the team that governs it. Times are in milliseconds, 0 for never. */
export interface StoredMapping {
  server_id: string;
  remote_id: string;
  team_id: string;
  direct_messages: boolean;
  accepted_at: number;
  paused_at: number;
  name: string;
  default_channel_ids: string[];
}

const selectMappings = (db: Database | Trx) =>
  db
    .selectFrom('connected_teams as t')
    .innerJoin('connected_servers as s', 's.id', 't.server_id')
    .select(['t.server_id', 't.remote_id', 't.team_id', 't.direct_messages', 't.default_channel_ids', 's.name'])
    .select([millisecondsIn('t.accepted_at').as('accepted_at'), millisecondsIn('t.paused_at').as('paused_at')]);

export function listMappings(db: Database | Trx, serverId: string): Promise<StoredMapping[]> {
  return selectMappings(db).where('t.server_id', '=', serverId).orderBy('t.remote_id').execute();
}

export interface MappingKey {
  serverId: string;
  teamId: string;
}

const find = (db: Database | Trx, { serverId, teamId }: MappingKey) =>
  selectMappings(db).where('t.server_id', '=', serverId).where('t.team_id', '=', teamId);

export function findMapping(db: Database | Trx, key: MappingKey): Promise<StoredMapping | undefined> {
  return find(db, key).executeTakeFirst();
}

/** An owner's decisions about the mapping wait until this transaction ends. */
export function shareMapping(trx: Trx, key: MappingKey): Promise<StoredMapping | undefined> {
  return find(trx, key).forShare(['t']).executeTakeFirst();
}

/** Waits for everything that relies on the mapping. */
export function lockMapping(trx: Trx, key: MappingKey): Promise<StoredMapping | undefined> {
  return find(trx, key).forUpdate(['t']).executeTakeFirst();
}

export async function addMapping(
  trx: Trx,
  mapping: { serverId: string; remoteId: string; teamId: string; directMessages: boolean },
): Promise<void> {
  await trx
    .insertInto('connected_teams')
    .values({
      server_id: mapping.serverId,
      remote_id: mapping.remoteId,
      team_id: mapping.teamId,
      direct_messages: mapping.directMessages,
    })
    .execute();
}

export async function setAccepted(
  trx: Trx,
  key: MappingKey,
  { by, night }: { by: string; night: string },
): Promise<void> {
  await update(trx, key, { accepted_at: sql<Date>`clock_timestamp()`, accepted_by: by, night });
}

export async function setLeft(trx: Trx, key: MappingKey): Promise<void> {
  await update(trx, key, { accepted_at: null, accepted_by: null, paused_at: null, default_channel_ids: [] });
}

export async function setPaused(trx: Trx, key: MappingKey, paused: boolean): Promise<void> {
  await update(trx, key, { paused_at: paused ? sql<Date>`clock_timestamp()` : null });
}

export async function setDefaultChannels(trx: Trx, key: MappingKey, ids: readonly string[]): Promise<void> {
  await update(trx, key, { default_channel_ids: [...ids] });
}

/** Claims a night; false if it was decided already. */
export async function claimConnectedNight(trx: Trx, key: MappingKey, night: string): Promise<boolean> {
  const row = await trx
    .updateTable('connected_teams')
    .set({ night })
    .where('server_id', '=', key.serverId)
    .where('team_id', '=', key.teamId)
    .where('night', '<', night)
    .returning('team_id')
    .executeTakeFirst();
  return row !== undefined;
}

async function update(trx: Trx, { serverId, teamId }: MappingKey, changes: object): Promise<void> {
  await trx
    .updateTable('connected_teams')
    .set(changes)
    .where('server_id', '=', serverId)
    .where('team_id', '=', teamId)
    .execute();
}

/** Waits for a hold that is being saved, and keeps others from being saved until this transaction ends. */
export async function waitForHolds(trx: Trx, teamId: string): Promise<void> {
  await trx.selectFrom('teams').select('id').where('id', '=', teamId).forKeyShare().execute();
}

export interface DueMapping extends MappingKey {
  time_zone: string;
  night: string;
  /** The database's clock, in milliseconds. */
  now: number;
}

/** Accepted mappings that aren't paused. */
export async function listNights(db: Database): Promise<DueMapping[]> {
  return db
    .selectFrom('connected_teams as t')
    .innerJoin('teams', 'teams.id', 't.team_id')
    .where('t.accepted_at', 'is not', null)
    .where('t.paused_at', 'is', null)
    .select(['t.server_id as serverId', 't.team_id as teamId', 'teams.time_zone', 't.night'])
    .select(databaseNow.$notNull().as('now'))
    .execute();
}
