import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { BatchRange, ExpiredCount, LeftoverItem, MarkedBatch, RetentionScope, StoredCount } from './expiry.ts';
import type { ActiveHold } from './holds/active-holds.rules.ts';
import { isHeld } from './holds/held.store.ts';
import type { IncomingFile, IngestResult, ItemSource, ItemWriter } from './ingest.ts';
import {
  type BatchRow,
  CLOCKS,
  countExpired,
  countStored,
  isNotKept,
  isNotKeptInBatch,
  toMarkedBatch,
} from './items.store.ts';

const isExpired = (scope: RetentionScope) => {
  const { hasClock, column } = CLOCKS[scope.clock];
  return sql<boolean>`team_id = ${scope.teamId} and ${hasClock} and ${column} < ${scope.cutoff}`;
};

export async function countExpiredFiles(db: Database | Trx, scope: RetentionScope): Promise<ExpiredCount> {
  const { column } = CLOCKS[scope.clock];
  const from = sql`from files where ${isExpired(scope)} and ${isNotKept(scope)}`;
  return countExpired(db, { from, column, held: isHeld(scope.teamId, scope.holds, { table: 'files' }) });
}

export async function countStoredFiles(db: Database, teamId: string): Promise<StoredCount> {
  return countStored(db, { from: sql`from files where team_id = ${teamId}`, column: CLOCKS.own.column });
}

/** Marks the next expired files for deletion, which hides them, unless a hold covers them; repeated, it returns the same ones again. */
export async function markExpiredFiles(
  trx: Trx,
  scope: RetentionScope,
  { after, limit }: BatchRange,
): Promise<MarkedBatch> {
  const { column } = CLOCKS[scope.clock];
  const held = isHeld(scope.teamId, scope.holds, { table: 'files' }) ?? sql<boolean>`false`;
  const { rows } = await sql<BatchRow>`with expired as (
      select id, ${column} as clock, blob, size, ${held} as held from files
      where ${isExpired(scope)} and ${isNotKeptInBatch(scope)} and (${column}, id) > (${after.clock}, ${after.id})
      order by ${column}, id limit ${limit} for update),
    marked as (
      update files f set doomed = true from expired
      where f.team_id = ${scope.teamId} and f.id = expired.id and not expired.held)
    select * from expired order by clock, id`.execute(trx);
  return toMarkedBatch(rows, limit);
}

