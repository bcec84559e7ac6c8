import { RECORD_KINDS, type RecordKind } from '@steward/contract/content';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { BatchRange, ExpiredCount, LeftoverItem, MarkedBatch, RetentionScope, StoredCount } from './expiry.ts';
import type { ActiveHold } from './holds/active-holds.rules.ts';
import { isHeld } from './holds/held.store.ts';
import type { IncomingRecord, IngestResult, ItemSource, ItemWriter } from './ingest.ts';
import { type BatchRow, countExpired, countStored, isNotKept, isNotKeptInBatch, toMarkedBatch } from './items.store.ts';

interface RecordScope {
  teamId: string;
  kind: RecordKind;
}

/** Each kind of record has one date of its own; users can't mark records deleted. */
const isExpired = (kind: RecordKind, { teamId, cutoff }: RetentionScope) =>
  sql<boolean>`team_id = ${teamId} and kind = ${kind} and clock is not null and clock < ${cutoff}`;

const isOneOf = (ids: readonly string[]) => sql<boolean>`id = any(${ids})`;

export async function countExpiredRecords(
  db: Database | Trx,
  kind: RecordKind,
  scope: RetentionScope,
): Promise<ExpiredCount> {
  const from = sql`from records where ${isExpired(kind, scope)} and ${isNotKept(scope)}`;
  const held = isHeld(scope.teamId, scope.holds, { table: 'records' });
  return countExpired(db, { from, column: sql.ref('clock'), held });
}

export async function countStoredRecords(db: Database, teamId: string, kind: RecordKind): Promise<StoredCount> {
  const from = sql`from records where team_id = ${teamId} and kind = ${kind}`;
  return countStored(db, { from, column: sql.ref('clock') });
}

/** Marks the next expired records for deletion, which hides them, unless a hold covers them; repeated, it returns the same ones again. */
export async function markExpiredRecords(
  trx: Trx,
  { kind, scope }: { kind: RecordKind; scope: RetentionScope },
  { after, limit }: BatchRange,
): Promise<MarkedBatch> {
  const held = isHeld(scope.teamId, scope.holds, { table: 'records' }) ?? sql<boolean>`false`;
  const { rows } = await sql<BatchRow>`with expired as (
      select id, clock, blob, size, ${held} as held from records
      where ${isExpired(kind, scope)} and ${isNotKeptInBatch(scope)} and (clock, id) > (${after.clock}, ${after.id})
      order by clock, id limit ${limit} for update),
    marked as (
      update records r set doomed = true from expired
      where r.team_id = ${scope.teamId} and r.kind = ${kind} and r.id = expired.id and not expired.held)
    select * from expired order by clock, id`.execute(trx);
  return toMarkedBatch(rows, limit);
}

