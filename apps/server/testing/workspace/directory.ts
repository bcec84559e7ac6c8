import type { UploadRow } from '@steward/contract/directory';
import type { EntryRow } from '#features/directory/directory.store.ts';
import { remove } from '#features/directory/entries.actions.ts';
import { insertEntries, type NewEntry } from '#features/directory/entries.store.ts';
import { addImport, endImport } from '#features/directory/imports.store.ts';
import { uploadChunk } from '#features/directory/upload.actions.ts';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { addAuditEvent, JOB_ORIGIN } from '#workspace/audit/audit.store.ts';

export async function entry(node: TestApp, teamId: string, fields: Partial<NewEntry> = {}): Promise<EntryRow> {
  const [added] = await entries(node, teamId, [fields]);
  if (!added) throw new Error('the entry was not added');
  return added;
}

export function entries(node: TestApp, teamId: string, list: readonly Partial<NewEntry>[]): Promise<EntryRow[]> {
  const full = list.map((fields) => ({ name: 'Reception', phone_number: '', sms: '', email: '', ...fields }));
  return inTransaction(node.db, (trx) => insertEntries(trx, teamId, full));
}

export async function deletedEntry(node: TestApp, teamId: string, fields: Partial<NewEntry> = {}): Promise<string> {
  const { id } = await entry(node, teamId, fields);
  await inTransaction(node.db, async (trx) => {
    const { audit } = await remove(trx, { teamId, actorId: newId() }, id);
    if (audit) await addAuditEvent(trx, node.deps, { ...audit, origin: JOB_ORIGIN });
  });
  return id;
}

export function row(fields: Partial<UploadRow>): UploadRow {
  return { id: '', name: '', phone_number: '', sms: '', email: '', ...fields };
}

/** An import with one new entry; `ended` if it has finished. */
export function createStartedImport(
  node: TestApp,
  { teamId, actorId, ended = false }: { teamId: string; actorId: string; ended?: boolean },
): Promise<string> {
  return inTransaction(node.db, async (trx) => {
    const place = await addImport(trx, { teamId, actorId, fileName: 'people.csv' });
    const rows = [row({ name: 'From a file' })];
    await uploadChunk(trx, { teamId, actorId, rows, ifExists: undefined, endings: 'short' }, place.importId);
    if (ended) await endImport(trx, place, { state: 'finished', unreadable: 0 });
    return place.importId;
  });
}
