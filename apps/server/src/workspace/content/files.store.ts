import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newIds } from '#platform/database/ids.ts';
import { CLOCKS } from './expiry.store.ts';
import type { MarkedItem, Reach, ReachCount, Step, Stored } from './expiry.ts';
import type { IncomingFile, IngestResult } from './ingest.ts';

const reachedBy = ({ teamId, clock, cutoff }: Reach) =>
  sql`team_id = ${teamId} and ${CLOCKS[clock].among} and ${CLOCKS[clock].column} < ${cutoff}`;

/** Counts the files that a rule reaches. */
export async function countExpiredFiles(db: Database | Trx, reach: Reach): Promise<ReachCount> {
  const { column } = CLOCKS[reach.clock];
  const { rows } = await sql<ReachCount>`select count(*)::bigint as count, coalesce(sum(size), 0)::bigint as bytes,
    min(${column}) as oldest, max(${column}) as newest from files where ${reachedBy(reach)}`.execute(db);
  return rows[0] as ReachCount;
}

/** Counts all files. */
export async function countStoredFiles(db: Database, teamId: string): Promise<Stored> {
  const { rows } = await sql<Stored>`select count(*)::bigint as count, coalesce(sum(size), 0)::bigint as bytes,
    min(create_at) as oldest from files where team_id = ${teamId}`.execute(db);
  return rows[0] as Stored;
}

/** Hides the next files that a rule reaches, so that their blobs can be deleted; the same ones again when repeated. */
export async function markExpiredFiles(trx: Trx, reach: Reach, { after, limit }: Step): Promise<MarkedItem[]> {
  const { column } = CLOCKS[reach.clock];
  const { rows } = await sql<MarkedItem>`with due as (
      select id, ${column} as clock from files
      where ${reachedBy(reach)} and (${column}, id) > (${after.clock}, ${after.id})
      order by ${column}, id limit ${limit} for update),
    doomed as (
      update files f set doomed = true from due where f.team_id = ${reach.teamId} and f.id = due.id
      returning f.id, due.clock, f.blob, f.size)
    select * from doomed order by clock, id`.execute(trx);
  return rows;
}

/** Files that were doomed and are still there: somebody was interrupted between blob and row. */
export async function listMarkedFiles(db: Database, teamId: string, limit: number): Promise<MarkedItem[]> {
  const { rows } = await sql<MarkedItem>`select id, create_at as clock, blob, size from files
    where team_id = ${teamId} and doomed order by id limit ${limit}`.execute(db);
  return rows;
}

/** Removes doomed files whose blobs are gone. */
export async function removeMarkedFiles(trx: Trx, teamId: string, ids: readonly string[]): Promise<void> {
  await sql`delete from files where team_id = ${teamId} and id = any(${ids}) and doomed`.execute(trx);
}

/** Shows doomed files again, because their blobs could not be deleted. */
export async function unmarkFiles(trx: Trx, teamId: string, ids: readonly string[]): Promise<void> {
  await sql`update files set doomed = false where team_id = ${teamId} and id = any(${ids})`.execute(trx);
}

/** Which of these files are shown: neither marked deleted nor on their way out. */
export async function listVisibleFiles(db: Database, teamId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from files
    where team_id = ${teamId} and id = any(${ids}) and delete_at = 0 and not doomed`.execute(db);
  return rows.map(({ id }) => id);
}

/** Gives files to a post; false, and the caller undoes all, unless each is the person's own, in the channel and free. */
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

/** A file that comes with everything already decided: what `fill` and the demo workspace add. */
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

/** Adds many files in one statement; those that are there already stay as they are. Answers the ids of those that came. */
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

/** Takes files in, each with another external id: new ones are added, different ones replaced. */
export async function ingestFiles(trx: Trx, teamId: string, files: readonly IncomingFile[]): Promise<IngestResult[]> {
  if (files.length === 0) return [];
  const all = <Key extends keyof IncomingFile>(key: Key) => files.map((file) => file[key]);
  const { rows } = await sql<IngestResult>`
    with sent as materialized (
      select * from unnest(${newIds(files.length)}::text[], ${all('external_id')}::text[], ${all('channel_id')}::text[],
        ${all('user_id')}::text[], ${all('name')}::text[], ${all('size')}::bigint[], ${all('blob')}::text[],
        ${all('digest')}::text[], ${all('create_at')}::bigint[], ${all('delete_at')}::bigint[]) with ordinality
        as s (new_id, external_id, channel_id, user_id, name, size, blob, digest, create_at, delete_at, at)
    ), stored as materialized (
      select f.* from files f where f.team_id = ${teamId} and f.external_id in (select external_id from sent)
      order by f.external_id for update
    ), decided as materialized (
      select s.*, f.id, f.blob as old_blob, f.digest as old_digest,
        case when f.doomed then 'doomed'
          when s.digest <> '' and s.blob is null and s.digest is distinct from f.digest then 'again'
          when (s.channel_id, s.user_id, s.name, s.size, s.digest, s.create_at, s.delete_at) is not distinct from
            (f.channel_id, f.user_id, f.name, f.size, f.digest, f.create_at, f.delete_at) then 'unchanged'
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
      insert into files (team_id, id, external_id, channel_id, user_id, name, size, blob, digest, create_at, update_at,
        delete_at)
      select ${teamId}, new_id, external_id, channel_id, user_id, name, size, blob, digest, create_at, create_at, delete_at
      from decided where id is null and outcome = 'accepted' order by external_id collate "C"
      on conflict do nothing returning external_id
    )
    select case when d.outcome = 'accepted' and c.at is null and a.external_id is null then 'again' else d.outcome end
        as outcome,
      case when a.external_id is null then c.taken else d.blob end as taken, c.freed
    from decided d left join changed c on c.at = d.at left join added a on a.external_id = d.external_id
    order by d.at`.execute(trx);
  return rows;
}

/** Digests of the blobs that files of the team have, by their external ids. */
export async function findFileDigests(
  db: Database,
  teamId: string,
  externalIds: readonly string[],
): Promise<{ external_id: string; digest: string }[]> {
  const { rows } = await sql<{ external_id: string; digest: string }>`select external_id, digest from files
    where team_id = ${teamId} and external_id = any(${externalIds}) and digest <> ''`.execute(db);
  return rows;
}
