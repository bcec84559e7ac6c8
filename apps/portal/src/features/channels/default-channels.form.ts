import { DEFAULT_CHANNELS_MAX } from '@steward/contract/api/limits';
import type { DefaultChannel } from '@steward/contract/channels/defaults';
import type { ChosenChannel } from '#workspace/channels/channel-choice.ts';

export type Selection = readonly ChosenChannel[];

export type Stored = readonly DefaultChannel[];

export const GENERAL_REQUIRED = 'Everyone is a member of General, so it can’t be removed.';

export const TOO_MANY = `A team has at most ${DEFAULT_CHANNELS_MAX} default channels.`;

/** General is always included: a change that leaves it out is ignored (docs/product.md, section 6). */
export function applySelection(before: Selection, wanted: Selection): Selection {
  return wanted.some(({ general }) => general) && !isTooMany(before, wanted) ? wanted : before;
}

/** Removing channels is allowed even above the limit. */
export function isTooMany(before: Selection, wanted: Selection): boolean {
  return wanted.length > DEFAULT_CHANNELS_MAX && wanted.length > before.length;
}

/** The order of channels is irrelevant. */
export function differsFromStored(selection: Selection, stored: Stored): boolean {
  const ids = new Set(stored.map(({ channel_id }) => channel_id));
  return selection.length !== ids.size || selection.some(({ channel_id }) => !ids.has(channel_id));
}

/** The next save removes channels that no longer exist. */
export function getMissingChannels(selection: Selection): Selection {
  return selection.filter(({ type }) => type === null);
}

export function toStoredChannels(selection: Selection, stored: Stored): DefaultChannel[] {
  const states = new Map(stored.map(({ channel_id, state }) => [channel_id, state]));
  return selection
    .filter(({ type }) => type !== null)
    .map((channel): DefaultChannel => ({ ...channel, state: states.get(channel.channel_id) ?? 'active' }))
    .sort((one, other) => Number(other.general) - Number(one.general));
}

export function getIds(selection: Selection): string[] {
  return toStoredChannels(selection, []).map(({ channel_id }) => channel_id);
}
