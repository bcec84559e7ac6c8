interface Description {
  name: string;
  /** The counted thing, and whose it is. */
  counts: string;
  /** The response beyond the limit; by default 429 for a rate and 503 for concurrent work. */
  beyond?: string;
}

/** Attempts in a period, or concurrent work in a process. */
export type DescribedLimit = Description &
  (
    | { attempts: number; seconds: number }
    | { atOnce: number; waiting: number; waitingPerKey?: number; atOncePerKey?: number }
  );

/** Every limit of the modules that are loaded, for `npm run generate:docs`. */
export const DESCRIBED_LIMITS: DescribedLimit[] = [];

/** The name must be unique, since rates with the same name would share counters. */
export function describeLimit<L extends DescribedLimit>(limit: L): L {
  if (DESCRIBED_LIMITS.some(({ name }) => name === limit.name))
    throw new Error(`There is a limit ${limit.name} already.`);
  DESCRIBED_LIMITS.push(limit);
  return limit;
}
