import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { type EntryRow, entryColumns } from './directory.store.ts';
import type { EntryFields } from './entry-fields.ts';
import {
  type ImportKey,
  markChangesUndone,
  recordChanges,
  recordKept,
  selectNextChanges,
} from './import-changes.store.ts';
import { type GivenRows, recordset, resolveRows } from './resolve-rows.store.ts';

export type NewEntry = { [Field in keyof EntryFields]: string };

/** Joins to each row of `w` the member of the team with its address. */
function withMember(teamId: string): RawBuilder<unknown> {
  return sql`left join people p on p.email = w.email and w.email <> ''
    left join memberships m on m.team_id = ${teamId} and m.person_id = p.id and m.email is null`;
}

const memberColumns = sql`coalesce(m.person_id, '') as user_id,
  case when m.person_id is null then 0 else p.last_picture_update end as last_picture_update`;

/** One statement adds the entries and returns them as stored, in the order given. */
export async function insertEntries(trx: Trx, teamId: string, entries: readonly NewEntry[]): Promise<EntryRow[]> {
  const ids = entries.map(() => newId());
  const rows = entries.map((entry, at) => ({ ...entry, new_id: ids[at] ?? '' }));
  const { rows: added } = await sql<EntryRow>`
    with w as (select * from ${recordset(rows)})
    insert into directory_entries as e (team_id, id, name, phone_number, sms, email, user_id, last_picture_update, import_id)
    select ${teamId}, w.new_id, w.name, w.phone_number, w.sms, w.email, ${memberColumns}, '' from w ${withMember(teamId)}
    returning ${entryColumns}`.execute(trx);
  return inOrder(added, ids);
}

/** Locks the entries until the transaction ends; ids of other teams find nothing. */
export async function lockEntries(trx: Trx, teamId: string, ids: readonly string[]): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`select ${entryColumns} from directory_entries e
    where e.team_id = ${teamId} and e.id = any(${ids}) order by e.id for update`.execute(trx);
  return rows;
}

const SET = sql`set name = w.name, phone_number = w.phone_number, sms = w.sms, email = w.email,
  user_id = w.user_id, last_picture_update = w.last_picture_update`;

/** One statement changes the entries and returns them as stored, in the order given; each must exist. */
export async function updateEntry(
  trx: Trx,
  teamId: string,
  edits: readonly (EntryFields & { id: string })[],
): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    with w as (
      select e.id, coalesce(r.name, e.name) as name, coalesce(r.phone_number, e.phone_number) as phone_number,
        coalesce(r.sms, e.sms) as sms, coalesce(r.email, e.email) as email
      from ${recordset(edits)} join directory_entries e on e.team_id = ${teamId} and e.id = r.id
    ), written as (select w.*, ${memberColumns} from w ${withMember(teamId)})
    update directory_entries e ${SET}, revision = e.revision + 1
    from written w where e.team_id = ${teamId} and e.id = w.id returning ${entryColumns}`.execute(trx);
  return inOrder(
    rows,
    edits.map(({ id }) => id),
  );
}

function inOrder(rows: readonly EntryRow[], ids: readonly string[]): EntryRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Returns the deleted entry; undefined if the team has no such entry. */
export async function deleteEntry(trx: Trx, teamId: string, id: string): Promise<EntryRow | undefined> {
  const { rows } = await sql<EntryRow>`delete from directory_entries e where e.team_id = ${teamId} and e.id = ${id}
    returning ${entryColumns}`.execute(trx);
  return rows[0];
}

/** Adds an entry under its former id; undefined if the id is in use. No import created it. */
export async function reinsertEntry(
  trx: Trx,
  teamId: string,
  entry: NewEntry & { id: string },
): Promise<EntryRow | undefined> {
  const { rows } = await sql<EntryRow>`
    with w as (select * from ${recordset([entry])})
    insert into directory_entries as e (team_id, id, name, phone_number, sms, email, user_id, last_picture_update, import_id)
    select ${teamId}, w.id, w.name, w.phone_number, w.sms, w.email, ${memberColumns}, '' from w ${withMember(teamId)}
    on conflict do nothing returning ${entryColumns}`.execute(trx);
  return rows[0];
}

export interface Stored {
  created: number;
  changed: number;
  /** Ids of the created entries are in this range. */
  first_id: string | null;
  last_id: string | null;
  /** Indexes of rows whose id the team doesn't have. */
  unknown: number[];
  /** Indexes of rows with a number that a spreadsheet shortened. */
  shortened: number[];
  /** Indexes of rows that match an entry which an earlier row changes. */
  repeated: number[];
}

/**
 * Imports of a team that look for existing entries take turns until their transactions end, also on other processes: two
 * imports of the same list at once would otherwise both add it.
 */
export async function lockMatching(trx: Trx, teamId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${MATCHING_LOCK}, hashtext(${teamId}))`.execute(trx);
}

/** An arbitrary unused number. */
const MATCHING_LOCK = 7_314_206;

