/** What the documentation says about a limit. */
interface Description {
  name: string;
  /** What is counted, and of whom. */
  counts: string;
  /** What happens beyond the limit; when absent, 429 for a rate and 503 for what runs at once. */
  beyond?: string;
}

/** A limit of attempts in a period, or of what runs at once in a process. */
export type DescribedLimit = Description &
  ({ attempts: number; seconds: number } | { atOnce: number; waiting: number; waitingPerKey?: number });

/** Every limit of the modules that are loaded, for `npm run generate:docs`. */
export const DESCRIBED_LIMITS: DescribedLimit[] = [];

/** Declares a limit with its description; the name must be unique, since rates with the same name would share counters. */
export function describeLimit<L extends DescribedLimit>(limit: L): L {
  if (DESCRIBED_LIMITS.some(({ name }) => name === limit.name))
    throw new Error(`There is a limit ${limit.name} already.`);
  DESCRIBED_LIMITS.push(limit);
  return limit;
}
