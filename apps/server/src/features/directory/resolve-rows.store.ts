import type { IfExists } from '@steward/contract/api/fields';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { EntryFields, UploadedRow } from './entry-fields.ts';
import type { ImportKey } from './import-changes.store.ts';

type Given = EntryFields & { at?: number; id?: string; new_id?: string; keep?: readonly string[] };

/** The rows are one JSON text: one parameter, whatever their number. */
export function recordset(rows: readonly Given[]): RawBuilder<unknown> {
  return sql`json_to_recordset(${JSON.stringify(rows)}::json)
    as r (at int, id text, new_id text, keep text[], name text, phone_number text, sms text, email text)`;
}

/** A field that is missing in the file keeps its stored value, and so does a number that a spreadsheet has shortened. */
function resolvedNumber(field: 'phone_number' | 'sms'): RawBuilder<unknown> {
  const [sent, stored] = [sql.ref(`r.${field}`), sql.ref(`e.${field}`)];
  return sql`case when ${isTruncated(field)} then ${stored} else coalesce(${sent}, ${stored}) end as ${sql.ref(field)}`;
}

/** Spreadsheets read +49301234 and 0301234 as numbers, and write them without the sign or the zeros (decision 0016). */
function isTruncated(field: 'phone_number' | 'sms'): RawBuilder<boolean> {
  const [sent, stored] = [sql.ref(`r.${field}`), sql.ref(`e.${field}`)];
  return sql<boolean>`coalesce(${sent} ~ '^[1-9][0-9]*$' and ${stored} ~ '^[+0]' and ltrim(${stored}, '+0') = ${sent}, false)`;
}

/** A new number in scientific notation, such as 1.55501E+11: the digits that it had are lost. */
function isShortened(field: 'phone_number' | 'sms'): RawBuilder<boolean> {
  const [sent, stored] = [sql.ref(`r.${field}`), sql.ref(`e.${field}`)];
  return sql<boolean>`coalesce(${sent} ~* '^[+-]?[0-9]([.,][0-9]+)?E[+][0-9]{2,3}$', false) and ${sent} is distinct from ${stored}`;
}

// Characters of Windows-1252, for PostgreSQL's own regular expressions; a spreadsheet turns all others into question marks.
const WRITABLE = '\\u0001-\\u00FF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';

/**
 * A name whose letters were replaced by question marks: one for each letter, or two for a letter with two UTF-16 units
 * (decision 0016).
 */
function isMasked(): RawBuilder<boolean> {
  return sql<boolean>`(case when r.name like '%?%' and e.name <> r.name then regexp_replace(
    regexp_replace(e.name, '[\\U00010000-\\U0010FFFF]', '??', 'g'), ${`[^${WRITABLE}]`}, '?', 'g') = r.name else false end)`;
}

/** The digits of a number without leading zeros, so that the way it is written makes no difference. */
function toDigits(column: string): RawBuilder<string> {
  return sql<string>`ltrim(regexp_replace(${sql.ref(column)}, '[^0-9]', '', 'g'), '0')`;
}

/**
 * CTEs that find the entry which each row of `sent` without id matches: by address, if possible with the same name, then by name
 * and number. Everything is joined by whole keys, so that many equal names cost no more than different ones. Entries that the
 * import itself has added don't count, so that its rows are added as the preview says.
 */
function matchRows({ teamId, importId }: ImportKey): RawBuilder<unknown> {
  const others = sql`e.team_id = ${teamId} and e.import_id is distinct from ${importId === '' ? null : importId}`;
  return sql`fresh as materialized (
      select at, email, fold_letters(name) as name_key, ${toDigits('phone_number')} as phone, ${toDigits('sms')} as sms,
        phone_number = '' and sms = '' and email = '' as is_name_only
      from sent where id = ''
    ), same_email as materialized (
      select e.email, e.name_key, min(e.id) as id from directory_entries e
      where ${others} and e.email <> '' and e.email in (select email from fresh) group by 1, 2
    ), any_name as materialized (select email, min(id) as id from same_email group by 1),
    same_name as materialized (
      select e.id, e.name_key, ${toDigits('e.phone_number')} as phone, ${toDigits('e.sms')} as sms,
        e.phone_number = '' and e.sms = '' and e.email = '' as is_name_only
      from directory_entries e where ${others} and e.name_key in (select name_key from fresh)
    ), numbers as materialized (
      select name_key, number, min(id) as id from (
        select id, name_key, phone as number from same_name where phone <> ''
        union all select id, name_key, sms from same_name where sms <> ''
        union all select id, name_key, '' from same_name where is_name_only) n group by 1, 2
    ), matched as materialized (
      select f.at, coalesce(b.id, a.id, p.id, s.id) as match_id from fresh f
      left join same_email b on b.email = f.email and b.name_key = f.name_key
      left join any_name a on a.email = f.email
      left join numbers p on p.name_key = f.name_key and p.number = f.phone and (f.phone <> '' or f.is_name_only)
      left join numbers s on s.name_key = f.name_key and s.number = f.sms and f.sms <> ''
    )`;
}

