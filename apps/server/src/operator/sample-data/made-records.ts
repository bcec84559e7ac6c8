import type { RecordKind } from '@steward/contract/content';
import type { ReadyRecord } from '#workspace/content/records.store.ts';
import { digestOf, idsOf, rollsOf } from './chance.ts';
import { type ContentRecipe, madeInstant, oneOf, type Stage } from './made-content.ts';
import { madeLines, madeTitle } from './made-texts.ts';

/** What the records are, in turns: the first eight are one of each kind. */
const TURN = `note task meeting meeting_recording call call_recording voicemail communication
  note task call meeting note task call communication`.split(/\s+/) as RecordKind[];

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

type Roll = (purpose: number) => number;

/** Records number `from` to `from + count - 1` of the recipe; some have not begun to count: open tasks, notes in use. */
export function makeRecords(
  recipe: ContentRecipe,
  { people }: Pick<Stage, 'people'>,
  { from, count }: { from: number; count: number },
): ReadyRecord[] {
  const digest = digestOf(`${recipe.key} records`, recipe.seed);
  const idOf = idsOf(digest);
  return Array.from({ length: count }, (_, at) => {
    const number = from + at;
    const roll = rollsOf(digest, number);
    const kind = TURN[number % TURN.length] ?? 'note';
    const create_at = madeInstant(recipe, roll(0));
    const common = { id: idOf(number), kind, user_id: oneOf(people, roll(1)), title: madeTitle(roll, 2), create_at };
    return { ...common, clock: clockOf(kind, roll, { create_at, until: recipe.until }), ...heldBy(kind, roll) };
  });
}

/** When it was archived, completed or ended; null where that is still to come. */
function clockOf(
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
function heldBy(kind: RecordKind, roll: Roll): Pick<ReadyRecord, 'text' | 'name' | 'size'> {
  if (kind.endsWith('recording')) return { text: '', name: 'recording.mp4', size: 2 ** 20 + (roll(6) % 2 ** 26) };
  if (kind === 'voicemail') return { text: '', name: 'message.wav', size: 2 ** 15 + (roll(6) % 2 ** 20) };
  const text = madeLines(roll, 16, 1 + (roll(6) % 6));
  return { text, name: '', size: Buffer.byteLength(text) };
}
