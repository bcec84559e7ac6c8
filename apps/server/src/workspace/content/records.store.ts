import { RECORD_KINDS, type RecordKind } from '@steward/contract/content';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newIds } from '#platform/database/ids.ts';
import type { MarkedItem, Reach, ReachCount, Step, Stored } from './expiry.ts';
import type { IncomingRecord, IngestResult } from './ingest.ts';

/** The records of a kind of a team. */
interface RecordScope {
  teamId: string;
  kind: RecordKind;
}

/** Records are not marked deleted by a rule: each kind has one clock of its own. */
const reachedBy = (kind: RecordKind, { teamId, cutoff }: Reach) =>
  sql`team_id = ${teamId} and kind = ${kind} and clock is not null and clock < ${cutoff}`;

/** Counts the records of a kind that a rule reaches. */
export async function countExpiredRecords(db: Database | Trx, kind: RecordKind, reach: Reach): Promise<ReachCount> {
  const { rows } = await sql<ReachCount>`select count(*)::bigint as count, coalesce(sum(size), 0)::bigint as bytes,
    min(clock) as oldest, max(clock) as newest from records where ${reachedBy(kind, reach)}`.execute(db);
  return rows[0] as ReachCount;
}

/** Counts all records of a kind; the oldest is the oldest clock, since nothing else can be reached. */
export async function countStoredRecords(db: Database, teamId: string, kind: RecordKind): Promise<Stored> {
  const { rows } = await sql<Stored>`select count(*)::bigint as count, coalesce(sum(size), 0)::bigint as bytes,
    min(clock) as oldest from records where team_id = ${teamId} and kind = ${kind}`.execute(db);
  return rows[0] as Stored;
}

/** Hides the next records that a rule reaches, so that their blobs can be deleted; the same ones again when repeated. */
export async function markExpiredRecords(
  trx: Trx,
  { kind, reach }: { kind: RecordKind; reach: Reach },
  { after, limit }: Step,
): Promise<MarkedItem[]> {
  const { rows } = await sql<MarkedItem>`with due as (
      select id, clock from records
      where ${reachedBy(kind, reach)} and (clock, id) > (${after.clock}, ${after.id})
      order by clock, id limit ${limit} for update),
    doomed as (
      update records r set doomed = true from due
      where r.team_id = ${reach.teamId} and r.kind = ${kind} and r.id = due.id
      returning r.id, r.clock, r.blob, r.size)
    select * from doomed order by clock, id`.execute(trx);
  return rows;
}

/** Records of a kind that were doomed and are still there: somebody was interrupted between blob and row. */
export async function listMarkedRecords(
  db: Database,
  { teamId, kind }: RecordScope,
  limit: number,
): Promise<MarkedItem[]> {
  const { rows } = await sql<MarkedItem>`select id, coalesce(clock, 0) as clock, blob, size from records
    where team_id = ${teamId} and kind = ${kind} and doomed order by id limit ${limit}`.execute(db);
  return rows;
}

/** Removes doomed records whose blobs are gone. */
export async function removeMarkedRecords(
  trx: Trx,
  { teamId, kind }: RecordScope,
  ids: readonly string[],
): Promise<void> {
  await sql`delete from records where team_id = ${teamId} and kind = ${kind} and id = any(${ids}) and doomed`.execute(
    trx,
  );
}

/** Shows doomed records again, because their blobs could not be deleted. */
export async function unmarkRecords(trx: Trx, { teamId, kind }: RecordScope, ids: readonly string[]): Promise<void> {
  await sql`update records set doomed = false where team_id = ${teamId} and kind = ${kind} and id = any(${ids})`.execute(
    trx,
  );
}

/** A record that comes with everything already decided: what `fill` and the demo workspace add. */
export interface RecordInsert {
  id: string;
  kind: RecordKind;
  user_id: string;
  title: string;
  text: string;
  name: string;
  size: number;
  clock: number | null;
  create_at: number;
}

