import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { createSeenIds } from './seen-ids.ts';

const id = (text: string) => text.padStart(26, '0');

describe('ids of a file', () => {
  it('return the line of their first occurrence', () => {
    const seen = createSeenIds();
    assert.equal(seen.getEarlierLine(id('a'), 2), undefined);
    assert.equal(seen.getEarlierLine(id('b'), 3), undefined);
    assert.equal(seen.getEarlierLine(id('a'), 4), 2);
    assert.equal(seen.getEarlierLine(id('a'), 5), 2);
    assert.equal(seen.getEarlierLine('a'.padEnd(26, '0'), 6), undefined);
  });

  it('differ in any character', () => {
    const unit = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789');
    const ids = fc.uniqueArray(fc.string({ unit, minLength: 26, maxLength: 26 }));
    fc.assert(
      fc.property(ids, (list) => {
        const seen = createSeenIds();
        for (const [at, one] of list.entries()) assert.equal(seen.getEarlierLine(one, at + 1), undefined);
        for (const [at, one] of list.entries()) assert.equal(seen.getEarlierLine(one, 999), at + 1);
      }),
    );
  });

  it('can be many', () => {
    const seen = createSeenIds();
    for (let at = 1; at <= 20_000; at += 1) assert.equal(seen.getEarlierLine(id(at.toString(36)), at), undefined);
    for (let at = 1; at <= 20_000; at += 97) assert.equal(seen.getEarlierLine(id(at.toString(36)), 0), at);
  });

  it('are not remembered if they are invalid', () => {
    const seen = createSeenIds();
    for (const text of ['', 'x', `${id('a')}0`, id('A'), id('-'), id('é')]) {
      assert.equal(seen.getEarlierLine(text, 1), undefined);
      assert.equal(seen.getEarlierLine(text, 2), undefined);
    }
  });
});
