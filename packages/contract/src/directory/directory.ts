import { z } from 'zod';
import { EXPORT, PREVIEW, SEARCH } from '../api/costs.ts';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Flag, Id, LastKey, listAnswer, listQuery, text } from '../api/fields.ts';
import { ENTRIES_PER_CALL_MAX, ENTRIES_PER_UPLOAD_MAX, FILE_NAME_MAX, UPLOAD_BODY_MAX } from '../api/limits.ts';
import { EntryEmail, EntryName, EntryNumber } from './fields.ts';

/** An entry of the company directory as lists answer it. */
export const Entry = z.object({
  id: Id,
  name: z.string(),
  phone_number: z.string(),
  sms: z.string(),
  email: z.string(),
  /** The member of the team who had this address when the entry was last written; '' when there was none. */
  user_id: z.string(),
  /** Of that member's picture, in milliseconds; 0 without one. */
  last_picture_update: z.int(),
});
export type Entry = z.infer<typeof Entry>;

/** What a person may write of an entry; a number or address that is left out is empty. */
export const EntryForm = z.object({
  name: EntryName,
  phone_number: EntryNumber.optional(),
  sms: EntryNumber.optional(),
  email: EntryEmail.optional(),
});
export type EntryForm = z.infer<typeof EntryForm>;

/** The same for an entry that exists; what is left out stays as it is stored. */
export const EntryEdit = EntryForm.extend({ id: Id });
export type EntryEdit = z.infer<typeof EntryEdit>;

const TeamParams = z.object({ teamId: Id });

/** Entries of a team by name; the search also finds numbers by their digits alone. */
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

/** Adds entries, all or none; answers them as stored, in the order they were sent. */
export const addEntries = endpoint({
  name: 'addEntries',
  method: 'POST',
  path: '/teams/:teamId/compdir',
  summary: 'Add up to 1,000 entries, all or none.',
  params: TeamParams,
  body: z.array(EntryForm).min(1, 'must hold at least one entry').max(ENTRIES_PER_CALL_MAX),
  answer: Done.extend({ records: z.array(Entry) }),
});

/** Changes entries, all or none; of two changes to one entry the later one holds. */
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

/** Deletes one entry. It can be restored for 30 days. */
export const removeEntry = endpoint({
  name: 'removeEntry',
  method: 'DELETE',
  path: '/teams/:teamId/compdir/:entryId',
  summary: 'Delete an entry.',
  params: z.object({ teamId: Id, entryId: z.string() }),
  answer: Done,
});

/** Restores an entry that was deleted with `removeEntry` in the last 30 days, under its id; one that exists stays as it is. */
export const restoreEntry = endpoint({
  name: 'restoreEntry',
  method: 'POST',
  path: '/teams/:teamId/compdir/:entryId/restore',
  summary: 'Restore an entry that was deleted in the last 30 days.',
  params: z.object({ teamId: Id, entryId: z.string() }),
  answer: Done.extend({ records: z.array(Entry) }),
});

/** Fields of a row that a file may lack. */
export const ROW_FIELDS = ['name', 'phone_number', 'sms', 'email'] as const;
export type RowField = (typeof ROW_FIELDS)[number];

/**
 * A row of an upload, as the portal sends it: every field as text, '' when missing. `id` '' adds an entry, another
 * one changes that entry. `keep` names fields that the file does not hold at all, so that what is stored there stays.
 */
export interface UploadRow {
  id: string;
  name: string;
  phone_number: string;
  sms: string;
  email: string;
  keep?: RowField[];
}

/** A row that was not stored, with its texts as they were sent. */
export const FailedRow = z.object({
  id: z.string(),
  name: z.string(),
  phone_number: z.string(),
  sms: z.string(),
  email: z.string(),
  /** In plain words, for the error CSV. */
  error: z.string(),
  /** Place of the row in the list that was sent, from 0. */
  row: z.int(),
});
export type FailedRow = z.infer<typeof FailedRow>;

/** What a row of an upload does. */
export const Outcome = z.enum(['created', 'changed', 'unchanged', 'failed']);
export type Outcome = z.infer<typeof Outcome>;

