import { fill } from '@steward/server/src/operator/fill/fill.actions.ts';
import { addMessages, fillChannels, loadStage } from '@steward/server/src/operator/fill/fill-content.actions.ts';
import {
  type ContentRecipe,
  getPeriodStart,
  type Stage,
} from '@steward/server/src/operator/sample-data/content-recipe.ts';
import { generateMessages } from '@steward/server/src/operator/sample-data/generate-messages.ts';
import type { Trx } from '@steward/server/src/platform/database/database.ts';
import type { MessageInsert } from '@steward/server/src/workspace/content/messages.store.ts';
import { REACHED } from '../retention/reach.ts';
import type { BenchDatabase, Team } from '../setup/database.ts';
import type { Options } from '../setup/options.ts';
import { removeSent } from './send-content.ts';

const CHANNELS = 200;
const DAY_MS = 86_400_000;

/** Whether a row of this run needs many messages. */
export function needsMessages({ rows }: Options): boolean {
  return rows.some((row) => row.startsWith('content') || row.startsWith('retention'));
}

/** Fills the team with channels and at least that many messages; returns their number. */
export async function fillWithMessages(
  database: BenchDatabase,
  team: Team,
  { count, say }: { count: number; say: (line: string) => void },
): Promise<number> {
  const { id } = team;
  // Left behind by an interrupted run.
  await restoreMessages(database, team);
  await dropBackup(database);
  const { recipe, stage } = await getChannels(database, id, 1);
  const have = () => getCount(database, id);
  if ((await have()) >= count) return have();
  const progress = (done: number) => say(`${database.name}: ${done} of ${count} messages`);
  const add = (trx: Trx, made: ContentRecipe, chunk: { from: number; count: number }) =>
    addMessages(trx, id, generateInOrder({ recipe: made, stage, of: count }, chunk));
  await fill(database.db, { recipe, count, progress }, { table: 'messages', name: 'messages', add });
  return have();
}

/** Messages that the team does not have yet, oldest first. */
export async function newMessages(database: BenchDatabase, { id }: Team, count: number): Promise<MessageInsert[]> {
  const { stage, recipe } = await getChannels(database, id, 2);
  return generateInOrder({ recipe, stage, of: count }, { from: 0, count });
}

async function getChannels(database: BenchDatabase, teamId: string, seed: number) {
  const recipe = { key: teamId, seed, until: Math.floor(Date.now() / DAY_MS) * DAY_MS };
  const { ids } = await fillChannels(database.db, { ...recipe, seed: 1 }, CHANNELS);
  return { recipe, stage: await loadStage(database.db, teamId, ids) };
}

async function getCount(database: BenchDatabase, teamId: string): Promise<number> {
  const { rows } = await database.pool.query('select count(*)::int as count from messages where team_id = $1', [
    teamId,
  ]);
  return rows[0].count;
}

/**
 * Generated messages are scattered over the years, while a table holds messages in the order in which they were written.
 * Each chunk gets its part of the years, so that what a rule deletes is stored together, as in a team that grew.
 */
function generateInOrder(
  { recipe, stage, of }: { recipe: ContentRecipe; stage: Stage; of: number },
  { from, count }: { from: number; count: number },
): MessageInsert[] {
  const begun = getPeriodStart(recipe);
  const span = recipe.until - begun;
  const getPart = (instant: number) => Math.floor(begun + ((instant - begun) * count + span * from) / of);
  return generateMessages(recipe, stage, { from, count })
    .map((message) => {
      const create_at = getPart(message.create_at);
      const marked = Math.min(create_at + message.delete_at - message.create_at, recipe.until);
      return { ...message, create_at, delete_at: message.delete_at === 0 ? 0 : marked };
    })
    .sort((one, other) => one.create_at - other.create_at);
}

/** Copies what a rule deletes, since measuring deletes it. */
export async function backUpMessages({ pool }: BenchDatabase, team: Team, cutoff: number): Promise<void> {
  await pool.query('create unlogged table bench_reached as select * from messages limit 0');
  await pool.query(`insert into bench_reached select * from messages where ${REACHED} order by id`, [team.id, cutoff]);
}

/** Restores the messages as they were at the backup. */
export async function restoreMessages(database: BenchDatabase, team: Team): Promise<void> {
  // Space is freed first, or the table would grow with each round.
  await removeSent(database, team);
  if (!(await hasBackup(database))) return;
  await database.pool.query('insert into messages select * from bench_reached order by id on conflict do nothing');
  await database.pool.query('vacuum (analyze) messages');
}

/** Deletes the backup. */
export async function dropBackup({ pool }: BenchDatabase): Promise<void> {
  await pool.query('drop table if exists bench_reached');
}

async function hasBackup({ pool }: BenchDatabase): Promise<boolean> {
  const { rows } = await pool.query("select to_regclass('bench_reached') is not null as is");
  return rows[0].is;
}
