import { bulkInsertEntries } from '#features/directory/entries/entries.store.ts';
import { type Database, inTransaction, type Trx } from '#platform/database/database.ts';
import { type AuditEvent, addAuditEvent } from '#workspace/audit/audit.store.ts';
import { addPeopleToTeam } from '#workspace/people/add-people-to-team.ts';
import { operatorOrigin } from '../operator-origin.ts';
import { generateEntries } from '../sample-data/generate-entries.ts';
import { generatePeople, type Recipe } from '../sample-data/generate-people.ts';
import {
  dropIndexes,
  type FilledTable,
  hasOtherZendesk,
  isAlone,
  recreateIndexes,
  settle,
  tuneForBulkInsert,
} from './fill.store.ts';

const CHUNK = 50_000;
/** From here on making the indexes anew is quicker than entering rows in them. */
const REBUILD_INDEXES_FROM = 100_000;

/** What everything that is filled has: the team, and which of its makings. */
interface Source {
  key: string;
  seed: number;
}

/** Whose rows are made up, and how many of them. */
export interface FillOptions<R extends Source = Recipe> {
  recipe: R;
  /** Numbers 0 to `count - 1` of the recipe. */
  count: number;
  progress(done: number): void;
  /** Whether to make the indexes anew, where that is not left to the count. */
  anew?: boolean;
}

/** What is filled: adds some numbers of the recipe and answers how many of them are new. */
interface Filled<R> {
  table: FilledTable;
  name: 'people' | 'entries' | 'messages' | 'files' | 'records';
  add(trx: Trx, recipe: R, chunk: { from: number; count: number }): Promise<number>;
}

/** Adds people to the team of the recipe and answers how many came; repeated, it adds nobody twice. */
export function fillPeople(db: Database, filling: FillOptions): Promise<number> {
  return fill(db, filling, { table: 'memberships', name: 'people', add: addPeople });
}

/** Adds directory entries to the team of the recipe and answers how many came; repeated, it adds none twice. */
export function fillEntries(db: Database, filling: FillOptions): Promise<number> {
  return fill(db, filling, { table: 'directory_entries', name: 'entries', add: addEntries });
}

/**
 * Adds what is made up to one table and answers how many rows came. Beside a server each chunk is a transaction of its
 * own, and the server goes on; alone, all of it is one, and much quicker.
 */
export async function fill<R extends Source>(
  db: Database,
  filling: FillOptions<R>,
  filled: Filled<R>,
): Promise<number> {
  const anew = filling.anew ?? (filling.count >= REBUILD_INDEXES_FROM && (await isAlone(db)));
  const added = anew
    ? await inTransaction(db, (trx) => addAllRebuildingIndexes(trx, filling, filled))
    : await addByChunks(db, filling, filled);
  if (added > 0) await settle(db, filled.table);
  return added;
}

async function addByChunks<R extends Source>(
  db: Database,
  filling: FillOptions<R>,
  filled: Filled<R>,
): Promise<number> {
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
  filling: FillOptions<R>,
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
  { recipe, count, progress, from }: FillOptions<R> & { from: number },
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
    await addAuditEvent(trx, event, operatorOrigin());
  }
  progress(from + chunk.count);
  return added;
}

async function addPeople(trx: Trx, recipe: Recipe, { from, count }: { from: number; count: number }): Promise<number> {
  const people = generatePeople(recipe, from, count);
  const first = people[0];
  // A team has one Zendesk person, whatever it was filled with before.
  const isExtra = from === 0 && first !== undefined && (await hasOtherZendesk(trx, recipe.key, first.id));
  return addPeopleToTeam(trx, recipe.key, isExtra ? people.slice(1) : people);
}

function addEntries(trx: Trx, recipe: Recipe, { from, count }: { from: number; count: number }): Promise<number> {
  return bulkInsertEntries(trx, recipe.key, generateEntries(recipe, from, count));
}
