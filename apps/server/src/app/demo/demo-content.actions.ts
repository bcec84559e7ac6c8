import { RETENTION_WAIT_MS } from '@steward/contract/api/limits';
import type { RetentionKind, RetentionRule } from '@steward/contract/retention/fields';
import { replaceDefaults } from '#features/channels/default-channels.store.ts';
import { saveRule } from '#features/retention/rules/rules.store.ts';
import type { Blobs } from '#platform/blobs/blobs.ts';
import type { Database, Trx } from '#platform/database/database.ts';
import { bulkInsertChannels } from '#workspace/channels/channels.store.ts';
import { bulkInsertRecords } from '#workspace/content/records.store.ts';
import { toNight } from '#workspace/content/retention/cutoff.rules.ts';
import { addTeamNight } from '#workspace/content/retention/nights.store.ts';
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
  /** Number of public channels that new members join. */
  defaults: number;
  /** Number of further default channels, which are archived. */
  archivedDefaults: number;
  messages: number;
  files: number;
  records: number;
}

/** Generated content whose rows aren't in the database yet. The texts of its files are stored. */
export interface DemoContent {
  recipe: ContentRecipe;
  counts: ContentCounts;
  channels: ReturnType<typeof generateChannels>;
  users: readonly string[];
  files: readonly GeneratedFile[];
}

const ARCHIVED_MS = 40 * 86_400_000;

/** Generates a team's content and stores the texts of its files, for which no transaction should wait. */
export async function prepareContent(
  place: { db: Database; blobs: Blobs },
  team: { id: string; recipe: ContentRecipe; counts: ContentCounts; users: readonly string[] },
): Promise<DemoContent> {
  const { recipe, counts, users } = team;
  const channels = generateChannels(recipe, counts.channels, users);
  const files = generateFiles(recipe, { channels, users }, { from: 0, count: counts.files });
  return { recipe, counts, channels, users, files: await storeFileTexts(place, team.id, files) };
}

/** The demo's owner joins every channel. */
export async function addDemoContent(
  trx: Trx,
  { teamId, ownerId }: { teamId: string; ownerId: string },
  content: DemoContent,
): Promise<void> {
  const { recipe, counts, users } = content;
  const { defaults, archived } = toDefaults(content);
  const channels = content.channels.map((channel) => {
    const others = channel.type === 'D' ? channel.members.slice(0, 1) : channel.members;
    const delete_at = archived.includes(channel) ? Date.now() - ARCHIVED_MS : 0;
    return { ...channel, delete_at, members: [...others, ownerId] };
  });
  await bulkInsertChannels(trx, teamId, channels);
  await replaceDefaults(trx, teamId, [...defaults, ...archived]);
  const stage = { channels: await listStage(trx, teamId, undefined), users };
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

/** Current rules, under which some content is due already. */
const CURRENT_RULES: [RetentionKind, RetentionRule][] = [
  ['files', { value: 0, canmark: 1, duration: { count: 30, period: 'd' } }],
  ['call_recordings', after(1, 'y')],
  ['voicemails', after(90, 'd')],
];

/** Adds current rules, and a scheduled one that still waits. */
export async function addDemoRules(
  trx: Trx,
  { teamId, ownerId, timeZone }: { teamId: string; ownerId: string; timeZone: string },
): Promise<void> {
  const now = Date.now();
  const by = { teamId, savedBy: ownerId };
  for (const [kind, rule] of CURRENT_RULES) await saveRule(trx, { ...by, kind }, { current: rule, scheduled: null });
  const scheduled = { rule: after(2, 'y'), effectiveAt: now + RETENTION_WAIT_MS };
  await saveRule(trx, { ...by, kind: 'archived_notes' }, { current: KEEP, scheduled });
  await addTeamNight(trx, teamId, toNight(now, timeZone));
}
