import type { Received } from '@steward/contract/api/endpoint';
import { isId } from '@steward/contract/api/fields';
import { PAGE_ROWS, UNDO_DAYS } from '@steward/contract/api/limits';
import type {
  addEntries,
  EntryEdit,
  EntryForm,
  listEntries as endpoint,
  removeEntry,
  restoreEntry,
  saveEntries,
} from '@steward/contract/directory';
import { type EmailEndings, emailFault } from '@steward/contract/directory/fields';
import { z } from 'zod';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { getPage, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import { type AuditEvent, findRecentDetails } from '#workspace/audit/audit.store.ts';
import type { Changed, TeamActor } from '#workspace/changes/change.ts';
import { type EntryRow, findEntries, listDirectory } from './directory.store.ts';
import { deleteEntry, insertEntries, lockEntries, reinsertEntry, updateEntry } from './entries.store.ts';

interface WriteContext extends TeamActor {
  endings: EmailEndings;
}

export async function add(
  trx: Trx,
  { teamId, actorId, endings }: WriteContext,
  forms: readonly EntryForm[],
): Promise<Changed<typeof addEntries>> {
  for (const [at, { email }] of forms.entries()) requireEnding(email, { at, endings });
  const records = await insertEntries(trx, teamId, forms.map(toNewEntry));
  const details = { entries: records.map(toWords) };
  const audit: AuditEvent = { action: 'directory.added', teamId, actorId, target: onlyId(records), details };
  return { answer: { status_code: 200, records }, audit };
}

/** Changes all entries or none. Unchanged entries are not written. */
export async function save(
  trx: Trx,
  { teamId, actorId, endings }: WriteContext,
  edits: readonly EntryEdit[],
): Promise<Changed<typeof saveEntries>> {
  const before = await lockEntries(
    trx,
    teamId,
    edits.map(({ id }) => id),
  );
  if (before.length < edits.length) refuse('record.not_found');
  const stored = new Map(before.map((row) => [row.id, row]));
  for (const [at, { id, email }] of edits.entries())
    if (email !== stored.get(id)?.email) requireEnding(email, { at, endings });
  const different = edits.filter((edit) => isDifferent(stored.get(edit.id), edit));
  const saved = different.length === 0 ? [] : await updateEntry(trx, teamId, different.map(pickFields));
  const after = new Map(saved.map((row) => [row.id, row]));
  const records = edits.flatMap(({ id }) => after.get(id) ?? stored.get(id) ?? []);
  if (saved.length === 0) return { answer: { status_code: 200, records }, audit: null };
  const details = { before: saved.flatMap(({ id }) => stored.get(id) ?? []).map(toWords), after: saved.map(toWords) };
  const audit: AuditEvent = { action: 'directory.edited', teamId, actorId, target: onlyId(saved), details };
  return { answer: { status_code: 200, records }, audit };
}

/** The fields stay in the audit log, from which `restore` reads them. */
export async function remove(
  trx: Trx,
  { teamId, actorId }: TeamActor,
  entryId: string,
): Promise<Changed<typeof removeEntry>> {
  const removed = isId(entryId) ? await deleteEntry(trx, teamId, entryId) : undefined;
  if (!removed) refuse('record.not_found');
  const details = { before: toWords(removed) };
  const audit: AuditEvent = { action: 'directory.deleted', teamId, actorId, target: removed.id, details };
  return { answer: { status_code: 200 }, audit };
}

/** Restores an entry that was deleted in the last 30 days. An existing entry is unchanged. */
export async function restore(
  trx: Trx,
  { teamId, actorId }: TeamActor,
  entryId: string,
): Promise<Changed<typeof restoreEntry>> {
  if (!isId(entryId)) refuse('record.not_found');
  const deletion = { teamId, action: 'directory.deleted' as const, target: entryId, days: UNDO_DAYS };
  const { data: fields } = StoredFields.safeParse((await findRecentDetails(trx, deletion))?.before);
  if (!fields) refuse('record.not_found');
  const restored = await reinsertEntry(trx, teamId, { id: entryId, ...fields });
  const records = restored ? [restored] : await findEntries(trx, teamId, [entryId]);
  if (!restored) return { answer: { status_code: 200, records }, audit: null };
  const details = { entries: [toWords(restored)] };
  const audit: AuditEvent = { action: 'directory.restored', teamId, actorId, target: entryId, details };
  return { answer: { status_code: 200, records }, audit };
}

const StoredFields = z.object({ name: z.string(), phone_number: z.string(), sms: z.string(), email: z.string() });
const FIELDS = ['name', 'phone_number', 'sms', 'email'] as const;

/** The entry at an index of the call may have this address. */
function requireEnding(email = '', { at, endings }: { at: number; endings: EmailEndings }): void {
  const fault = email === '' ? undefined : emailFault(email, endings);
  if (fault !== undefined) refuse('request.invalid', `${at}.email: ${fault}`);
}

function isDifferent(row: EntryRow | undefined, edit: EntryEdit): boolean {
  return FIELDS.some((field) => edit[field] !== undefined && edit[field] !== row?.[field]);
}

function toNewEntry({ name, phone_number = '', sms = '', email = '' }: EntryForm) {
  return { name, phone_number, sms, email };
}

function pickFields({ id, name, phone_number, sms, email }: EntryEdit) {
  return { id, name, phone_number: phone_number ?? null, sms: sms ?? null, email: email ?? null };
}

function toWords({ id, name, phone_number, sms, email }: EntryRow) {
  return { id, name, phone_number, sms, email };
}

function onlyId(rows: readonly EntryRow[]): string | null {
  return rows.length === 1 ? (rows[0]?.id ?? null) : null;
}

export async function listEntries(
  { db, replica, secrets }: Deps,
  { params: { teamId }, query }: Pick<Received<typeof endpoint>, 'params' | 'query'>,
) {
  const { last_key, limit = PAGE_ROWS, ...filters } = query;
  const scope = { list: 'directory', teamId, filters };
  const cursor = readCursor(secrets, scope, last_key);
  const search = {
    teamId,
    search: (query.search ?? '').trim(),
    after: cursor && { nameKey: cursor[0] ?? '', id: cursor[1] ?? '' },
    limit: rowsToFetch(limit),
  };
  // An export may miss the newest changes; a page on a screen may not.
  const rows = await (limit > PAGE_ROWS
    ? replica.read((source) => listDirectory(source, search))
    : listDirectory(db, search));
  const first = cursor === undefined;
  return getPage(rows, { limit, first, secrets, scope, toKey: ({ name_key, id }) => [name_key, id] });
}
