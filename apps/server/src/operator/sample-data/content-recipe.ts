import type { ChannelType } from '@steward/contract/channels';

/** Whose content is made up, and until when. The same key and seed always make the same ids, number by number. */
export interface ContentRecipe {
  /** Team or workspace that it is made for. */
  key: string;
  seed: number;
  /** Everything happened in the three years before this instant, in milliseconds. */
  until: number;
}

/** Who takes part, and where. */
export interface Stage {
  channels: readonly { id: string; type: ChannelType; members: readonly string[] }[];
  /** People of the team who can sign in, a few hundred at most. */
  people: readonly string[];
}

/** Throws of one made-up thing: for each purpose a number of 32 bits. */
type Roll = (purpose: number) => number;

const DAY_MS = 86_400_000;
const YEARS_MS = 3 * 365 * DAY_MS;

/** The first instant of what is made up. */
export function getPeriodStart({ until }: ContentRecipe): number {
  return until - YEARS_MS;
}

/** An instant of the three years. */
export function randomInstant(recipe: ContentRecipe, roll: number): number {
  return getPeriodStart(recipe) + Math.floor((roll / 2 ** 32) * YEARS_MS);
}

/** Two of a hundred were marked deleted, within ten days; 0 for all others. */
export function randomDeleteAt(recipe: ContentRecipe, roll: Roll, create_at: number): number {
  const marked = roll(0) % 50 === 0;
  return marked ? Math.min(create_at + (roll(1) % (10 * DAY_MS)), recipe.until) : 0;
}

/** One of a list; '' of an empty one. */
export function pickOne(list: readonly string[], roll: number): string {
  return list[roll % list.length] ?? '';
}
