import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import type { Findings } from './check.ts';
import type { Fault } from './faults.ts';
import type { Load } from './load.ts';
import { summarize } from './report.ts';

const FAULT: Fault = { name: 'something killed', losesPrimary: true, seconds: 0, inject: async () => async () => {} };
const FOUND: Findings = {
  acknowledged: 2,
  lost: [],
  doubled: [],
  emailsDoubled: 0,
  emailsRepeated: 3,
  replicaReads: 1,
  jobsFailed: [],
  jobsRetried: 3,
  audit: { passed: true, said: 'intact' },
};
const acknowledgedAt = (...times: number[]) =>
  times.map((at) => ({ kind: 'entry', mark: `entry ${at}`, sentAt: 0, acknowledgedAt: at }) as const);
const answered = (outcome: string, milliseconds = 10) => ({ at: 5_000, milliseconds, outcome });
const LOAD: Load = {
  changes: acknowledgedAt(2_000, 14_000),
  answers: [answered('200'), answered('503')],
  staleReads: () => 0,
  stop: async () => {},
};

/** The fault lasts twenty seconds. */
const judge = (load: Partial<Load> = {}, found: Partial<Findings> = {}, fault: Partial<Fault> = {}) =>
  summarize([{ fault: { ...FAULT, ...fault }, from: 0, to: 20_000, load: { ...LOAD, ...load } }], {
    ...FOUND,
    ...found,
  });

test('a run in which nothing was lost holds, and its line has the longest time without a change', () => {
  const { text, isMet } = judge();
  assert.ok(isMet, text);
  assert.match(text, /^something killed \| 1 \| 12\.0, 12\.0 \| 0\.0 s \| 1 × 200, 1 × 503$/m);
  assert.doesNotMatch(text, /FAIL/);
});

describe('a run fails, and says why, because of', () => {
  const cases: [string, RegExp, Partial<Load>, Partial<Findings>?][] = [
    ['a lost change', /2 acknowledged changes, 1 lost: entry 1/, {}, { lost: ['entry 1'] }],
    ['a doubled change', /1 changes, audit rows or posts doubled: delivery 1/, {}, { doubled: ['delivery 1'] }],
    ['a second email', /1 emails doubled/, {}, { emailsDoubled: 1 }],
    ['no reads on a replica', /0 reads on replicas/, {}, { replicaReads: 0 }],
    ['a failed job', /1 jobs failed: mail\.send/, {}, { jobsFailed: ['mail.send'] }],
    ['a changed audit log', /row 5 was changed/, {}, { audit: { passed: false, said: 'row 5 was changed' } }],
    ['an old read', /1 reads lacked a change/, { staleReads: () => 1 }],
    ['sixteen seconds without a change', /after at most 16\.0 s/, { changes: acknowledgedAt(2_000, 18_000) }],
    ['an answer after seven seconds', /took 7\.0 s/, { answers: [answered('200', 7_000)] }],
    ['another answer', /Retry-After: 500 \(some/, { answers: [answered('500')] }],
    ['a 503 that does not say when', /: 503 without Ret/, { answers: [answered('503 without Retry-After')] }],
    ['no answer where nothing that answers was killed', /: no answer/, { answers: [answered('no answer')] }],
  ];
  for (const [reason, said, load, found] of cases)
    test(reason, () => {
      const { text, isMet } = judge(load, found);
      assert.ok(!isMet);
      const failed = text.split('\n').filter((line) => line.startsWith('FAIL'));
      assert.equal(failed.length, 1, text);
      assert.match(failed[0] ?? '', said);
    });
});

test('calls that were at a node when it was killed may get no answer', () => {
  assert.ok(judge({ answers: [answered('no answer')] }, {}, { losesCalls: true }).isMet);
});