/**
 * Stores up to 5,000 rows: good rows are stored, each other one comes back in `errors`. With `preview=1` nothing is
 * written, and `outcomes` tells of each row what would happen. `import_id` counts the rows to an import that was
 * started; without it the call is an import of its own.
 */
export const uploadEntries = endpoint({
  name: 'uploadEntries',
  costs: [PREVIEW],
  method: 'POST',
  path: '/teams/:teamId/compdir/multi',
  summary: 'Add and change up to 5,000 entries; a wrong row never stops the others.',
  params: TeamParams,
  query: z.object({ preview: Flag, import_id: Id.optional() }),
  // What is wrong inside a row is that row's error, so rows are checked one by one and not here.
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
        /** What each row would do, in the order sent. */
        outcomes: z.array(Outcome),
        /** The first entries that would change, as they are stored now. */
        before: z.array(Entry),
        /** New rows that the directory already holds word for word. */
        twins: z.int(),
        /** Numbers that only lost the + or zeros in front, as spreadsheets do; the stored ones stay. */
        kept_numbers: z.int(),
        /** Names with ? for characters that the file's encoding lacks; the stored names are kept. */
        kept_names: z.int(),
      })
      .optional(),
  }),
});

/** State of an import. An abandoned import becomes `interrupted`. */
export const ImportState = z.enum(['running', 'finished', 'cancelled', 'interrupted', 'undoing', 'undone']);
export type ImportState = z.infer<typeof ImportState>;

/** One upload of a file, counted; instants are milliseconds since 1970. */
export const Import = z.object({
  id: Id,
  file_name: z.string(),
  state: ImportState,
  started_by: z.string(),
  /** Name of who started it, or their address. */
  started_by_name: z.string(),
  started_at: z.int(),
  /** 0 while it runs. */
  ended_at: z.int(),
  created: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  failed: z.int(),
  /** Time until which it can be undone; 0 if it can't. */
  undo_until: z.int(),
  /** Progress of the undo; `kept` counts entries changed or deleted since. */
  undo: z.object({ removed: z.int(), restored: z.int(), kept: z.int(), ended_at: z.int() }).nullable(),
});
export type Import = z.infer<typeof Import>;

const OneImport = z.object({ teamId: Id, importId: z.string() });

/** Begins an import: the chunks of one file that are counted, audited and undone together. */
export const startImport = endpoint({
  name: 'startImport',
  method: 'POST',
  path: '/teams/:teamId/compdir/imports',
  summary: 'Begin an import, to which uploaded rows are then counted.',
  params: TeamParams,
  body: z.object({ file_name: text(FILE_NAME_MAX).trim() }),
  answer: Import,
});

/** Ends an import that the caller has begun, and writes its line in the audit log. */
export const finishImport = endpoint({
  name: 'finishImport',
  method: 'POST',
  path: '/teams/:teamId/compdir/imports/:importId/finish',
  summary: 'End an import: everything was sent, or it was cancelled.',
  params: OneImport,
  body: z.object({
    cancelled: z.boolean(),
    /** Rows that never were sent, because they could not be read as rows of the file. */
    unreadable: z.int().min(0).max(100_000_000),
  }),
  answer: Import,
});

/** Imports of the last 30 days, newest first. */
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

/** One import, to see how far undoing it is. */
export const getImport = endpoint({
  name: 'getImport',
  method: 'GET',
  path: '/teams/:teamId/compdir/imports/:importId',
  summary: 'One import.',
  params: OneImport,
  answer: Import,
});

/**
 * Undoes an import within 30 days, in the background: what it created is removed, what it changed is restored, what
 * was changed since is kept and listed.
 */
export const undoImport = endpoint({
  name: 'undoImport',
  method: 'POST',
  path: '/teams/:teamId/compdir/imports/:importId/undo',
  summary: 'Undo an import of the last 30 days.',
  params: OneImport,
  answer: Import,
});

/** An entry that undoing left alone. */
export const KeptEntry = z.object({
  id: Id,
  /** Its name now, or as the import had found it when it is gone. */
  name: z.string(),
  reason: z.enum(['edited', 'deleted']),
});
export type KeptEntry = z.infer<typeof KeptEntry>;

/** Entries that the undo of an import kept, because they were changed or deleted since. */
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
