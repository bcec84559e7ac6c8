import { DEFAULT_CHANNELS_MAX } from '@steward/contract/api/limits';
import type { DefaultChannel } from '@steward/contract/channels/defaults';
import type { ChosenChannel } from '#workspace/channels/channel-choice.ts';

/** The default channels as somebody has chosen them. */
export type Selection = readonly ChosenChannel[];

/** What is stored. */
export type Stored = readonly DefaultChannel[];

/** Why general has no cross. */
export const GENERAL_STAYS = 'Everybody in the team belongs to it, so it is always a default channel.';

/** What is said in place of a change that would be too much. */
export const TOO_MANY = `A team has at most ${DEFAULT_CHANNELS_MAX} default channels.`;

/** The selection after somebody wanted another one: without general it is ignored (spec §5). */
export function applySelection(before: Selection, wanted: Selection): Selection {
  return wanted.some(({ general }) => general) && !isTooMany(before, wanted) ? wanted : before;
}

/** More than there may be; taking some out is possible all the same. */
export function isTooMany(before: Selection, wanted: Selection): boolean {
  return wanted.length > DEFAULT_CHANNELS_MAX && wanted.length > before.length;
}

/** Whether these are other channels than those stored, in whatever order. */
export function differsFromStored(selection: Selection, stored: Stored): boolean {
  const ids = new Set(stored.map(({ channel_id }) => channel_id));
  return selection.length !== ids.size || selection.some(({ channel_id }) => !ids.has(channel_id));
}

/** Those that do not exist any more: nobody knows what they were. The next save drops them. */
export function getMissingChannels(selection: Selection): Selection {
  return selection.filter(({ type }) => type === null);
}

/** What is stored once the selection is saved. */
export function toStoredChannels(selection: Selection, stored: Stored): DefaultChannel[] {
  const states = new Map(stored.map(({ channel_id, state }) => [channel_id, state]));
  return selection
    .filter(({ type }) => type !== null)
    .map((channel): DefaultChannel => ({ ...channel, state: states.get(channel.channel_id) ?? 'active' }))
    .sort((one, other) => Number(other.general) - Number(one.general));
}

/** What is sent. */
export function getIds(selection: Selection): string[] {
  return toStoredChannels(selection, []).map(({ channel_id }) => channel_id);
}