/** Adds many records in one statement; those that are there already stay as they are. Answers how many came. */
export async function bulkInsertRecords(trx: Trx, teamId: string, records: readonly RecordInsert[]): Promise<number> {
  const all = <Key extends keyof RecordInsert>(key: Key) => records.map((record) => record[key]);
  const { rows } = await sql<{ added: number }>`
    with added as (
      insert into records (team_id, id, kind, user_id, title, text, name, size, clock, create_at, update_at)
      select ${teamId}, id, kind, user_id, title, text, name, size, clock, create_at, greatest(create_at, clock)
      from unnest(${all('id')}::text[], ${all('kind')}::text[], ${all('user_id')}::text[], ${all('title')}::text[],
        ${all('text')}::text[], ${all('name')}::text[], ${all('size')}::bigint[], ${all('clock')}::bigint[],
        ${all('create_at')}::bigint[]) as r (id, kind, user_id, title, text, name, size, clock, create_at)
      on conflict do nothing returning 1
    ) select count(*)::int as added from added`.execute(trx);
  return rows[0]?.added ?? 0;
}

/** Takes records in, each with another kind or external id: new ones are added, different ones replaced. */
export async function ingestRecords(
  trx: Trx,
  teamId: string,
  records: readonly IncomingRecord[],
): Promise<IngestResult[]> {
  if (records.length === 0) return [];
  const all = <Key extends keyof IncomingRecord>(key: Key) => records.map((record) => record[key]);
  const { rows } = await sql<IngestResult>`
    with sent as materialized (
      select * from unnest(${newIds(records.length)}::text[], ${all('kind')}::text[], ${all('external_id')}::text[],
        ${all('user_id')}::text[], ${all('title')}::text[], ${all('text')}::text[], ${all('name')}::text[],
        ${all('size')}::bigint[], ${all('blob')}::text[], ${all('digest')}::text[], ${all('clock')}::bigint[],
        ${all('create_at')}::bigint[], ${all('delete_at')}::bigint[]) with ordinality
        as s (new_id, kind, external_id, user_id, title, text, name, size, blob, digest, clock, create_at, delete_at, at)
    ), stored as materialized (
      select r.* from records r
      where r.team_id = ${teamId} and (r.kind, r.external_id) in (select kind, external_id from sent)
      order by r.kind, r.external_id for update
    ), decided as materialized (
      select s.*, r.id, r.blob as old_blob, r.digest as old_digest,
        case when r.doomed then 'doomed'
          when s.digest <> '' and s.blob is null and s.digest is distinct from r.digest then 'again'
          when (s.user_id, s.title, s.text, s.name, s.size, s.digest, s.clock, s.create_at, s.delete_at)
            is not distinct from
            (r.user_id, r.title, r.text, r.name, r.size, r.digest, r.clock, r.create_at, r.delete_at) then 'unchanged'
          else 'accepted' end as outcome
      from sent s left join stored r on r.kind = s.kind and r.external_id = s.external_id
    ), changed as (
      update records r set user_id = d.user_id, title = d.title, text = d.text, name = d.name, size = d.size,
        blob = case when d.digest = d.old_digest then d.old_blob else d.blob end, digest = d.digest, clock = d.clock,
        create_at = d.create_at, delete_at = d.delete_at, update_at = ${Date.now()}
      from decided d where r.team_id = ${teamId} and r.kind = d.kind and r.id = d.id and d.outcome = 'accepted'
      returning d.at, case when d.digest <> d.old_digest then d.blob end as taken,
        case when d.digest <> d.old_digest then d.old_blob end as freed
    ), added as (
      insert into records (team_id, kind, id, external_id, user_id, title, text, name, size, blob, digest, clock, create_at,
        update_at, delete_at)
      select ${teamId}, kind, new_id, external_id, user_id, title, text, name, size, blob, digest, clock, create_at,
        create_at, delete_at
      from decided where id is null and outcome = 'accepted' order by kind, external_id collate "C"
      on conflict do nothing returning kind, external_id
    )
    select case when d.outcome = 'accepted' and c.at is null and a.external_id is null then 'again' else d.outcome end
        as outcome,
      case when a.external_id is null then c.taken else d.blob end as taken, c.freed
    from decided d left join changed c on c.at = d.at
      left join added a on a.kind = d.kind and a.external_id = d.external_id
    order by d.at`.execute(trx);
  return rows;
}

/** Digests of the blobs that records of the team have, by their kinds and external ids. */
export async function findRecordDigests(
  db: Database,
  teamId: string,
  externalIds: readonly string[],
): Promise<{ kind: string; external_id: string; digest: string }[]> {
  const { rows } = await sql<{ kind: string; external_id: string; digest: string }>`
    select kind, external_id, digest from records
    where team_id = ${teamId} and kind = any(${[...RECORD_KINDS]}) and external_id = any(${externalIds})
      and digest <> ''`.execute(db);
  return rows;
}
