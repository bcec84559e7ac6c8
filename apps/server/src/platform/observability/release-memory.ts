import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Node's own collector, as `--expose-gc` gives it. */
type Collect = (options: { type: 'major' | 'minor'; execution: 'sync'; flavor?: 'last-resort' }) => void;

/**
 * Lets V8 allocate every object as a young one. Otherwise it allocates old ones directly where many of those allocated before survived,
 * as at the start; an old array keeps its rows until the next full collection, so they survive too, and nothing tells V8 that it was
 * wrong. Call it before the code has been optimized.
 */
export function allocateYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/**
 * Returns memory to the system that only startup needed, about 40 of 165 MiB, and that Node.js would otherwise keep. Takes 0.1
 * seconds, so call it before the server is ready.
 */
export function releaseMemory(): void {
  getCollector()({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * For work that only passes buffers on: collects those that are no longer used each time so many bytes have passed. V8 itself does
 * that when 64 MiB of them have piled up, because it counts them as if they were long-lived.
 */
export function collectEvery(bytes: number): (passed: number) => void {
  const collect = getCollector();
  let sum = 0;
  return (passed) => {
    sum += passed;
    if (sum < bytes) return;
    sum = 0;
    collect({ type: 'minor', execution: 'sync' });
  };
}

function getCollector(): Collect {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
