import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';

export interface ImportKey {
  teamId: string;
  importId: string;
}

/**
 * A CTE that stores the entries as they were before an import changed them. It needs the tables `stored` (entries before) and
 * `changed` (id and revision after). An entry that the import changes twice keeps its first version.
 */
export function recordChanges({ teamId, importId }: ImportKey): RawBuilder<unknown> {
  return sql`noted as (
    insert into directory_import_changes (team_id, import_id, entry_id, before, revision)
    select ${teamId}, ${importId}, e.id, jsonb_build_object('name', e.name, 'phone_number', e.phone_number,
      'sms', e.sms, 'email', e.email, 'user_id', e.user_id, 'last_picture_update', e.last_picture_update,
      'revision', e.revision), changed.revision
    from changed join stored e on e.id = changed.id
    on conflict (team_id, import_id, entry_id) do update set revision = excluded.revision
  )`;
}

/** A CTE that stores the entries of `kept` (id, revision), which undoing left alone although the import had created them. */
export function recordKept({ teamId, importId }: ImportKey): RawBuilder<unknown> {
  return sql`noted as (
    insert into directory_import_changes (team_id, import_id, entry_id, before, revision, outcome)
    select ${teamId}, ${importId}, id, null, revision, 'edited' from kept on conflict do nothing returning 1
  )`;
}

export function selectNextChanges({ teamId, importId }: ImportKey, limit: number): RawBuilder<unknown> {
  return sql`select c.entry_id, c.before, c.revision from directory_import_changes c
    where c.team_id = ${teamId} and c.import_id = ${importId} and c.outcome is null
    order by c.entry_id limit ${limit} for update`;
}

/** A CTE that marks the changes in `batch` by their result: in `restored`, in `present`, or neither. */
export function markChangesUndone({ teamId, importId }: ImportKey): RawBuilder<unknown> {
  return sql`marked as (
    update directory_import_changes c set outcome = case
      when exists (select 1 from restored r where r.id = b.entry_id) then 'restored'
      when exists (select 1 from present p where p.id = b.entry_id) then 'edited' else 'deleted' end
    from batch b where c.team_id = ${teamId} and c.import_id = ${importId} and c.entry_id = b.entry_id
    returning c.outcome
  )`;
}

/** An entry that undoing left alone. */
export interface SkippedRow {
  id: string;
  name: string;
  reason: 'edited' | 'deleted';
}

/** A page of the entries that undoing an import left alone, by id. */
export async function listSkipped(
  db: Database,
  { teamId, importId }: ImportKey,
  page: { after: string; limit: number },
): Promise<SkippedRow[]> {
  const { rows } = await sql<SkippedRow>`
    select c.entry_id as id, coalesce(e.name, c.before->>'name', '') as name, c.outcome as reason
    from directory_import_changes c left join directory_entries e on e.team_id = c.team_id and e.id = c.entry_id
    where c.team_id = ${teamId} and c.import_id = ${importId} and c.outcome in ('edited', 'deleted')
      and c.entry_id > ${page.after}
    order by c.entry_id limit ${page.limit}`.execute(db);
  return rows;
}

/** Removes some stored changes of an import; true if they were the last ones. */
export async function removeChangesBatch(
  db: Database,
  { teamId, importId }: ImportKey,
  most: number,
): Promise<boolean> {
  const { rows } = await sql`delete from directory_import_changes where ctid = any(array(
    select ctid from directory_import_changes where team_id = ${teamId} and import_id = ${importId} limit ${most}))
    returning 1`.execute(db);
  return rows.length < most;
}