const NO_MATCHES = sql`matched as (select null::int as at, null::text as match_id where false)`;

/** Rows of an upload, and what happens to those without id that match an entry. */
export interface GivenRows {
  rows: readonly UploadedRow[];
  ifExists: IfExists | undefined;
  /** Appended to the query of the stored entries. */
  lock: RawBuilder<unknown>;
  /** Finds matches although `ifExists` doesn't need them. */
  isPreview?: boolean;
}

/** Fields of a row that changes the entry it matches may be missing in the file. */
function givenField(name: string, isUpdating: boolean): RawBuilder<unknown> {
  const sent = sql.ref(`r.${name}`);
  return isUpdating
    ? sql`case when m.match_id is not null and ${name} = any(r.keep) then null else ${sent} end as ${sql.ref(name)}`
    : sent;
}

/**
 * The CTEs of both statements below: `given` has the rows with the ids of the entries that they change, `stored` these
 * entries, `decided` the action for each row.
 */
export function resolveRows(place: ImportKey, { rows, ifExists, lock, isPreview }: GivenRows): RawBuilder<unknown> {
  const sent = rows.map((row) => (row.id === '' ? { ...row, new_id: newId() } : row));
  const isUpdating = ifExists === 'update';
  const fields = ['name', 'phone_number', 'sms', 'email'].map((name) => givenField(name, isUpdating));
  return sql`sent as materialized (select * from ${recordset(sent)}),
    ${isPreview || ifExists !== undefined ? matchRows(place) : NO_MATCHES},
    given as materialized (
      select r.at, ${isUpdating ? sql`coalesce(m.match_id, r.id)` : sql`r.id`} as id, r.new_id, ${sql.join(fields)},
        m.match_id is not null as is_match, ${ifExists === 'keep'} and m.match_id is not null as is_skipped,
        m.match_id is not null and ${isUpdating} and (
          row_number() over (partition by coalesce(m.match_id, r.id) order by m.match_id is not null, r.at) > 1
          or exists (select 1 from directory_import_changes c
            where c.team_id = ${place.teamId} and c.import_id = ${place.importId} and c.entry_id = m.match_id)
        ) as is_repeated
      from sent r left join matched m on m.at = r.at
    ), stored as materialized (
      select e.* from directory_entries e
      where e.team_id = ${place.teamId} and e.id = any(array(select id from given where id <> '')) order by e.id ${lock}
    ), read as materialized (
      select r.at, r.id, r.new_id, r.is_match, r.is_skipped, r.is_repeated,
        case when ${isMasked()} then e.name else coalesce(r.name, e.name) end as name,
        ${resolvedNumber('phone_number')},
        ${resolvedNumber('sms')}, coalesce(r.email, e.email) as email,
        ${isTruncated('phone_number')}::int + ${isTruncated('sms')}::int as kept_numbers,
        ${isMasked()} as kept_name,
        not r.is_skipped and (${isShortened('phone_number')} or ${isShortened('sms')}) as is_shortened
      from given r left join stored e on e.id = r.id
    ), decided as materialized (
      select w.*, e.id is not null as is_known, e.id is not null and (w.name, w.phone_number, w.sms, w.email)
        is distinct from (e.name, e.phone_number, e.sms, e.email) as differs
      from read w left join stored e on e.id = w.id
    )`;
}

/** `at` is the index in the request. */
export interface PreviewedRow {
  at: number;
  outcome: 'created' | 'changed' | 'unchanged' | 'unknown' | 'shortened' | 'repeated';
  /** The entry that the row changes or leaves as it is; '' for none. */
  id: string;
  /** The row has no id and matches an entry. */
  is_match: boolean;
  /** The directory already holds an identical entry. */
  is_twin: boolean;
  kept_numbers: number;
  kept_name: boolean;
}

/** Predicts the effect of storing these rows, and writes nothing. */
export async function previewRows(
  db: Database | Trx,
  teamId: string,
  given: Pick<GivenRows, 'rows' | 'ifExists'>,
): Promise<PreviewedRow[]> {
  const place = { teamId, importId: '' };
  const { rows: foreseen } = await sql<PreviewedRow>`
    with ${resolveRows(place, { ...given, lock: sql``, isPreview: true })}
    select w.at, w.id, w.is_match, w.kept_numbers, w.kept_name,
      case when w.id <> '' and not w.is_known then 'unknown' when w.is_skipped then 'unchanged'
        when w.is_repeated then 'repeated' when w.is_shortened then 'shortened'
        when w.id = '' then 'created' when w.differs then 'changed'
        else 'unchanged' end as outcome,
      w.id = '' and not w.is_skipped and exists (select 1 from directory_entries e
        where e.team_id = ${teamId} and e.name_key = fold_letters(w.name) and e.name = w.name
          and e.phone_number = w.phone_number and e.sms = w.sms and e.email = w.email) as is_twin
    from decided w order by w.at`.execute(db);
  return foreseen;
}
