import type { addEntries, EntryEdit, EntryForm, removeEntry, saveEntries } from '@steward/contract/directory';
import type { Trx } from '#platform/database/database.ts';
import { refuse } from '#platform/http/errors.ts';
import type { AuditEvent } from '#workspace/audit/audit.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import type { EntryRow } from '../directory.store.ts';
import { deleteEntry, insertEntries, lockEntries, updateEntry } from './entries.store.ts';

/** Whose directory is changed, and by whom. */
export interface EditContext {
  teamId: string;
  actorId: string;
}

/** Adds entries, all or none. */
export async function add(
  trx: Trx,
  { teamId, actorId }: EditContext,
  forms: readonly EntryForm[],
): Promise<Changed<typeof addEntries>> {
  const entries = forms.map(({ name, phone_number = '', sms = '', email = '' }) => ({
    name,
    phone_number,
    sms,
    email,
  }));
  const records = await insertEntries(trx, teamId, entries);
  const details = { entries: records.map(toWords) };
  const audit: AuditEvent = { action: 'directory.added', teamId, actorId, target: onlyId(records), details };
  return { answer: { status_code: 200, records }, audit };
}

/** Changes entries, all or none; where nothing is different, nothing is written. */
export async function save(
  trx: Trx,
  { teamId, actorId }: EditContext,
  edits: readonly EntryEdit[],
): Promise<Changed<typeof saveEntries>> {
  const before = await lockEntries(
    trx,
    teamId,
    edits.map(({ id }) => id),
  );
  if (before.length < edits.length) refuse('record.not_found');
  const stored = new Map(before.map((row) => [row.id, row]));
  const different = edits.filter((edit) => isDifferent(stored.get(edit.id), edit));
  const saved = different.length === 0 ? [] : await updateEntry(trx, teamId, different.map(pickFields));
  const after = new Map(saved.map((row) => [row.id, row]));
  const records = edits.flatMap(({ id }) => after.get(id) ?? stored.get(id) ?? []);
  if (saved.length === 0) return { answer: { status_code: 200, records }, audit: null };
  const details = { before: saved.flatMap(({ id }) => stored.get(id) ?? []).map(toWords), after: saved.map(toWords) };
  const audit: AuditEvent = { action: 'directory.edited', teamId, actorId, target: onlyId(saved), details };
  return { answer: { status_code: 200, records }, audit };
}

/** Deletes an entry for good; its words stay in the audit log. */
export async function remove(
  trx: Trx,
  { teamId, actorId }: EditContext,
  entryId: string,
): Promise<Changed<typeof removeEntry>> {
  const removed = /^[a-z0-9]{26}$/.test(entryId) ? await deleteEntry(trx, teamId, entryId) : undefined;
  if (!removed) refuse('record.not_found');
  const details = { before: toWords(removed) };
  const audit: AuditEvent = { action: 'directory.deleted', teamId, actorId, target: removed.id, details };
  return { answer: { status_code: 200 }, audit };
}

const FIELDS = ['name', 'phone_number', 'sms', 'email'] as const;

function isDifferent(row: EntryRow | undefined, edit: EntryEdit): boolean {
  return FIELDS.some((field) => edit[field] !== undefined && edit[field] !== row?.[field]);
}

function pickFields({ id, name, phone_number, sms, email }: EntryEdit) {
  return { id, name, phone_number: phone_number ?? null, sms: sms ?? null, email: email ?? null };
}

/** What the audit log keeps of an entry. */
function toWords({ id, name, phone_number, sms, email }: EntryRow) {
  return { id, name, phone_number, sms, email };
}

function onlyId(rows: readonly EntryRow[]): string | null {
  return rows.length === 1 ? (rows[0]?.id ?? null) : null;
}
