import type { MessageInsert } from '#workspace/content/messages.store.ts';
import { type ContentRecipe, pickOne, randomDeleteAt, randomInstant, type Stage } from './content-recipe.ts';
import { randomSentence } from './random-texts.ts';
import { computeSeedDigest, createRandom, getIds } from './seeded-random.ts';

/** Messages number `from` to `from + count - 1` of the recipe; some of those in conversations were marked deleted. */
export function generateMessages(
  recipe: ContentRecipe,
  { channels, people }: Stage,
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
      user_id: pickOne(channel.members.length > 0 ? channel.members : people, roll(2)),
      text: randomSentence(roll, 3),
      create_at,
      delete_at: channel.type === 'D' ? randomDeleteAt(recipe, (purpose) => roll(7 + purpose), create_at) : 0,
    };
  });
}
