import { Id } from '@steward/contract/api/fields';
import { createEntryForm, type FailedRow, ROW_FIELDS, type RowField } from '@steward/contract/directory';
import type { EmailEndings } from '@steward/contract/directory/fields';
import { z } from 'zod';
import type { UploadedRow } from './entry-fields.ts';

/** A row whose id the team does not have: unknown, deleted or another team's. */
export const UNKNOWN_ID = 'There is no entry with this Id in the directory. Leave Id empty to add a new entry.';
/** A row with a phone number in scientific notation that is not the stored one. */
export const SHORTENED_NUMBER =
  'A spreadsheet shortened this phone number. Format the column as text and enter the number again.';
export const REPEATED_MATCH = 'Duplicate: an earlier row already changes the entry that this row matches.';
const REPEATED_ID = 'Duplicate Id: already used in an earlier row. Leave Id empty to add a new entry.';

const LABELS: Record<string, string> = {
  id: 'Id',
  name: 'Name',
  phone_number: 'Phone Number',
  sms: 'Sms',
  email: 'Email',
  keep: 'The list of fields to keep',
};

function createSchemas(endings: EmailEndings) {
  const row = createEntryForm(endings).extend({ id: z.string(), keep: z.array(z.enum(ROW_FIELDS)).optional() });
  return { row, rowWithoutName: row.partial({ name: true }) };
}

const SCHEMAS = { short: createSchemas('short'), any: createSchemas('any') };

/** Rows that can be stored, and errors of the others; `at` is the index of the first row. */
export interface ValidatedRows {
  good: UploadedRow[];
  failed: FailedRow[];
}

/** The facts that the checks of all rows of a call share. */
export interface RowChecks {
  endings: EmailEndings;
  /** Collects the ids across slices. */
  seen: Set<string>;
}

/** Checks rows one by one, so that an invalid row doesn't stop the others. */
export function validateRows(rows: readonly unknown[], from: number, checks: RowChecks): ValidatedRows {
  const sorted: ValidatedRows = { good: [], failed: [] };
  for (const [place, row] of rows.entries()) {
    const at = from + place;
    const checked = checkRow(row, checks);
    if (typeof checked === 'string') sorted.failed.push(failedRow(row, at, checked));
    else sorted.good.push({ at, ...checked });
  }
  return sorted;
}

/** A refused row keeps its texts as they were sent. */
export function failedRow(row: unknown, at: number, error: string): FailedRow {
  const texts = typeof row === 'object' && row !== null ? (row as Record<string, unknown>) : {};
  const text = (field: string) => (typeof texts[field] === 'string' ? texts[field] : '');
  return {
    id: text('id'),
    name: text('name'),
    phone_number: text('phone_number'),
    sms: text('sms'),
    email: text('email'),
    error,
    row: at,
  };
}

function checkRow(row: unknown, { endings, seen }: RowChecks): Omit<UploadedRow, 'at'> | string {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return 'This is not a row of fields.';
  const given = withTexts(row);
  const isKept = (field: RowField) => given.id !== '' && given.keep?.includes(field) === true;
  const schemas = SCHEMAS[endings];
  const { data, error } = isKept('name')
    ? schemas.rowWithoutName.safeParse({ ...given, name: undefined })
    : schemas.row.safeParse(given);
  if (error) return formatFaults(error);
  const id = data.id.trim();
  if (id !== '' && !Id.safeParse(id).success) return UNKNOWN_ID;
  if (seen.has(id)) return REPEATED_ID;
  if (id !== '') seen.add(id);
  const value = (field: RowField) => (isKept(field) ? null : (data[field] ?? ''));
  const fields = { name: value('name'), phone_number: value('phone_number'), sms: value('sms'), email: value('email') };
  return { id, ...fields, ...(id === '' && data.keep !== undefined && { keep: data.keep }) };
}

/** A missing field is ''. */
function withTexts(row: object): Record<string, unknown> & { keep?: readonly unknown[] } {
  const { id = '', name = '', phone_number = '', sms = '', email = '', keep } = row as Record<string, unknown>;
  return { id, name, phone_number, sms, email, ...(Array.isArray(keep) && { keep }) };
}

function formatFaults(error: z.ZodError): string {
  const faults = error.issues.map(({ path, code, message }) => {
    const fault = code === 'invalid_type' || code === 'invalid_value' ? 'must be text' : message;
    return `${LABELS[String(path[0])] ?? 'The row'} ${fault}.`;
  });
  return [...new Set(faults)].join(' ');
}
