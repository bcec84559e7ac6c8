import { CHANNELS_PER_PAGE } from '@steward/contract/api/limits';
import type { Channel, ChannelType } from '@steward/contract/channels';

/** Every team has this channel, and every member belongs to it. */
const GENERAL = 'general';

export interface ChosenChannel {
  channel_id: string;
  channel_name: string;
  /** `null` if the channel no longer exists. */
  type: ChannelType | null;
  general: boolean;
}

export function toChosenChannel({ id, display_name, type, name }: Channel): ChosenChannel {
  return { channel_id: id, channel_name: display_name, type, general: name.toLowerCase() === GENERAL };
}

/** Removes a channel that is selected, and appends any other. */
export function toggleChannel<Chosen extends ChosenChannel>(
  chosen: readonly Chosen[],
  channel: Chosen,
): readonly Chosen[] {
  const others = without(chosen, channel.channel_id);
  return others.length < chosen.length ? others : [...chosen, channel];
}

export function without<Chosen extends ChosenChannel>(chosen: readonly Chosen[], id: string): readonly Chosen[] {
  return chosen.filter(({ channel_id }) => channel_id !== id);
}

/** Another page may only follow a full one. Pages are counted from 0. */
export function getNextPage(page: readonly unknown[], at: number): number | undefined {
  return page.length >= CHANNELS_PER_PAGE ? at + 1 : undefined;
}

/** A channel that is created between two requests moves others to the next page, so duplicates are removed. */
export function dedupeChannels(pages: readonly (readonly Channel[])[]): readonly Channel[] {
  return [...new Map(pages.flat().map((channel) => [channel.id, channel])).values()];
}
