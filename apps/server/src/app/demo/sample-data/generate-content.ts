import type { ChannelType } from '@steward/contract/channels';
import type { RecordKind } from '@steward/contract/content';
import type { ChannelInsert } from '#workspace/channels/channels.store.ts';
import type { FileInsert } from '#workspace/content/files.store.ts';
import type { MessageInsert } from '#workspace/content/messages.store.ts';
import type { RecordInsert } from '#workspace/content/records.store.ts';
import { AREAS, FORMS, randomLines, randomSentence, randomTitle } from './sample-texts.ts';
import { computeSeedDigest, createRandom, getIds, type Roll } from './seeded-random.ts';

/** The team and period that content is generated for. The same key and seed always give the same ids, number by number. */
export interface ContentRecipe {
  /** The team or workspace. */
  key: string;
  seed: number;
  /** Everything happened in the three years before this instant, in milliseconds. */
  until: number;
}

/** The channels that content is posted in, and its authors. */
export interface Stage {
  channels: readonly { id: string; type: ChannelType; members: readonly string[] }[];
  /** People of the team who can sign in, a few hundred at most. */
  users: readonly string[];
}

const DAY_MS = 86_400_000;
const YEARS_MS = 3 * 365 * DAY_MS;

function getPeriodStart({ until }: ContentRecipe): number {
  return until - YEARS_MS;
}

function randomInstant(recipe: ContentRecipe, roll: number): number {
  return getPeriodStart(recipe) + Math.floor((roll / 2 ** 32) * YEARS_MS);
}

/** Two in a hundred were marked deleted, within ten days; 0 for all others. */
function randomDeleteAt(recipe: ContentRecipe, roll: Roll, create_at: number): number {
  const marked = roll(0) % 50 === 0;
  return marked ? Math.min(create_at + (roll(1) % (10 * DAY_MS)), recipe.until) : 0;
}

function pickOne(list: readonly string[], roll: number): string {
  return list[roll % list.length] ?? '';
}

/** Types of channels in rotation; the first three include one of each. */
const CHANNEL_TYPES: readonly ChannelType[] = ['O', 'P', 'D', 'O', 'O', 'P', 'O', 'D', 'O', 'P'];
/** Minimum number of members, and the size of the range above it. */
const MEMBERS = { O: [5, 36], P: [3, 10], D: [2, 1] } as const satisfies Record<ChannelType, [number, number]>;

/** Generates channels 0 to `count - 1` of the recipe. */
export function generateChannels(recipe: ContentRecipe, count: number, users: readonly string[]): ChannelInsert[] {
  const digest = computeSeedDigest(`${recipe.key} channels`, recipe.seed);
  const getId = getIds(digest);
  return Array.from({ length: count }, (_, number) => {
    const roll = createRandom(digest, number);
    const type = CHANNEL_TYPES[number % CHANNEL_TYPES.length] ?? 'O';
    const [least, more] = MEMBERS[type];
    const size = Math.min(least + (roll(0) % more), users.length);
    const members = Array.from({ length: size }, (_, at) => users[(roll(1) + at) % users.length] ?? '');
    const id = getId(number);
    // Direct channels have no visible name.
    const names = type === 'D' ? { name: id, display_name: '' } : getChannelNames(recipe, number);
    const purpose = type === 'D' ? '' : randomSentence(roll, 2);
    return { id, type, ...names, purpose, create_at: getPeriodStart(recipe), delete_at: 0, members };
  });
}

function getChannelNames({ seed }: ContentRecipe, number: number): { name: string; display_name: string } {
  // Neighbors differ in both words, and every pair comes once before any comes twice.
  const round = Math.floor(number / AREAS.length / FORMS.length);
  const display_name = `${AREAS[number % AREAS.length]} ${FORMS[number % FORMS.length]}${round === 0 ? '' : ` ${round + 1}`}`;
  const slug = display_name.toLowerCase().replaceAll(' ', '-');
  return { name: seed === 1 ? slug : `${slug}-${seed}`, display_name };
}

/** Generates messages `from` to `from + count - 1` of the recipe. Some in direct channels are marked deleted. */
export function generateMessages(
  recipe: ContentRecipe,
  { channels, users }: Stage,
  { from, count }: { from: number; count: number },
): MessageInsert[] {
  const digest = computeSeedDigest(`${recipe.key} messages`, recipe.seed);
  const getId = getIds(digest);
  return Array.from({ length: count }, (_, at) => {
    const roll = createRandom(digest, from + at);
    const channel = channels[roll(0) % channels.length];
    if (!channel) throw new Error('there is no channel to write in');
    const create_at = randomInstant(recipe, roll(1));
    return {
      id: getId(from + at),
      channel_id: channel.id,
      channel_type: channel.type,
      user_id: pickOne(channel.members.length > 0 ? channel.members : users, roll(2)),
      text: randomSentence(roll, 3),
      create_at,
      delete_at: channel.type === 'D' ? randomDeleteAt(recipe, (purpose) => roll(7 + purpose), create_at) : 0,
    };
  });
}