/** Records that an interrupted run left marked for deletion: their blobs may be deleted already. */
export async function listMarkedRecords(
  db: Database,
  { teamId, kind, holds }: RecordScope & { holds: readonly ActiveHold[] },
  limit: number,
): Promise<LeftoverItem[]> {
  const held = isHeld(teamId, holds, { table: 'records' }) ?? sql<boolean>`false`;
  return db
    .selectFrom('records')
    .select(['id', 'blob', 'size', sql<number>`coalesce(clock, 0)`.as('clock'), held.as('is_held')])
    .where('team_id', '=', teamId)
    .where('kind', '=', kind)
    .where('doomed', '=', true)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function purgeRecords(trx: Trx, { teamId, kind }: RecordScope, ids: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('records')
    .where('team_id', '=', teamId)
    .where('kind', '=', kind)
    .where(isOneOf(ids))
    .where('doomed', '=', true)
    .execute();
}

/** Shows marked records again because their blobs could not be deleted. */
export async function unmarkRecords(trx: Trx, { teamId, kind }: RecordScope, ids: readonly string[]): Promise<void> {
  await trx
    .updateTable('records')
    .set({ doomed: false })
    .where('team_id', '=', teamId)
    .where('kind', '=', kind)
    .where(isOneOf(ids))
    .execute();
}

/** A complete record row, for `fill` and the demo workspace. */
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

/** Inserts many records in one statement and skips existing ids. Returns how many were inserted. */
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

/** Gives a source the records that it repeats and that are older than sources. */
export async function adoptRecords(
  trx: Trx,
  { teamId, sourceId }: ItemSource,
  records: readonly { kind: string; external_id: string }[],
): Promise<void> {
  if (records.length === 0) return;
  const kinds = records.map(({ kind }) => kind);
  const externalIds = records.map(({ external_id }) => external_id);
  await sql`with own as materialized (
      select r.kind, r.id from records r
      where r.team_id = ${teamId} and r.source_id is null
        and (r.kind, r.external_id) in (select * from unnest(${kinds}::text[], ${externalIds}::text[]))
      order by r.kind, r.external_id collate "C" for update)
    update records r set source_id = ${sourceId} from own
    where r.team_id = ${teamId} and r.kind = own.kind and r.id = own.id`.execute(trx);
}

/** Adds new records and replaces changed ones; kinds with external ids are distinct. */
export async function ingestRecords(
  trx: Trx,
  { teamId, sourceId, speaksForUsers }: ItemWriter,
  records: readonly IncomingRecord[],
): Promise<IngestResult[]> {
  if (records.length === 0) return [];
  const all = <Key extends keyof IncomingRecord>(key: Key) => records.map((record) => record[key]);
  const { rows } = await sql<IngestResult>`
    with sent as materialized (
      select * from unnest(${records.map(() => newId())}::text[], ${all('kind')}::text[], ${all('external_id')}::text[],
        ${all('user_id')}::text[], ${all('title')}::text[], ${all('text')}::text[], ${all('name')}::text[],
        ${all('size')}::bigint[], ${all('blob')}::text[], ${all('digest')}::text[], ${all('clock')}::bigint[],
        ${all('create_at')}::bigint[], ${all('delete_at')}::bigint[]) with ordinality
        as s (new_id, kind, external_id, user_id, title, text, name, size, blob, digest, clock, create_at, delete_at, at)
    ), stored as materialized (
      select r.* from records r
      where r.team_id = ${teamId} and r.source_id = ${sourceId}
        and (r.kind, r.external_id) in (select kind, external_id from sent)
      order by r.kind, r.external_id for update
    ), decided as materialized (
      select s.*, r.id, r.blob as old_blob, r.digest as old_digest,
        case when r.doomed then 'doomed'
          when s.digest <> '' and s.blob is null and s.digest is distinct from r.digest then 'again'
          when (s.title, s.text, s.name, s.size, s.digest, s.clock, s.create_at, s.delete_at) is not distinct from
              (r.title, r.text, r.name, r.size, r.digest, r.clock, r.create_at, r.delete_at)
            and (s.user_id = r.user_id or not ${speaksForUsers}::boolean) then 'unchanged'
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
      insert into records (team_id, source_id, kind, id, external_id, user_id, title, text, name, size, blob, digest, clock,
        create_at, update_at, delete_at)
      select ${teamId}, ${sourceId}, kind, new_id, external_id, user_id, title, text, name, size, blob, digest, clock, create_at,
        create_at, delete_at
      from decided where id is null and outcome = 'accepted' order by kind, external_id collate "C"
      on conflict do nothing returning kind, external_id
    )
    select coalesce(d.id, d.new_id) as id, case when d.outcome = 'accepted' and c.at is null and a.external_id is null then 'again' else d.outcome end
        as outcome,
      case when a.external_id is null then c.taken else d.blob end as taken, c.freed
    from decided d left join changed c on c.at = d.at
      left join added a on a.kind = d.kind and a.external_id = d.external_id
    order by d.at`.execute(trx);
  return rows;
}

export async function findRecordDigests(
  db: Database,
  { teamId, sourceId }: ItemSource,
  externalIds: readonly string[],
): Promise<{ kind: string; external_id: string; digest: string }[]> {
  return db
    .selectFrom('records')
    .select(['kind', 'external_id', 'digest'])
    .where('team_id', '=', teamId)
    .where('kind', 'in', [...RECORD_KINDS])
    .where(sql<boolean>`external_id = any(${externalIds})`)
    .where(sql<boolean>`(source_id = ${sourceId} or source_id is null)`)
    .where('digest', '<>', '')
    .$narrowType<{ external_id: string }>()
    .execute();
}
