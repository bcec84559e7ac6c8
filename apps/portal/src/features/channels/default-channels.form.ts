import { DEFAULT_CHANNELS_MAX } from '@steward/contract/api/limits';
import type { DefaultChannel } from '@steward/contract/channels/defaults';
import type { ChosenChannel } from '#workspace/channels/channel-choice.ts';

/** The default channels as selected in the form. */
export type Selection = readonly ChosenChannel[];

/** The default channels as stored. */
export type Stored = readonly DefaultChannel[];

/** Why general can't be removed. */
export const GENERAL_REQUIRED = 'Everyone is a member of General, so it can’t be removed.';

/** Error for a selection beyond the limit. */
export const TOO_MANY = `A team has at most ${DEFAULT_CHANNELS_MAX} default channels.`;

/** The selection after a change; a change that leaves out general is ignored (docs/product.md, section 6). */
export function applySelection(before: Selection, wanted: Selection): Selection {
  return wanted.some(({ general }) => general) && !isTooMany(before, wanted) ? wanted : before;
}

/** Beyond the limit; removing channels is allowed even then. */
export function isTooMany(before: Selection, wanted: Selection): boolean {
  return wanted.length > DEFAULT_CHANNELS_MAX && wanted.length > before.length;
}

/** Whether the selection differs from what is stored, in any order. */
export function differsFromStored(selection: Selection, stored: Stored): boolean {
  const ids = new Set(stored.map(({ channel_id }) => channel_id));
  return selection.length !== ids.size || selection.some(({ channel_id }) => !ids.has(channel_id));
}

/** Channels that no longer exist. The next save removes them. */
export function getMissingChannels(selection: Selection): Selection {
  return selection.filter(({ type }) => type === null);
}

/** The stored channels after the selection is saved. */
export function toStoredChannels(selection: Selection, stored: Stored): DefaultChannel[] {
  const states = new Map(stored.map(({ channel_id, state }) => [channel_id, state]));
  return selection
    .filter(({ type }) => type !== null)
    .map((channel): DefaultChannel => ({ ...channel, state: states.get(channel.channel_id) ?? 'active' }))
    .sort((one, other) => Number(other.general) - Number(one.general));
}

/** The ids to send. */
export function getIds(selection: Selection): string[] {
  return toStoredChannels(selection, []).map(({ channel_id }) => channel_id);
}
