import type { ChannelType } from '@steward/contract/channels';
import type { ChannelInsert } from '#workspace/channels/channels.store.ts';
import { type ContentRecipe, getPeriodStart } from './content-recipe.ts';
import { AREAS, FORMS, randomSentence } from './random-texts.ts';
import { computeSeedDigest, createRandom, getIds } from './seeded-random.ts';

/** What the channels are, in turns: the first three are one of each kind. */
const TURN: readonly ChannelType[] = ['O', 'P', 'D', 'O', 'O', 'P', 'O', 'D', 'O', 'P'];
/** Fewest members of a channel, and how many more there can be. */
const MEMBERS = { O: [5, 36], P: [3, 10], D: [2, 1] } as const satisfies Record<ChannelType, [number, number]>;

/** Channels number 0 to `count - 1` of the recipe, with members from among these people. */
export function generateChannels(recipe: ContentRecipe, count: number, people: readonly string[]): ChannelInsert[] {
  const digest = computeSeedDigest(`${recipe.key} channels`, recipe.seed);
  const getId = getIds(digest);
  return Array.from({ length: count }, (_, number) => {
    const roll = createRandom(digest, number);
    const type = TURN[number % TURN.length] ?? 'O';
    const [least, more] = MEMBERS[type];
    const size = Math.min(least + (roll(0) % more), people.length);
    const members = Array.from({ length: size }, (_, at) => people[(roll(1) + at) % people.length] ?? '');
    const id = getId(number);
    // A conversation has no name that people see.
    const names = type === 'D' ? { name: id, display_name: '' } : getNames(recipe, number);
    const purpose = type === 'D' ? '' : randomSentence(roll, 2);
    return { id, type, ...names, purpose, create_at: getPeriodStart(recipe), delete_at: 0, members };
  });
}

function getNames({ seed }: ContentRecipe, number: number): { name: string; display_name: string } {
  // Neighbours differ in both words, and no pair comes twice before all of them came.
  const round = Math.floor(number / AREAS.length / FORMS.length);
  const display_name = `${AREAS[number % AREAS.length]} ${FORMS[number % FORMS.length]}${round === 0 ? '' : ` ${round + 1}`}`;
  const slug = display_name.toLowerCase().replaceAll(' ', '-');
  return { name: seed === 1 ? slug : `${slug}-${seed}`, display_name };
}
