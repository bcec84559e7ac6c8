import { RETENTION_WAIT_MS } from '@steward/contract/api/limits';
import type { RetentionKind, RetentionRule } from '@steward/contract/retention/fields';
import { replaceDefaults } from '#features/channels/defaults/default-channels.store.ts';
import { addTeamNight, saveRule } from '#features/retention/rules/rules.store.ts';
import type { Blobs } from '#platform/blobs/blobs.ts';
import type { Database, Trx } from '#platform/database/database.ts';
import { bulkInsertChannels } from '#workspace/channels/channels.store.ts';
import { bulkInsertRecords } from '#workspace/content/records.store.ts';
import { toNight } from '#workspace/content/retention/cutoff.rules.ts';
import { listStage } from './demo.store.ts';
import { addMessages, insertStoredFiles, storeFileTexts } from './sample-content.actions.ts';
import {
  type ContentRecipe,
  type GeneratedFile,
  generateChannels,
  generateFiles,
  generateMessages,
  generateRecords,
} from './sample-data/generate-content.ts';

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

const KEEP: RetentionRule = { value: 0 };
const after = (count: number, period: 'd' | 'm' | 'y'): RetentionRule => ({ value: 1, duration: { count, period } });

/** Rules that hold already, so that there is something overdue to see. */
const IN_FORCE: [RetentionKind, RetentionRule][] = [
  ['files', { value: 0, canmark: 1, duration: { count: 30, period: 'd' } }],
  ['call_recordings', after(1, 'y')],
  ['voicemails', after(90, 'd')],
];

/** Gives a demo team rules: some hold, and one waits for its day to pass. */
export async function addDemoRules(
  trx: Trx,
  { teamId, ownerId, timeZone }: { teamId: string; ownerId: string; timeZone: string },
): Promise<void> {
  const now = Date.now();
  const by = { teamId, savedBy: ownerId };
  for (const [kind, rule] of IN_FORCE) await saveRule(trx, { ...by, kind }, { current: rule, scheduled: null });
  const scheduled = { rule: after(2, 'y'), effectiveAt: now + RETENTION_WAIT_MS };
  await saveRule(trx, { ...by, kind: 'archived_notes' }, { current: KEEP, scheduled });
  await addTeamNight(trx, teamId, toNight(now, timeZone));
}