/** Files that an interrupted run left marked for deletion: their blobs may be deleted already. */
export async function listMarkedFiles(
  db: Database,
  { teamId, holds }: { teamId: string; holds: readonly ActiveHold[] },
  limit: number,
): Promise<LeftoverItem[]> {
  const held = isHeld(teamId, holds, { table: 'files' }) ?? sql<boolean>`false`;
  return db
    .selectFrom('files')
    .select(['id', 'create_at as clock', 'blob', 'size', held.as('is_held')])
    .where('team_id', '=', teamId)
    .where('doomed', '=', true)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function purgeFiles(trx: Trx, teamId: string, ids: readonly string[]): Promise<void> {
  const isOneOf = sql<boolean>`id = any(${ids})`;
  await trx.deleteFrom('files').where('team_id', '=', teamId).where(isOneOf).where('doomed', '=', true).execute();
}

/** Shows marked files again because their blobs could not be deleted. */
export async function unmarkFiles(trx: Trx, teamId: string, ids: readonly string[]): Promise<void> {
  const isOneOf = sql<boolean>`id = any(${ids})`;
  await trx.updateTable('files').set({ doomed: false }).where('team_id', '=', teamId).where(isOneOf).execute();
}

/** Neither a user nor a rule has marked them. */
export async function listVisibleFiles(db: Database, teamId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('files')
    .select('id')
    .where('team_id', '=', teamId)
    .where(sql<boolean>`id = any(${ids})`)
    .where('delete_at', '=', 0)
    .where('doomed', '=', false)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns false, and the caller rolls back, unless each file is the user's own, in the channel and unattached. */
export async function attachFilesToPost(
  trx: Trx,
  { teamId, channelId, userId, postId }: { teamId: string; channelId: string; userId: string; postId: string },
  ids: readonly string[],
): Promise<boolean> {
  if (ids.length === 0) return true;
  const { rows } = await sql`with free as (
      select id from files where team_id = ${teamId} and id = any(${ids}) and channel_id = ${channelId}
        and user_id = ${userId} and post_id = '' and delete_at = 0 and not doomed order by id for update)
    update files f set post_id = ${postId} from free where f.team_id = ${teamId} and f.id = free.id
    returning 1`.execute(trx);
  return rows.length === ids.length;
}

/** A complete file row, for `fill` and the demo workspace. */
export interface FileInsert {
  id: string;
  channel_id: string;
  user_id: string;
  name: string;
  size: number;
  blob: string | null;
  digest: string;
  create_at: number;
  delete_at: number;
}

/** Inserts many files in one statement and skips existing ids. Returns the ids that were inserted. */
export async function bulkInsertFiles(trx: Trx, teamId: string, files: readonly FileInsert[]): Promise<string[]> {
  const all = <Key extends keyof FileInsert>(key: Key) => files.map((file) => file[key]);
  const { rows } = await sql<{ id: string }>`
    insert into files (team_id, id, channel_id, user_id, name, size, blob, digest, create_at, update_at, delete_at)
    select ${teamId}, id, channel_id, user_id, name, size, blob, digest, create_at, greatest(create_at, delete_at), delete_at
    from unnest(${all('id')}::text[], ${all('channel_id')}::text[], ${all('user_id')}::text[], ${all('name')}::text[],
      ${all('size')}::bigint[], ${all('blob')}::text[], ${all('digest')}::text[], ${all('create_at')}::bigint[],
      ${all('delete_at')}::bigint[])
      as r (id, channel_id, user_id, name, size, blob, digest, create_at, delete_at)
    on conflict do nothing returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Gives a source the files that it repeats and that are older than sources. */
export async function adoptFiles(
  trx: Trx,
  { teamId, sourceId }: ItemSource,
  externalIds: readonly string[],
): Promise<void> {
  if (externalIds.length === 0) return;
  await sql`with own as materialized (
      select id from files where team_id = ${teamId} and source_id is null and external_id = any(${externalIds})
      order by external_id collate "C" for update)
    update files f set source_id = ${sourceId} from own where f.team_id = ${teamId} and f.id = own.id`.execute(trx);
}

/** Adds new files and replaces changed ones; external ids are distinct. */
export async function ingestFiles(
  trx: Trx,
  { teamId, sourceId, speaksForUsers }: ItemWriter,
  files: readonly IncomingFile[],
): Promise<IngestResult[]> {
  if (files.length === 0) return [];
  const all = <Key extends keyof IncomingFile>(key: Key) => files.map((file) => file[key]);
  const { rows } = await sql<IngestResult>`
    with sent as materialized (
      select * from unnest(${files.map(() => newId())}::text[], ${all('external_id')}::text[], ${all('channel_id')}::text[],
        ${all('user_id')}::text[], ${all('name')}::text[], ${all('size')}::bigint[], ${all('blob')}::text[],
        ${all('digest')}::text[], ${all('create_at')}::bigint[], ${all('delete_at')}::bigint[]) with ordinality
        as s (new_id, external_id, channel_id, user_id, name, size, blob, digest, create_at, delete_at, at)
    ), stored as materialized (
      select f.* from files f
      where f.team_id = ${teamId} and f.source_id = ${sourceId} and f.external_id in (select external_id from sent)
      order by f.external_id for update
    ), decided as materialized (
      select s.*, f.id, f.blob as old_blob, f.digest as old_digest,
        case when f.doomed then 'doomed'
          when s.digest <> '' and s.blob is null and s.digest is distinct from f.digest then 'again'
          when (s.channel_id, s.name, s.size, s.digest, s.create_at, s.delete_at) is not distinct from
              (f.channel_id, f.name, f.size, f.digest, f.create_at, f.delete_at)
            and (s.user_id = f.user_id or not ${speaksForUsers}::boolean) then 'unchanged'
          else 'accepted' end as outcome
      from sent s left join stored f on f.external_id = s.external_id
    ), changed as (
      update files f set channel_id = d.channel_id, user_id = d.user_id, name = d.name, size = d.size,
        blob = case when d.digest = d.old_digest then d.old_blob else d.blob end, digest = d.digest,
        create_at = d.create_at, delete_at = d.delete_at, update_at = ${Date.now()}
      from decided d where f.team_id = ${teamId} and f.id = d.id and d.outcome = 'accepted'
      returning d.at, case when d.digest <> d.old_digest then d.blob end as taken,
        case when d.digest <> d.old_digest then d.old_blob end as freed
    ), added as (
      insert into files (team_id, source_id, id, external_id, channel_id, user_id, name, size, blob, digest, create_at,
        update_at, delete_at)
      select ${teamId}, ${sourceId}, new_id, external_id, channel_id, user_id, name, size, blob, digest, create_at, create_at, delete_at
      from decided where id is null and outcome = 'accepted' order by external_id collate "C"
      on conflict do nothing returning external_id
    )
    select coalesce(d.id, d.new_id) as id, case when d.outcome = 'accepted' and c.at is null and a.external_id is null then 'again' else d.outcome end
        as outcome,
      case when a.external_id is null then c.taken else d.blob end as taken, c.freed
    from decided d left join changed c on c.at = d.at left join added a on a.external_id = d.external_id
    order by d.at`.execute(trx);
  return rows;
}

export async function findFileDigests(
  db: Database,
  { teamId, sourceId }: ItemSource,
  externalIds: readonly string[],
): Promise<{ external_id: string; digest: string }[]> {
  return db
    .selectFrom('files')
    .select(['external_id', 'digest'])
    .where('team_id', '=', teamId)
    .where(sql<boolean>`external_id = any(${externalIds})`)
    .where(sql<boolean>`(source_id = ${sourceId} or source_id is null)`)
    .where('digest', '<>', '')
    .$narrowType<{ external_id: string }>()
    .execute();
}
