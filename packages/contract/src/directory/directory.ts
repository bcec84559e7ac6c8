import { z } from 'zod';
import { EXPORT, PREVIEW, SEARCH } from '../api/costs.ts';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Flag, Id, IfExists, LastKey, listAnswer, listQuery, text } from '../api/fields.ts';
import { ENTRIES_PER_CALL_MAX, ENTRIES_PER_UPLOAD_MAX, FILE_NAME_MAX, UPLOAD_BODY_MAX } from '../api/limits.ts';
import { type EmailEndings, EntryName, EntryNumber, entryEmail } from './fields.ts';

/** An entry of the company directory. */
export const Entry = z.object({
  id: Id,
  name: z.string(),
  phone_number: z.string(),
  sms: z.string(),
  email: z.string(),
  /** The member of the team who had this address when the entry was last written; '' when there was none. */
  user_id: z.string(),
  /** Version of that member's picture, in milliseconds; 0 without a picture. */
  last_picture_update: z.int(),
});
export type Entry = z.infer<typeof Entry>;

/** An absent number or address is empty. Without `endings`, the ending of the address isn't checked. */
export function createEntryForm(endings?: EmailEndings) {
  return z.object({
    name: EntryName,
    phone_number: EntryNumber.optional(),
    sms: EntryNumber.optional(),
    email: entryEmail(endings).optional(),
  });
}

/** A setting of the server decides about the endings of addresses, so it checks them after this. */
export const EntryForm = createEntryForm();
export type EntryForm = z.infer<typeof EntryForm>;

/** Absent fields keep their stored values. */
export const EntryEdit = EntryForm.extend({ id: Id });
export type EntryEdit = z.infer<typeof EntryEdit>;

const TeamParams = z.object({ teamId: Id });

/** Sorted by name; the search also finds numbers by their digits alone. */
export const listEntries = endpoint({
  name: 'listEntries',
  costs: [SEARCH, EXPORT],
  method: 'GET',
  path: '/teams/:teamId/compdir',
  summary: 'Entries of the company directory, searched, a page at a time.',
  params: TeamParams,
  query: z.object(listQuery),
  answer: listAnswer(Entry),
});

/** Returns the stored entries in the order sent. */
export const addEntries = endpoint({
  name: 'addEntries',
  method: 'POST',
  path: '/teams/:teamId/compdir',
  summary: 'Add up to 1,000 entries, all or none.',
  params: TeamParams,
  body: z.array(EntryForm).min(1, 'must hold at least one entry').max(ENTRIES_PER_CALL_MAX),
  answer: Done.extend({ records: z.array(Entry) }),
});

/** Of two concurrent changes to one entry the later one wins. */
export const saveEntries = endpoint({
  name: 'saveEntries',
  method: 'PUT',
  path: '/teams/:teamId/compdir',
  summary: 'Change up to 1,000 entries, all or none; an unknown id refuses the whole list.',
  params: TeamParams,
  body: z
    .array(EntryEdit)
    .min(1, 'must hold at least one entry')
    .max(ENTRIES_PER_CALL_MAX)
    .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'names an entry twice'),
  answer: Done.extend({ records: z.array(Entry) }),
});

/** The entry can be restored for 30 days. */
export const removeEntry = endpoint({
  name: 'removeEntry',
  method: 'DELETE',
  path: '/teams/:teamId/compdir/:entryId',
  summary: 'Delete an entry.',
  params: z.object({ teamId: Id, entryId: z.string() }),
  answer: Done,
});

/** Restores an entry that `removeEntry` deleted, under its id; an existing entry stays as it is. */
export const restoreEntry = endpoint({
  name: 'restoreEntry',
  method: 'POST',
  path: '/teams/:teamId/compdir/:entryId/restore',
  summary: 'Restore an entry that was deleted in the last 30 days.',
  params: z.object({ teamId: Id, entryId: z.string() }),
  answer: Done.extend({ records: z.array(Entry) }),
});

/** Fields of a row whose columns a file may lack. */
export const ROW_FIELDS = ['name', 'phone_number', 'sms', 'email'] as const;
export type RowField = (typeof ROW_FIELDS)[number];

/**
 * A row of an upload, as the portal sends it: every field as text, '' when missing. With `id` '' it adds an entry, unless
 * `if_exists` finds one, otherwise it changes that entry. `keep` names the fields whose columns the file lacks, so that their
 * stored values stay.
 */
export interface UploadRow {
  id: string;
  name: string;
  phone_number: string;
  sms: string;
  email: string;
  keep?: RowField[];
}

/** A row that was not stored, with its fields as they were sent. */
export const FailedRow = z.object({
  id: z.string(),
  name: z.string(),
  phone_number: z.string(),
  sms: z.string(),
  email: z.string(),
  /** A sentence for the error CSV. */
  error: z.string(),
  /** Index of the row in the request, from 0. */
  row: z.int(),
});
export type FailedRow = z.infer<typeof FailedRow>;

export const Outcome = z.enum(['created', 'changed', 'unchanged', 'failed']);
export type Outcome = z.infer<typeof Outcome>;

/**
 * Stores up to 5,000 rows: valid rows are stored, and invalid ones are returned in `errors`. With `preview=1` nothing is
 * written, and `outcomes` says what each row would do. `import_id` adds the rows to an import that was started; without
 * it the call is an import of its own.
 *
 * A row without id matches an entry with the same email address, or with the same name and number; a row with nothing but a
 * name matches an entry with nothing but this name. `if_exists=keep` leaves the matching entry as it is, and the row counts
 * as unchanged; `if_exists=update` changes it. Without `if_exists` every row without id adds an entry.
 */
