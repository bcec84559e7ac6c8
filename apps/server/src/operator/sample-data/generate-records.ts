import type { RecordKind } from '@steward/contract/content';
import type { RecordInsert } from '#workspace/content/records.store.ts';
import { type ContentRecipe, pickOne, randomInstant, type Stage } from './content-recipe.ts';
import { randomLines, randomTitle } from './random-texts.ts';
import { computeSeedDigest, createRandom, getIds } from './seeded-random.ts';

/** What the records are, in turns: the first eight are one of each kind. */
const TURN = `note task meeting meeting_recording call call_recording voicemail communication
  note task call meeting note task call communication`.split(/\s+/) as RecordKind[];

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

type Roll = (purpose: number) => number;

/** Records number `from` to `from + count - 1` of the recipe; some have not begun to count: open tasks, notes in use. */
export function generateRecords(
  recipe: ContentRecipe,
  { people }: Pick<Stage, 'people'>,
  { from, count }: { from: number; count: number },
): RecordInsert[] {
  const digest = computeSeedDigest(`${recipe.key} records`, recipe.seed);
  const getId = getIds(digest);
  return Array.from({ length: count }, (_, at) => {
    const number = from + at;
    const roll = createRandom(digest, number);
    const kind = TURN[number % TURN.length] ?? 'note';
    const create_at = randomInstant(recipe, roll(0));
    const common = {
      id: getId(number),
      kind,
      user_id: pickOne(people, roll(1)),
      title: randomTitle(roll, 2),
      create_at,
    };
    return { ...common, clock: getClock(kind, roll, { create_at, until: recipe.until }), ...heldBy(kind, roll) };
  });
}

/** When it was archived, completed or ended; null where that is still to come. */
function getClock(
  kind: RecordKind,
  roll: Roll,
  { create_at, until }: { create_at: number; until: number },
): number | null {
  const putAway = kind === 'note' || kind === 'task';
  const takes = putAway ? (roll(4) % 90) * DAY_MS : (1 + (roll(4) % 90)) * MINUTE_MS;
  const isOver = roll(5) % 100 < (putAway ? 65 : 96) && create_at + takes < until;
  if (isOver) return create_at + takes;
  // Calls and what was received count from their beginning.
  return putAway || kind.startsWith('meeting') ? null : create_at;
}

/** Text, name and size: recordings are kept elsewhere, and only their size is known. */
function heldBy(kind: RecordKind, roll: Roll): Pick<RecordInsert, 'text' | 'name' | 'size'> {
  if (kind.endsWith('recording')) return { text: '', name: 'recording.mp4', size: 2 ** 20 + (roll(6) % 2 ** 26) };
  if (kind === 'voicemail') return { text: '', name: 'message.wav', size: 2 ** 15 + (roll(6) % 2 ** 20) };
  const text = randomLines(roll, 16, 1 + (roll(6) % 6));
  return { text, name: '', size: Buffer.byteLength(text) };
}
