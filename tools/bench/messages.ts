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
import type { Place, Team } from './bench-database.ts';
import { dropBackup, restoreMessages } from './message-backup.ts';
import type { Options } from './options.ts';

const CHANNELS = 200;
const DAY_MS = 86_400_000;

/** Whether a row of this run measures among many messages. */
export function needsMessages({ rows }: Options): boolean {
  return rows.some((row) => row.startsWith('content') || row.startsWith('retention'));
}

/** Gives the team channels and at least so many messages; answers how many it has. */
export async function fillWithMessages(
  place: Place,
  team: Team,
  { count, say }: { count: number; say: (line: string) => void },
): Promise<number> {
  const { id } = team;
  // What a run left behind that was broken off.
  await restoreMessages(place, team);
  await dropBackup(place);
  const { recipe, stage } = await getChannels(place, id, 1);
  const have = () => getCount(place, id);
  if ((await have()) >= count) return have();
  const progress = (done: number) => say(`${place.name}: ${done} of ${count} messages`);
  const add = (trx: Trx, made: ContentRecipe, chunk: { from: number; count: number }) =>
    addMessages(trx, id, inTheirOrder({ recipe: made, stage, of: count }, chunk));
  await fill(place.db, { recipe, count, progress }, { table: 'messages', name: 'messages', add });
  return have();
}

/** Messages that the team does not have, in the order in which they were written. */
export async function newMessages(place: Place, { id }: Team, count: number): Promise<MessageInsert[]> {
  const { stage, recipe } = await getChannels(place, id, 2);
  return inTheirOrder({ recipe, stage, of: count }, { from: 0, count });
}

async function getChannels(place: Place, teamId: string, seed: number) {
  const recipe = { key: teamId, seed, until: Math.floor(Date.now() / DAY_MS) * DAY_MS };
  const { ids } = await fillChannels(place.db, { ...recipe, seed: 1 }, CHANNELS);
  return { recipe, stage: await loadStage(place.db, teamId, ids) };
}

async function getCount(place: Place, teamId: string): Promise<number> {
  const { rows } = await place.pool.query('select count(*)::int as count from messages where team_id = $1', [teamId]);
  return rows[0].count;
}

/**
 * Made-up messages are scattered over the years; written ones lie in a table in the order of their writing. Each chunk gets its
 * part of the years, so that what a rule reaches lies together as it does in a team that grew.
 */
function inTheirOrder(
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
