import type { Blobs } from '#platform/blobs/blobs.ts';
import { type Database, inTransaction, type Trx } from '#platform/database/database.ts';
import { type AuditEvent, addAuditEvent } from '#workspace/audit/audit.store.ts';
import { bulkInsertChannels, recordPosts } from '#workspace/channels/channels.store.ts';
import { bulkInsertFiles } from '#workspace/content/files.store.ts';
import { bulkInsertMessages, type MessageInsert } from '#workspace/content/messages.store.ts';
import { bulkInsertRecords } from '#workspace/content/records.store.ts';
import { insertStoredFiles, storeFileTexts } from '../backup/store-file-texts.actions.ts';
import { operatorOrigin } from '../operator-origin.ts';
import type { ContentRecipe, Stage } from '../sample-data/content-recipe.ts';
import { generateChannels } from '../sample-data/generate-channels.ts';
import { FILES_WITH_TEXT, generateFiles } from '../sample-data/generate-files.ts';
import { generateMessages } from '../sample-data/generate-messages.ts';
import { generateRecords } from '../sample-data/generate-records.ts';
import { type FillOptions, fill } from './fill.actions.ts';
import { listFileIds, listPeople, listStage } from './fill-content.store.ts';

/** What content is filled from, and where it goes. */
export interface ContentFillOptions extends FillOptions<ContentRecipe> {
  stage: Stage;
}

/** Adds channels to the team of the recipe and answers how many came, and the ids that the recipe gives them. */
export async function fillChannels(
  db: Database,
  recipe: ContentRecipe,
  count: number,
): Promise<{ added: number; ids: string[] }> {
  const channels = generateChannels(recipe, count, await listPeople(db, recipe.key));
  const added = await inTransaction(db, async (trx) => {
    const came = await bulkInsertChannels(trx, recipe.key, channels);
    if (came > 0) await auditFill(trx, recipe, { channels: came });
    return came;
  });
  return { added, ids: channels.map(({ id }) => id) };
}

/** Who takes part and where: in the channels with these ids, or in all that the team has. */
export async function loadStage(db: Database, teamId: string, ids: readonly string[] | undefined): Promise<Stage> {
  return { channels: await listStage(db, teamId, ids), people: await listPeople(db, teamId) };
}

/** Adds messages to the team of the recipe and answers how many came; repeated, it adds none twice. */
export function fillMessages(db: Database, { stage, ...filling }: ContentFillOptions): Promise<number> {
  const add = (trx: Trx, recipe: ContentRecipe, chunk: { from: number; count: number }) =>
    addMessages(trx, recipe.key, generateMessages(recipe, stage, chunk));
  return fill(db, filling, { table: 'messages', name: 'messages', add });
}

/** Adds messages, and tells their channels of the last of them. */
export async function addMessages(trx: Trx, teamId: string, messages: readonly MessageInsert[]): Promise<number> {
  const added = await bulkInsertMessages(trx, teamId, messages);
  const last = new Map<string, number>();
  for (const { channel_id, create_at } of messages)
    last.set(channel_id, Math.max(create_at, last.get(channel_id) ?? 0));
  if (added > 0) await recordPosts(trx, teamId, last);
  return added;
}

/** Adds records of all kinds to the team of the recipe and answers how many came; repeated, it adds none twice. */
export function fillRecords(db: Database, { stage, ...filling }: ContentFillOptions): Promise<number> {
  const add = (trx: Trx, recipe: ContentRecipe, chunk: { from: number; count: number }) =>
    bulkInsertRecords(trx, recipe.key, generateRecords(recipe, stage, chunk));
  return fill(db, filling, { table: 'records', name: 'records', add });
}

/** Adds files to the team of the recipe and answers how many came; the first of them have texts to be downloaded. */
export async function fillFiles(place: { db: Database; blobs: Blobs }, filling: ContentFillOptions): Promise<number> {
  const { stage, ...rest } = filling;
  const withText = await fillTexts(place, filling);
  const add = async (trx: Trx, recipe: ContentRecipe, { from, count }: { from: number; count: number }) => {
    const made = generateFiles(recipe, stage, { from: FILES_WITH_TEXT + from, count });
    return (
      await bulkInsertFiles(
        trx,
        recipe.key,
        made.map(({ file }) => file),
      )
    ).length;
  };
  const count = Math.max(0, filling.count - FILES_WITH_TEXT);
  const progress = (done: number) => filling.progress(FILES_WITH_TEXT + done);
  return withText + (await fill(place.db, { ...rest, count, progress }, { table: 'files', name: 'files', add }));
}

async function fillTexts(place: { db: Database; blobs: Blobs }, filling: ContentFillOptions): Promise<number> {
  const { recipe, stage, progress } = filling;
  const count = Math.min(FILES_WITH_TEXT, filling.count);
  const all = generateFiles(recipe, stage, { from: 0, count });
  const there = new Set(
    await listFileIds(
      place.db,
      recipe.key,
      all.map(({ file }) => file.id),
    ),
  );
  const missing = all.filter(({ file }) => !there.has(file.id));
  if (missing.length === 0) return 0;
  const kept = await storeFileTexts(place, recipe.key, missing);
  return inTransaction(place.db, async (trx) => {
    const files = await insertStoredFiles(trx, recipe.key, kept);
    await auditFill(trx, recipe, { files });
    progress(count);
    return files;
  });
}

async function auditFill(trx: Trx, { key, seed }: ContentRecipe, added: Record<string, number>): Promise<void> {
  const event: AuditEvent = {
    action: 'teams.filled',
    teamId: key,
    actorId: null,
    target: key,
    details: { seed, ...added },
  };
  await addAuditEvent(trx, event, operatorOrigin());
}
