import { replaceDefaults } from '#features/channels/defaults/default-channels.store.ts';
import type { Blobs } from '#platform/blobs/blobs.ts';
import type { Database, Trx } from '#platform/database/database.ts';
import { bulkInsertChannels } from '#workspace/channels/channels.store.ts';
import { bulkInsertRecords } from '#workspace/content/records.store.ts';
import { insertStoredFiles, storeFileTexts } from '../backup/store-file-texts.actions.ts';
import { addMessages } from '../fill/fill-content.actions.ts';
import { listStage } from '../fill/fill-content.store.ts';
import type { ContentRecipe } from '../sample-data/content-recipe.ts';
import { generateChannels } from '../sample-data/generate-channels.ts';
import { type GeneratedFile, generateFiles } from '../sample-data/generate-files.ts';
import { generateMessages } from '../sample-data/generate-messages.ts';
import { generateRecords } from '../sample-data/generate-records.ts';

/** How much of everything a demo team has. */
export interface ContentCounts {
  channels: number;
  /** Public channels that new people join; so many more of them were archived since. */
  defaults: number;
  archivedDefaults: number;
  messages: number;
  files: number;
  records: number;
}

/** Content of a demo team that is ready to be added: the texts of its files lie where blobs lie already. */
export interface DemoContent {
  recipe: ContentRecipe;
  counts: ContentCounts;
  channels: ReturnType<typeof generateChannels>;
  people: readonly string[];
  files: readonly GeneratedFile[];
}

/** An archived channel of the demo was archived so long ago. */
const ARCHIVED_MS = 40 * 86_400_000;

/** Makes a team's content up and writes the texts of its files, which no transaction may wait for. */
export async function prepareContent(
  place: { db: Database; blobs: Blobs },
  team: { id: string; recipe: ContentRecipe; counts: ContentCounts; people: readonly string[] },
): Promise<DemoContent> {
  const { recipe, counts, people } = team;
  const channels = generateChannels(recipe, counts.channels, people);
  const files = generateFiles(recipe, { channels, people }, { from: 0, count: counts.files });
  return { recipe, counts, channels, people, files: await storeFileTexts(place, team.id, files) };
}

/** Adds what was prepared; the demo's owner belongs to every channel. */
export async function addDemoContent(
  trx: Trx,
  { teamId, ownerId }: { teamId: string; ownerId: string },
  content: DemoContent,
): Promise<void> {
  const { recipe, counts, people } = content;
  const { defaults, archived } = toDefaults(content);
  const channels = content.channels.map((channel) => {
    const others = channel.type === 'D' ? channel.members.slice(0, 1) : channel.members;
    const delete_at = archived.includes(channel) ? Date.now() - ARCHIVED_MS : 0;
    return { ...channel, delete_at, members: [...others, ownerId] };
  });
  await bulkInsertChannels(trx, teamId, channels);
  await replaceDefaults(trx, teamId, [...defaults, ...archived]);
  const stage = { channels: await listStage(trx, teamId, undefined), people };
  await addMessages(trx, teamId, generateMessages(recipe, stage, { from: 0, count: counts.messages }));
  await insertStoredFiles(trx, teamId, content.files);
  await bulkInsertRecords(trx, teamId, generateRecords(recipe, stage, { from: 0, count: counts.records }));
}

function toDefaults({ channels, counts }: DemoContent): Record<'defaults' | 'archived', DemoContent['channels']> {
  const open = channels.filter(({ type }) => type === 'O');
  const { defaults, archivedDefaults } = counts;
  return { defaults: open.slice(0, defaults), archived: open.slice(defaults, defaults + archivedDefaults) };
}
