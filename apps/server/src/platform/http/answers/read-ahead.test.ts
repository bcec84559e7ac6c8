import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { createReadAhead, type ReadAhead, readFollowed } from './read-ahead.ts';

const [SECOND, MINUTE] = [1_000, 60_000];

describe('pages that are read ahead', () => {
  let readAhead: ReadAhead<string>;
  let isFree: boolean;
  let timers: { run: () => void; milliseconds: number }[];
  let reads: string[];

  beforeEach(() => {
    [isFree, timers, reads] = [true, [], []];
    readAhead = createReadAhead<string>({
      isFree: () => isFree,
      startTimer(run, milliseconds) {
        const timer = { run, milliseconds };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer), 1);
      },
    });
  });

  const begin = (personId: string, key: string) =>
    readAhead.begin(personId, key, async () => {
      reads.push(key);
      return `page ${key}`;
    });
  /** Lets the time pass after which timers of this length run. */
  const pass = (milliseconds: number) => {
    const due = timers.filter((timer) => timer.milliseconds === milliseconds);
    timers = timers.filter((timer) => timer.milliseconds !== milliseconds);
    for (const { run } of due) run();
  };

  test('are used once, and only by the person and for the key', async () => {
    begin('anna', '2');
    assert.equal(readAhead.take('ben', '2'), undefined);
    assert.equal(readAhead.take('anna', '3'), undefined);
    assert.equal(await readAhead.take('anna', '2'), 'page 2');
    assert.equal(readAhead.take('anna', '2'), undefined);
    assert.equal(timers.length, 0);
  });

  test('are dropped when their person changed something, and another can be read', async () => {
    begin('anna', '2');
    begin('ben', '2');
    readAhead.drop('anna');
    assert.equal(readAhead.take('anna', '2'), undefined);
    assert.equal(await readAhead.take('ben', '2'), 'page 2');
    begin('anna', '2');
    assert.equal(await readAhead.take('anna', '2'), 'page 2');
    assert.deepEqual(reads, ['2', '2', '2']);
  });

  test('are dropped after a second, and then none are read for that person for a minute', async () => {
    begin('anna', '2');
    pass(SECOND);
    assert.equal(readAhead.take('anna', '2'), undefined);
    begin('anna', '3');
    readAhead.drop('anna');
    begin('anna', '3');
    assert.deepEqual(reads, ['2']);
    pass(MINUTE);
    begin('anna', '3');
    assert.equal(await readAhead.take('anna', '3'), 'page 3');
  });

  test('are one for a person, four in all, and none while connections are needed', () => {
    begin('anna', '2');
    begin('anna', '3');
    for (const personId of ['b', 'c', 'd', 'e', 'f']) begin(personId, personId);
    assert.deepEqual(reads, ['2', 'b', 'c', 'd']);
    readAhead.drop('anna');
    isFree = false;
    begin('e', 'e');
    assert.equal(reads.length, 4);
    isFree = true;
    begin('e', 'e');
    assert.equal(reads.length, 5);
  });

  test('fail for the call that waits for them; one that failed before is read again', async () => {
    const { promise, reject } = Promise.withResolvers<string>();
    readAhead.begin('anna', '2', () => promise);
    const page = readAhead.take('anna', '2');
    readAhead.begin('ben', '2', () => promise);
    reject(new Error('no connection'));
    await assert.rejects(async () => page, /no connection/);
    assert.equal(readAhead.take('ben', '2'), undefined);
  });

  test('start when the page before is there', async () => {
    const read = async ({ page }: { page: number }) => {
      reads.push(`read ${page}`);
      return String(page);
    };
    const follow = (page: number) =>
      readFollowed(readAhead, {
        personId: 'anna',
        query: { page },
        getNext: (last) => (last === '3' ? undefined : { page: Number(last) + 1 }),
        read,
      });
    assert.deepEqual([await follow(1), await follow(2), await follow(3)], ['1', '2', '3']);
    assert.deepEqual(reads, ['read 1', 'read 2', 'read 3']);
    await follow(1);
    assert.deepEqual([await follow(3), reads.length], ['3', 6]);
  });
});
