import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newIds } from '#platform/database/ids.ts';
import type { EntryFields, UploadedRow } from './entry-fields.ts';

type Given = EntryFields & { at?: number; id?: string; new_id?: string };

/** The rows are one JSON text: one parameter, whatever their number. */
export function recordset(rows: readonly Given[]): RawBuilder<unknown> {
  return sql`json_to_recordset(${JSON.stringify(rows)}::json)
    as r (at int, id text, new_id text, name text, phone_number text, sms text, email text)`;
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

/**
 * The CTEs of both statements below: `stored` has the entries with the ids of the rows, `decided` the action for each row.
 * `lock` is appended to the query of the stored entries.
 */
export function resolveRows(
  teamId: string,
  rows: readonly UploadedRow[],
  lock: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const ids = rows.flatMap(({ id }) => (id === '' ? [] : [id]));
  const fresh = newIds(rows.length - ids.length);
  const sent = rows.map((row) => (row.id === '' ? { ...row, new_id: fresh.pop() ?? '' } : row));
  return sql`sent as materialized (select * from ${recordset(sent)}),
    stored as materialized (
      select e.* from directory_entries e where e.team_id = ${teamId} and e.id = any(${ids}) order by e.id ${lock}
    ), read as materialized (
      select r.at, r.id, r.new_id, case when ${isMasked()} then e.name else coalesce(r.name, e.name) end as name,
        ${resolvedNumber('phone_number')},
        ${resolvedNumber('sms')}, coalesce(r.email, e.email) as email,
        ${isTruncated('phone_number')}::int + ${isTruncated('sms')}::int as kept_numbers,
        ${isMasked()} as kept_name,
        ${isShortened('phone_number')} or ${isShortened('sms')} as is_shortened
      from sent r left join stored e on e.id = r.id
    ), decided as materialized (
      select w.*, e.id is not null as is_known, e.id is not null and (w.name, w.phone_number, w.sms, w.email)
        is distinct from (e.name, e.phone_number, e.sms, e.email) as differs
      from read w left join stored e on e.id = w.id
    )`;
}

/** `at` is the index in the request. */
export interface PreviewedRow {
  at: number;
  outcome: 'created' | 'changed' | 'unchanged' | 'unknown' | 'shortened';
  /** The directory already holds an identical entry. */
  is_twin: boolean;
  kept_numbers: number;
  kept_name: boolean;
}

/** Predicts the effect of storing these rows, and writes nothing. */
export async function previewRows(
  db: Database | Trx,
  teamId: string,
  rows: readonly UploadedRow[],
): Promise<PreviewedRow[]> {
  const { rows: foreseen } = await sql<PreviewedRow>`
    with ${resolveRows(teamId, rows, sql``)}
    select w.at, w.kept_numbers, w.kept_name,
      case when w.id <> '' and not w.is_known then 'unknown' when w.is_shortened then 'shortened'
        when w.id = '' then 'created' when w.differs then 'changed'
        else 'unchanged' end as outcome,
      w.id = '' and exists (select 1 from directory_entries e
        where e.team_id = ${teamId} and e.name_key = fold_letters(w.name) and e.name = w.name
          and e.phone_number = w.phone_number and e.sms = w.sms and e.email = w.email) as is_twin
    from decided w order by w.at`.execute(db);
  return foreseen;
}
