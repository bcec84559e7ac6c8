import type { FileInsert } from '#workspace/content/files.store.ts';
import { type ContentRecipe, pickOne, randomDeleteAt, randomInstant, type Stage } from './content-recipe.ts';
import { randomLines, randomTitle } from './random-texts.ts';
import { computeSeedDigest, createRandom, getIds } from './seeded-random.ts';

/** Files whose text comes along; of all later ones only the size is known. */
export const FILES_WITH_TEXT = 1_000;

/** A file, and its text where it has one. */
export interface GeneratedFile {
  file: FileInsert;
  text: string | undefined;
}

const OF_TEXT = ['txt', 'md', 'csv'];
const OTHERS = ['pdf', 'png', 'jpg', 'docx', 'xlsx', 'zip', 'mp4', 'pptx'];

/** Files number `from` to `from + count - 1` of the recipe; a fifth lies outside any channel, some were marked deleted. */
export function generateFiles(
  recipe: ContentRecipe,
  { channels, people }: Stage,
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
      user_id: pickOne(channel && channel.members.length > 0 ? channel.members : people, roll(5)),
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
