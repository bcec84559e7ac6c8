import { listStage } from '@steward/server/src/app/demo/demo.store.ts';
import { addMessages, insertStoredFiles, storeFileTexts } from '@steward/server/src/app/demo/sample-content.actions.ts';
import {
  type ContentRecipe,
  FILES_WITH_TEXT,
  generateChannels,
  generateFiles,
  generateMessages,
  generateRecords,
  type Stage,
} from '@steward/server/src/app/demo/sample-data/generate-content.ts';
import { generateEntries } from '@steward/server/src/app/demo/sample-data/generate-entries.ts';
import { generateUsers, type Recipe } from '@steward/server/src/app/demo/sample-data/generate-users.ts';
import { bulkInsertEntries } from '@steward/server/src/features/directory/entries.store.ts';
import type { Blobs } from '@steward/server/src/platform/blobs/blobs.ts';
import { type Database, inTransaction, type Trx } from '@steward/server/src/platform/database/database.ts';
import { type AuditEvent, addAuditEvent } from '@steward/server/src/workspace/audit/audit.store.ts';
import { operatorOrigin } from '@steward/server/src/workspace/audit/operator-origin.ts';
import { bulkInsertChannels } from '@steward/server/src/workspace/channels/channels.store.ts';
import { bulkInsertFiles } from '@steward/server/src/workspace/content/files.store.ts';
import { bulkInsertRecords } from '@steward/server/src/workspace/content/records.store.ts';
import { addUsersToTeam } from '@steward/server/src/workspace/users/add-members.actions.ts';
import type { Workspace } from '../open-workspace.ts';
import {
  dropIndexes,
  type FilledTable,
  hasOtherZendesk,
  isAlone,
  listFileIds,
  listUsers,
  recreateIndexes,
  settle,
  tuneForBulkInsert,
} from './fill.store.ts';

const CHUNK = 50_000;
/** For this many rows, building the indexes again is faster than adding each row to them. */
const REBUILD_INDEXES_FROM = 100_000;

type Filling = Pick<Workspace, 'db' | 'secrets'>;

/** `key` is the team's id. */
interface Source {
  key: string;
  seed: number;
}

export interface FillOptions<R extends Source = Recipe> {
  recipe: R;
  count: number;
  progress(done: number): void;
  /** Drops the indexes and builds them again at the end; by default, the count decides. */
  rebuildsIndexes?: boolean;
}

type Audited<R extends Source> = FillOptions<R> & Pick<Workspace, 'secrets'>;

interface Filled<R> {
  table: FilledTable;
  name: 'people' | 'entries' | 'messages' | 'files' | 'records';
  add(trx: Trx, recipe: R, chunk: { from: number; count: number }): Promise<number>;
}

export function fillUsers(workspace: Filling, filling: FillOptions): Promise<number> {
  return fill(workspace, filling, { table: 'memberships', name: 'people', add: addUsers });
}

export function fillEntries(workspace: Filling, filling: FillOptions): Promise<number> {
  return fill(workspace, filling, { table: 'directory_entries', name: 'entries', add: addEntries });
}

/**
 * Adds generated rows to one table and returns how many are new; repeated, it adds none twice. Beside a server, each chunk is a transaction of its own
 * that doesn't stop the server. Without one, everything is a single transaction, which is much faster.
 */
async function fill<R extends Source>(workspace: Filling, filling: FillOptions<R>, filled: Filled<R>): Promise<number> {
  const options = { ...filling, secrets: workspace.secrets };
  const rebuildsIndexes =
    filling.rebuildsIndexes ?? (filling.count >= REBUILD_INDEXES_FROM && (await isAlone(workspace.db)));
  const added = rebuildsIndexes
    ? await inTransaction(workspace.db, (trx) => addAllRebuildingIndexes(trx, options, filled))
    : await addByChunks(workspace.db, options, filled);
  if (added > 0) await settle(workspace.db, filled.table);
  return added;
}

async function addByChunks<R extends Source>(db: Database, filling: Audited<R>, filled: Filled<R>): Promise<number> {
  let added = 0;
  for (let from = 0; from < filling.count; from += CHUNK) {
    added += await inTransaction(db, async (trx) => {
      await tuneForBulkInsert(trx);
      return addChunk(trx, { ...filling, from }, filled);
    });
  }
  return added;
}