export const uploadEntries = endpoint({
  name: 'uploadEntries',
  costs: [PREVIEW],
  method: 'POST',
  path: '/teams/:teamId/compdir/multi',
  summary: 'Add and change up to 5,000 entries; a wrong row never stops the others.',
  params: TeamParams,
  query: z.object({ preview: Flag, import_id: Id.optional(), if_exists: IfExists.optional() }),
  // Rows are checked one by one, because an error in a row concerns that row alone.
  body: z
    .array(z.unknown().meta({ description: 'id, name, phone_number, sms, email as text; keep: fields to leave alone' }))
    .min(1, 'must hold at least one row')
    .max(ENTRIES_PER_UPLOAD_MAX, `must hold at most ${ENTRIES_PER_UPLOAD_MAX} rows`),
  bodyLimit: UPLOAD_BODY_MAX,
  answer: Done.extend({
    created: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    errors: z.array(FailedRow),
    preview: z
      .object({
        /** One for each row, in the order sent. */
        outcomes: z.array(Outcome),
        /** The first entries that would change, with their stored values; `row` is the index of the row, from 0. */
        before: z.array(Entry.extend({ row: z.int() })),
        /** Rows without id that match an entry, whatever `if_exists` says. */
        matches: z.int(),
        /** New rows that are equal to an existing entry. */
        twins: z.int(),
        /** Numbers that lost only the leading + or zeros, as in spreadsheets; the stored numbers are kept. */
        kept_numbers: z.int(),
        /** Names with ? for characters that the file's encoding lacks; the stored names are kept. */
        kept_names: z.int(),
      })
      .optional(),
  }),
});

/** An abandoned import becomes `interrupted`. */
export const ImportState = z.enum(['running', 'finished', 'cancelled', 'interrupted', 'undoing', 'undone']);
export type ImportState = z.infer<typeof ImportState>;

/** One uploaded file. Times are milliseconds since 1970. */
export const Import = z.object({
  id: Id,
  file_name: z.string(),
  state: ImportState,
  started_by: z.string(),
  /** The user's name, or their address if they have none. */
  started_by_name: z.string(),
  started_at: z.int(),
  /** 0 while it runs. */
  ended_at: z.int(),
  created: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  failed: z.int(),
  /** End of the time in which it can be undone; 0 if it can't. */
  undo_until: z.int(),
  /** Progress of the undo; `kept` counts entries changed or deleted since. */
  undo: z.object({ removed: z.int(), restored: z.int(), kept: z.int(), ended_at: z.int() }).nullable(),
});
export type Import = z.infer<typeof Import>;

const OneImport = z.object({ teamId: Id, importId: z.string() });

/** Starts an import: its chunks are counted, audited and undone together. */
export const startImport = endpoint({
  name: 'startImport',
  method: 'POST',
  path: '/teams/:teamId/compdir/imports',
  summary: 'Begin an import, to which uploaded rows are then counted.',
  params: TeamParams,
  body: z.object({ file_name: text(FILE_NAME_MAX).trim() }),
  answer: Import,
});

/** Only for the user who started the import. Writes its row of the audit log. */
export const finishImport = endpoint({
  name: 'finishImport',
  method: 'POST',
  path: '/teams/:teamId/compdir/imports/:importId/finish',
  summary: 'End an import: everything was sent, or it was cancelled.',
  params: OneImport,
  body: z.object({
    cancelled: z.boolean(),
    /** Rows that were not sent because they could not be parsed. */
    unreadable: z.int().min(0).max(100_000_000),
  }),
  answer: Import,
});

export const listImports = endpoint({
  name: 'listImports',
  costs: [EXPORT],
  method: 'GET',
  path: '/teams/:teamId/compdir/imports',
  summary: 'Imports of the last 30 days, newest first.',
  params: TeamParams,
  query: z.object({ last_key: LastKey.optional(), limit: listQuery.limit }),
  answer: listAnswer(Import),
});

/** Shows also the progress of undoing it. */
export const getImport = endpoint({
  name: 'getImport',
  method: 'GET',
  path: '/teams/:teamId/compdir/imports/:importId',
  summary: 'One import.',
  params: OneImport,
  answer: Import,
});

/**
 * Undoes an import in the background: created entries are removed, changed ones are restored, and those that were changed
 * or deleted since then are kept and listed.
 */
export const undoImport = endpoint({
  name: 'undoImport',
  method: 'POST',
  path: '/teams/:teamId/compdir/imports/:importId/undo',
  summary: 'Undo an import of the last 30 days.',
  params: OneImport,
  answer: Import,
});

/** An entry that the undo kept. */
export const KeptEntry = z.object({
  id: Id,
  /** The current name, or the name before the import if the entry was deleted. */
  name: z.string(),
  reason: z.enum(['edited', 'deleted']),
});
export type KeptEntry = z.infer<typeof KeptEntry>;

export const listKeptEntries = endpoint({
  name: 'listKeptEntries',
  costs: [EXPORT],
  method: 'GET',
  path: '/teams/:teamId/compdir/imports/:importId/kept',
  summary: 'Entries that undoing an import left alone.',
  params: OneImport,
  query: z.object({ last_key: LastKey.optional(), limit: listQuery.limit }),
  answer: listAnswer(KeptEntry),
});