/** Only this many files have a text; the others have only a size. */
export const FILES_WITH_TEXT = 1_000;

export interface GeneratedFile {
  file: FileInsert;
  text: string | undefined;
}

const OF_TEXT = ['txt', 'md', 'csv'];
const OTHERS = ['pdf', 'png', 'jpg', 'docx', 'xlsx', 'zip', 'mp4', 'pptx'];

/** Generates files `from` to `from + count - 1` of the recipe. A fifth is outside any channel, some are marked deleted. */
export function generateFiles(
  recipe: ContentRecipe,
  { channels, users }: Stage,
  { from, count }: { from: number; count: number },
): GeneratedFile[] {
  const digest = computeSeedDigest(`${recipe.key} files`, recipe.seed);
  const getId = getIds(digest);
  return Array.from({ length: count }, (_, at) => {
    const number = from + at;
    const roll = createRandom(digest, number);
    const channel = roll(0) % 5 === 0 ? undefined : channels[roll(1) % channels.length];
    const create_at = randomInstant(recipe, roll(2));
    const text = number < FILES_WITH_TEXT ? randomLines(roll, 16, 3 + (roll(3) % 40)) : undefined;
    const extension = pickOne(text === undefined ? OTHERS : OF_TEXT, roll(4));
    const file = {
      id: getId(number),
      channel_id: channel?.id ?? '',
      user_id: pickOne(channel && channel.members.length > 0 ? channel.members : users, roll(5)),
      name: `${randomTitle(roll, 6)} ${1 + (roll(8) % 99)}.${extension}`,
      // From 1 KB to 8 MB, small ones more often.
      size: text === undefined ? 2 ** (10 + (roll(9) % 13)) + (roll(10) % 1_000) : Buffer.byteLength(text),
      blob: null,
      digest: '',
      create_at,
      delete_at: randomDeleteAt(recipe, (purpose) => roll(11 + purpose), create_at),
    };
    return { file, text };
  });
}

/** Kinds of records in rotation; the first eight include one of each. */
const RECORD_KINDS = `note task meeting meeting_recording call call_recording voicemail communication
  note task call meeting note task call communication`.split(/\s+/) as RecordKind[];

const MINUTE_MS = 60_000;

/** Generates records `from` to `from + count - 1` of the recipe. Retention doesn't apply yet to some, such as open tasks. */
export function generateRecords(
  recipe: ContentRecipe,
  { users }: Pick<Stage, 'users'>,
  { from, count }: { from: number; count: number },
): RecordInsert[] {
  const digest = computeSeedDigest(`${recipe.key} records`, recipe.seed);
  const getId = getIds(digest);
  return Array.from({ length: count }, (_, at) => {
    const number = from + at;
    const roll = createRandom(digest, number);
    const kind = RECORD_KINDS[number % RECORD_KINDS.length] ?? 'note';
    const create_at = randomInstant(recipe, roll(0));
    const common = {
      id: getId(number),
      kind,
      user_id: pickOne(users, roll(1)),
      title: randomTitle(roll, 2),
      create_at,
    };
    return {
      ...common,
      clock: getClock(kind, roll, { create_at, until: recipe.until }),
      ...generateRecordContent(kind, roll),
    };
  });
}

/** The time of archiving, completion or end, from which retention counts; null before that. */
function getClock(
  kind: RecordKind,
  roll: Roll,
  { create_at, until }: { create_at: number; until: number },
): number | null {
  const isArchivable = kind === 'note' || kind === 'task';
  const takes = isArchivable ? (roll(4) % 90) * DAY_MS : (1 + (roll(4) % 90)) * MINUTE_MS;
  const isOver = roll(5) % 100 < (isArchivable ? 65 : 96) && create_at + takes < until;
  if (isOver) return create_at + takes;
  // Retention of calls and voicemails counts from their start.
  return isArchivable || kind.startsWith('meeting') ? null : create_at;
}

/** Recordings are stored elsewhere: only their size is known. */
function generateRecordContent(kind: RecordKind, roll: Roll): Pick<RecordInsert, 'text' | 'name' | 'size'> {
  if (kind.endsWith('recording')) return { text: '', name: 'recording.mp4', size: 2 ** 20 + (roll(6) % 2 ** 26) };
  if (kind === 'voicemail') return { text: '', name: 'message.wav', size: 2 ** 15 + (roll(6) % 2 ** 20) };
  const text = randomLines(roll, 16, 1 + (roll(6) % 6));
  return { text, name: '', size: Buffer.byteLength(text) };
}
