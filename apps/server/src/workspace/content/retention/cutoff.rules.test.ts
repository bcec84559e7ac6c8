import assert from 'node:assert/strict';
import type { Duration, RetentionRule } from '@steward/contract/retention/fields';
import { getRemoval, isStricter, readRule } from '@steward/contract/retention/rules';
import fc from 'fast-check';
import { test } from 'vitest';
import { computeCutoff, nextNight, toNight } from './cutoff.rules.ts';

const keep: RetentionRule = { value: 0, canmark: 0 };
const kept = (count: number, period: Duration['period']): RetentionRule => ({ value: 1, duration: { count, period } });
const marked = (count: number, period: Duration['period']): RetentionRule => ({
  value: 0,
  canmark: 1,
  duration: { count, period },
});

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Kiritimati', 'Pacific/Niue', 'Asia/Beirut'];
const duration = fc.record({
  count: fc.integer({ min: 1, max: 999 }),
  period: fc.constantFrom('d', 'm', 'y') as fc.Arbitrary<Duration['period']>,
});
const moment = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2120, 0, 1) });
const zone = fc.constantFrom(...ZONES);

test('an invalid duration or zone has no cutoff', () => {
  const now = Date.UTC(2026, 10, 21);
  for (const count of [0, -1, 1000, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '3', null, undefined])
    assert.equal(computeCutoff({ count: count as number, period: 'd' }, now, 'UTC'), null, String(count));
  for (const period of ['w', 'D', '', null, undefined, 'toString', '__proto__'])
    assert.equal(computeCutoff({ count: 1, period: period as 'd' }, now, 'UTC'), null, String(period));
  for (const unknown of ['', 'Mars/Olympus', 'Europe/Berlin '])
    assert.equal(computeCutoff({ count: 1, period: 'd' }, now, unknown), null, unknown);
  assert.equal(computeCutoff({ count: 1, period: 'd' }, Number.NaN, 'UTC'), null);
});

test('an invalid stored rule deletes nothing', () => {
  const invalid = [
    null,
    undefined,
    '',
    {},
    { value: 1 },
    { value: 2, duration: { count: 1, period: 'd' } },
    { value: '1', duration: { count: 1, period: 'd' } },
    { value: true, duration: { count: 1, period: 'd' } },
    { value: 1, duration: null },
    { value: 1, duration: { count: 0, period: 'd' } },
    { value: 1, duration: { count: null, period: 'd' } },
    { value: 1, duration: { count: '30', period: 'd' } },
    { value: 1, duration: { count: 30, period: 'w' } },
    { value: 1, duration: { count: 30, period: '' } },
    { value: 0, canmark: 1 },
  ];
  for (const stored of invalid) assert.equal(readRule('files', stored), null, JSON.stringify(stored));
  assert.equal(getRemoval(null), null);
  assert.equal(getRemoval(keep), null);
  assert.equal(getRemoval({ value: 0, duration: { count: 1, period: 'd' } }), null);
});

test('marking counts only for kinds that can be marked, and only without a duration for everything', () => {
  assert.equal(getRemoval(readRule('public_channels', marked(1, 'd'))), null);
  assert.deepEqual(getRemoval(readRule('direct_messages', marked(1, 'd'))), {
    clock: 'marked',
    duration: { count: 1, period: 'd' },
  });
  assert.equal(getRemoval(readRule('files', { ...kept(1, 'd'), canmark: 1 }))?.clock, 'own');
});

test('the cutoff is the start of a day in the team zone, before the run', () => {
  fc.assert(
    fc.property(duration, moment, zone, (length, at, where) => {
      const cutoff = computeCutoff(length, at, where);
      assert.ok(cutoff !== null && cutoff < at);
      const day = new Intl.DateTimeFormat('sv', { timeZone: where });
      // The millisecond before belongs to another day, so no day is split.
      assert.notEqual(day.format(cutoff), day.format(cutoff - 1));
    }),
  );
});

