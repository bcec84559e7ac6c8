import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { prefetchItems } from './prefetch-items.ts';

describe('prefetching items', () => {
  it('requests the next item while the current one is processed, and no more than one', async () => {
    const begun: number[] = [];
    const seen: string[] = [];
    for await (const item of prefetchItems(numbers(4, begun))) {
      await setImmediate();
      seen.push(`${item} with ${begun.length} begun`);
    }
    assert.deepEqual(seen, ['1 with 2 begun', '2 with 3 begun', '3 with 4 begun', '4 with 4 begun']);
  });

  it('throws an error at its position', async () => {
    const seen: number[] = [];
    const walk = async () => {
      for await (const item of prefetchItems(numbers(3, [], 3))) seen.push(item);
    };
    await assert.rejects(walk, /no more/);
    assert.deepEqual(seen, [1, 2]);
  });

  it('closes its source when the caller stops', async () => {
    let closed = false;
    async function* endless() {
      try {
        for (;;) yield 1;
      } finally {
        closed = true;
      }
    }
    for await (const _ of prefetchItems(endless())) break;
    await setImmediate();
    assert.equal(closed, true);
  });
});

async function* numbers(count: number, begun: number[], failsAt = 0): AsyncGenerator<number> {
  for (let number = 1; number <= count; number += 1) {
    begun.push(number);
    if (number === failsAt) throw new Error('no more');
    yield number;
  }
}
