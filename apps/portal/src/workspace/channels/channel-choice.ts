import { CHANNELS_PER_PAGE } from '@steward/contract/api/limits';
import type { Channel, ChannelType } from '@steward/contract/channels';

/** The channel that every team has, and that everybody in it belongs to. */
const GENERAL = 'general';

/** A channel that was chosen. */
export interface ChosenChannel {
  channel_id: string;
  channel_name: string;
  /** `null` where nobody knows it, or knows it any more. */
  type: ChannelType | null;
  general: boolean;
}

export function toChosenChannel({ id, display_name, type, name }: Channel): ChosenChannel {
  return { channel_id: id, channel_name: display_name, type, general: name.toLowerCase() === GENERAL };
}

/** Takes a channel out that is there, and else puts it at the end. */
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

/** Only a full page may be followed by another (spec §9); pages count from 0. */
export function getNextPage(page: readonly unknown[], at: number): number | undefined {
  return page.length >= CHANNELS_PER_PAGE ? at + 1 : undefined;
}

/** All channels once: one that was made meanwhile moves others to the next page, where they come again. */
export function dedupeChannels(pages: readonly (readonly Channel[])[]): readonly Channel[] {
  return [...new Map(pages.flat().map((channel) => [channel.id, channel])).values()];
}
