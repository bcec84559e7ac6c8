import type { ReadyMessage } from '#workspace/content/messages.store.ts';
import { digestOf, idsOf, rollsOf } from './chance.ts';
import { type ContentRecipe, madeInstant, madeMark, oneOf, type Stage } from './made-content.ts';
import { madeSentence } from './made-texts.ts';

/** Messages number `from` to `from + count - 1` of the recipe; some of those in conversations were marked deleted. */
export function makeMessages(
  recipe: ContentRecipe,
  { channels, people }: Stage,
  { from, count }: { from: number; count: number },
): ReadyMessage[] {
  const digest = digestOf(`${recipe.key} messages`, recipe.seed);
  const idOf = idsOf(digest);
  return Array.from({ length: count }, (_, at) => {
    const roll = rollsOf(digest, from + at);
    const channel = channels[roll(0) % channels.length];
    if (!channel) throw new Error('there is no channel to write in');
    const create_at = madeInstant(recipe, roll(1));
    return {
      id: idOf(from + at),
      channel_id: channel.id,
      channel_type: channel.type,
      user_id: oneOf(channel.members.length > 0 ? channel.members : people, roll(2)),
      text: madeSentence(roll, 3),
      create_at,
      delete_at: channel.type === 'D' ? madeMark(recipe, (purpose) => roll(7 + purpose), create_at) : 0,
    };
  });
}