async function addAllRebuildingIndexes<R extends Source>(
  trx: Trx,
  filling: Audited<R>,
  filled: Filled<R>,
): Promise<number> {
  let added = 0;
  await tuneForBulkInsert(trx);
  const indexes = await dropIndexes(trx, filled.table);
  for (let from = 0; from < filling.count; from += CHUNK) added += await addChunk(trx, { ...filling, from }, filled);
  await recreateIndexes(trx, indexes);
  return added;
}

async function addChunk<R extends Source>(
  trx: Trx,
  { recipe, count, progress, from, secrets }: Audited<R> & { from: number },
  { add, name }: Filled<R>,
): Promise<number> {
  const chunk = { from, count: Math.min(CHUNK, count - from) };
  const added = await add(trx, recipe, chunk);
  if (added > 0) {
    const details = { seed: recipe.seed, [name]: added };
    const event: AuditEvent = {
      action: 'teams.filled',
      teamId: recipe.key,
      actorId: null,
      target: recipe.key,
      details,
    };
    await addAuditEvent(trx, { secrets }, { ...event, origin: operatorOrigin() });
  }
  progress(from + chunk.count);
  return added;
}

async function addUsers(trx: Trx, recipe: Recipe, { from, count }: { from: number; count: number }): Promise<number> {
  const users = generateUsers(recipe, from, count);
  const first = users[0];
  // A team has one Zendesk user, however often it is filled.
  const isExtra = from === 0 && first !== undefined && (await hasOtherZendesk(trx, recipe.key, first.id));
  return addUsersToTeam(trx, recipe.key, isExtra ? users.slice(1) : users);
}

function addEntries(trx: Trx, recipe: Recipe, { from, count }: { from: number; count: number }): Promise<number> {
  return bulkInsertEntries(trx, recipe.key, generateEntries(recipe, from, count));
}

export interface ContentFillOptions extends FillOptions<ContentRecipe> {
  stage: Stage;
}

/** Returns the number of new channels, and the ids that the recipe gives them. */
export async function fillChannels(
  { db, secrets }: Filling,
  recipe: ContentRecipe,
  count: number,
): Promise<{ added: number; ids: string[] }> {
  const channels = generateChannels(recipe, count, await listUsers(db, recipe.key));
  const added = await inTransaction(db, async (trx) => {
    const came = await bulkInsertChannels(trx, recipe.key, channels);
    if (came > 0) await auditFill(trx, { secrets, recipe }, { channels: came });
    return came;
  });
  return { added, ids: channels.map(({ id }) => id) };
}

/** Reads the authors, and the channels with these ids or all of the team. */
export async function loadStage(db: Database, teamId: string, ids: readonly string[] | undefined): Promise<Stage> {
  return { channels: await listStage(db, teamId, ids), users: await listUsers(db, teamId) };
}

export function fillMessages(workspace: Filling, { stage, ...filling }: ContentFillOptions): Promise<number> {
  const add = (trx: Trx, recipe: ContentRecipe, chunk: { from: number; count: number }) =>
    addMessages(trx, recipe.key, generateMessages(recipe, stage, chunk));
  return fill(workspace, filling, { table: 'messages', name: 'messages', add });
}

export function fillRecords(workspace: Filling, { stage, ...filling }: ContentFillOptions): Promise<number> {
  const add = (trx: Trx, recipe: ContentRecipe, chunk: { from: number; count: number }) =>
    bulkInsertRecords(trx, recipe.key, generateRecords(recipe, stage, chunk));
  return fill(workspace, filling, { table: 'records', name: 'records', add });
}

/** The first files have contents that can be downloaded. */
export async function fillFiles(place: Filling & { blobs: Blobs }, filling: ContentFillOptions): Promise<number> {
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
  return withText + (await fill(place, { ...rest, count, progress }, { table: 'files', name: 'files', add }));
}

async function fillTexts(place: Filling & { blobs: Blobs }, filling: ContentFillOptions): Promise<number> {
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
    await auditFill(trx, { secrets: place.secrets, recipe }, { files });
    progress(count);
    return files;
  });
}

async function auditFill(
  trx: Trx,
  { secrets, recipe }: Pick<Workspace, 'secrets'> & { recipe: ContentRecipe },
  added: Record<string, number>,
): Promise<void> {
  const { key, seed } = recipe;
  const event: AuditEvent = {
    action: 'teams.filled',
    teamId: key,
    actorId: null,
    target: key,
    details: { seed, ...added },
  };
  await addAuditEvent(trx, { secrets }, { ...event, origin: operatorOrigin() });
}