/** One statement stores the rows of a call, with the earlier values that undoing the import will need. */
export async function storeRows(
  trx: Trx,
  place: ImportKey,
  given: Pick<GivenRows, 'rows' | 'ifExists'>,
): Promise<Stored> {
  const { teamId, importId } = place;
  const { rows: stored } = await sql<Stored>`
    with ${resolveRows(place, { ...given, lock: sql`for update` })},
    written as (select w.*, ${memberColumns} from decided w ${withMember(teamId)}
      where (w.differs or w.id = '') and not w.is_shortened and not w.is_skipped and not w.is_repeated),
    changed as (
      update directory_entries e ${SET}, revision = e.revision + 1
      from written w where e.team_id = ${teamId} and e.id = w.id and w.id <> '' returning e.id, e.revision
    ), ${recordChanges(place)},
    created as (
      insert into directory_entries as e
        (team_id, id, name, phone_number, sms, email, user_id, last_picture_update, import_id)
      select ${teamId}, w.new_id, w.name, w.phone_number, w.sms, w.email, w.user_id, w.last_picture_update, ${importId}
      from written w where w.id = '' returning e.id
    )
    select (select count(*)::int from created) as created, (select count(*)::int from changed) as changed,
      (select min(id) from created) as first_id, (select max(id) from created) as last_id,
      array(select at from decided where id <> '' and not is_known order by at) as unknown,
      array(select at from decided where is_shortened and (id = '' or is_known) and not is_repeated order by at) as shortened,
      array(select at from decided where is_repeated order by at) as repeated`.execute(trx);
  return (
    stored[0] ?? { created: 0, changed: 0, first_id: null, last_id: null, unknown: [], shortened: [], repeated: [] }
  );
}

/** The result of one batch of undoing; `last` is its last id, null if nothing was left. */
export interface Undone {
  last: string | null;
  removed: number;
  restored: number;
  kept: number;
}

/** Deletes the next entries that an import created; those changed since are kept and recorded. */
export async function removeCreated(
  trx: Trx,
  place: ImportKey,
  { after, until, limit }: { after: string; until: string; limit: number },
): Promise<Undone> {
  const { teamId, importId } = place;
  const { rows } = await sql<Undone>`
    with batch as (
      select e.id, e.revision from directory_entries e
      where e.team_id = ${teamId} and e.id > ${after} and e.id <= ${until} and e.import_id = ${importId}
      order by e.id limit ${limit} for update
    ), gone as (
      delete from directory_entries e using batch b
      where e.team_id = ${teamId} and e.id = b.id and b.revision = 1 returning 1
    ), kept as (select id, revision from batch where revision <> 1), ${recordKept(place)}
    select (select max(id) from batch) as last, (select count(*)::int from gone) as removed, 0 as restored,
      (select count(*)::int from noted) as kept`.execute(trx);
  return rows[0] ?? { last: null, removed: 0, restored: 0, kept: 0 };
}

/** Restores the previous values of the next entries that an import changed, unless they were changed or deleted since. */
export async function restoreChanged(trx: Trx, place: ImportKey, limit: number): Promise<Undone> {
  const { rows } = await sql<Undone>`
    with batch as materialized (${selectNextChanges(place, limit)}),
    present as materialized (
      select e.id, e.revision from directory_entries e
      where e.team_id = ${place.teamId} and e.id in (select entry_id from batch) order by e.id for update
    ), w as (
      select b.entry_id as id, b.revision as seen, f.* from batch b, jsonb_to_record(b.before) as f (name text,
        phone_number text, sms text, email text, user_id text, last_picture_update bigint, revision int)
    ), restored as (
      update directory_entries e ${SET}, revision = w.revision from w join present on present.id = w.id
      where e.team_id = ${place.teamId} and e.id = w.id and present.revision = w.seen returning e.id
    ), ${markChangesUndone(place)}
    select (select max(entry_id) from batch) as last, 0 as removed,
      (select count(*)::int from marked where outcome = 'restored') as restored,
      (select count(*)::int from marked where outcome <> 'restored') as kept`.execute(trx);
  return rows[0] ?? { last: null, removed: 0, restored: 0, kept: 0 };
}

/** An entry with all its columns, as `fill` and the demo workspace add it. */
export type EntryInsert = NewEntry & { id: string };

/** One statement adds many entries; existing ones stay as they are. Returns the number of added ones. */
export async function bulkInsertEntries(trx: Trx, teamId: string, entries: readonly EntryInsert[]): Promise<number> {
  const all = (key: keyof EntryInsert) => entries.map((entry) => entry[key]);
  const { rows } = await sql<{ added: number }>`
    with w as (
      select * from unnest(${all('id')}::text[], ${all('name')}::text[], ${all('phone_number')}::text[],
        ${all('sms')}::text[], ${all('email')}::text[]) as r (id, name, phone_number, sms, email)
    ), added as (
      insert into directory_entries
        (team_id, id, name, phone_number, sms, email, user_id, last_picture_update, import_id)
      select ${teamId}, w.id, w.name, w.phone_number, w.sms, w.email, ${memberColumns}, '' from w ${withMember(teamId)}
      order by w.id on conflict do nothing returning 1
    ) select count(*)::int as added from added`.execute(trx);
  return rows[0]?.added ?? 0;
}