test('the cutoff never moves back as time passes', () => {
  fc.assert(
    fc.property(duration, moment, zone, fc.integer({ min: 0, max: 400 * 86_400_000 }), (length, at, where, later) => {
      assert.ok((computeCutoff(length, at, where) ?? 0) <= (computeCutoff(length, at + later, where) ?? 0));
    }),
  );
});

test('a rule that is not stricter never has a later cutoff, on any day in any zone', () => {
  fc.assert(
    fc.property(duration, duration, moment, zone, (one, other, at, where) => {
      if (isStricter({ value: 1, duration: one }, { value: 1, duration: other })) return;
      assert.ok((computeCutoff(one, at, where) ?? 0) <= (computeCutoff(other, at, where) ?? 0));
    }),
    { numRuns: 300 },
  );
});

test('a stricter rule deletes more on some day', () => {
  const days = Array.from({ length: 2 * 366 }, (_, day) => Date.UTC(2023, 0, 1 + day));
  const cases: [RetentionRule, RetentionRule, boolean][] = [
    [kept(1, 'm'), kept(30, 'd'), true],
    [kept(1, 'm'), kept(28, 'd'), false],
    [kept(31, 'd'), kept(1, 'm'), false],
    [kept(30, 'd'), kept(1, 'm'), true],
    [kept(365, 'd'), kept(1, 'y'), true],
    [kept(366, 'd'), kept(1, 'y'), false],
    [kept(1, 'y'), kept(365, 'd'), false],
    [kept(1, 'y'), kept(366, 'd'), true],
    [kept(12, 'm'), kept(1, 'y'), false],
    [kept(11, 'm'), kept(1, 'y'), true],
  ];
  for (const [rule, other, expected] of cases) {
    const cut = (one: RetentionRule, day: number) => computeCutoff(one.duration as Duration, day, 'UTC') ?? 0;
    assert.equal(isStricter(rule, other), expected, JSON.stringify([rule, other]));
    assert.equal(
      days.some((day) => cut(rule, day) > cut(other, day)),
      expected,
      JSON.stringify([rule, other]),
    );
  }
});

test('keeping is never stricter, and deleting is always stricter than keeping', () => {
  for (const rule of [keep, kept(1, 'd'), marked(1, 'd'), null]) assert.equal(isStricter(keep, rule), false);
  for (const rule of [kept(999, 'y'), marked(999, 'y')])
    for (const before of [keep, null]) assert.equal(isStricter(rule, before), true);
  assert.equal(isStricter(kept(2, 'y'), marked(1, 'y')), true);
  assert.equal(isStricter(marked(1, 'y'), kept(1, 'y')), false);
  assert.equal(isStricter(marked(11, 'm'), kept(1, 'y')), true);
});

test('the night starts at 02:00 in the team zone', () => {
  const at = (text: string) => Date.parse(text);
  assert.equal(toNight(at('2026-11-21T00:59:59.999Z'), 'Europe/Berlin'), '2026-11-20');
  assert.equal(toNight(at('2026-11-21T01:00:00.000Z'), 'Europe/Berlin'), '2026-11-21');
  assert.equal(nextNight(at('2026-11-21T00:59:59.999Z'), 'Europe/Berlin'), at('2026-11-21T01:00:00.000Z'));
  assert.equal(nextNight(at('2026-11-21T01:00:00.000Z'), 'Europe/Berlin'), at('2026-11-22T01:00:00.000Z'));
  // When daylight saving time skips 02:00, the night starts at 03:00.
  assert.equal(nextNight(at('2027-03-27T12:00:00.000Z'), 'Europe/Berlin'), at('2027-03-28T01:00:00.000Z'));
  assert.equal(toNight(at('2026-11-20T12:00:00.000Z'), 'Pacific/Kiritimati'), '2026-11-21');
  assert.equal(toNight(at('2026-11-21T02:00:00.000Z'), 'Mars/Olympus'), '2026-11-21');
});
