/** The median. */
export function median(numbers: readonly number[]): number {
  return percentile(numbers, 50);
}

/** The number that `percent` of all numbers do not exceed. */
export function percentile(numbers: readonly number[], percent: number): number {
  const sorted = Float64Array.from(numbers).sort();
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

/** Least-squares slope of `y` over `x`. */
export function slope(points: readonly { x: number; y: number }[]): number {
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / points.length;
  const over = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0);
  return over / points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
}

/** Duration of some work, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** Median time of repeated work, in milliseconds. */
export async function medianTime(times: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let time = 0; time < times; time += 1) taken.push(await timed(work));
  return median(taken);
}

/** Two sides measured alternately. */
export interface Pair {
  ours: number;
  limit: number;
  /** Median of the ratios of the rounds: other load in a round affects both sides. */
  ratio: number;
}

/** Measures two sides alternately. */
export async function measureInTurns(
  rounds: number,
  ours: () => Promise<number>,
  limit: () => Promise<number>,
): Promise<Pair> {
  const pairs: { ours: number; limit: number }[] = [];
  for (let round = 0; round < rounds; round += 1) pairs.push({ ours: await ours(), limit: await limit() });
  return {
    ours: median(pairs.map((pair) => pair.ours)),
    limit: median(pairs.map((pair) => pair.limit)),
    ratio: median(pairs.map((pair) => pair.ours / pair.limit)),
  };
}
