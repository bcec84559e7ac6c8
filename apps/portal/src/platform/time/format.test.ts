import assert from 'node:assert/strict';
import { test } from 'vitest';
import { formatBytes, formatDayIn, formatMoment, formatMomentIn, formatTimeAgo, formatTimeSpan } from './format.ts';

const AT = Date.UTC(2026, 2, 2, 9, 41);

test('an instant names its zone unless it is the viewer’s', () => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  assert.equal(formatMomentIn(AT, timeZone), formatMoment(AT));
  const other = timeZone === 'Asia/Tokyo' ? 'America/New_York' : 'Asia/Tokyo';
  assert.match(formatMomentIn(AT, other), /GMT|UTC|E[SD]T|JST/);
});

test('a day is the one in the given zone’s calendar, and names the zone unless it is the viewer’s', () => {
  const midnight = Date.parse('2025-11-20T23:00:00Z');
  const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
  const [before, after] = [days.format(Date.UTC(2025, 10, 20)), days.format(Date.UTC(2025, 10, 21))];
  assert.equal(formatDayIn(midnight, 'Europe/Berlin', 'Europe/Berlin'), after);
  assert.equal(formatDayIn(midnight, 'UTC', 'Europe/Berlin'), `${before} (UTC)`);
  assert.equal(formatDayIn(midnight, 'Nowhere/At_All', 'Europe/Berlin'), `${before} (Nowhere/At_All)`);
});

const decimal = (value: number) => new Intl.NumberFormat().format(value);

test('formats bytes in the largest unit of which there is at least one', () => {
  const texts = [0, 1, 999, 1_000, 1_234_567, 999_949, 999_950, 3_400_000_000, 7e12, 2e18].map(formatBytes);
  assert.deepEqual(texts, [
    '0 bytes',
    '1 byte',
    '999 bytes',
    '1 KB',
    `${decimal(1.2)} MB`,
    `${decimal(999.9)} KB`,
    '1 MB',
    `${decimal(3.4)} GB`,
    '7 TB',
    `${decimal(2_000)} PB`,
  ]);
});

const NOW = Date.UTC(2026, 2, 2, 9, 41);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

test('a recent time is shown in the largest unit that fits', () => {
  const cases: [number, string][] = [
    [0, 'just now'],
    [59 * SECOND, 'just now'],
    [MINUTE, '1 minute ago'],
    [59 * MINUTE + 59 * SECOND, '59 minutes ago'],
    [HOUR, '1 hour ago'],
    [23 * HOUR + 59 * MINUTE, '23 hours ago'],
    [24 * HOUR, '1 day ago'],
    [400 * 24 * HOUR, '400 days ago'],
  ];
  for (const [passed, words] of cases) assert.equal(formatTimeAgo(NOW - passed, NOW), words);
});

test('a time slightly in the future, because the clocks differ, is now', () =>
  assert.equal(formatTimeAgo(NOW + HOUR, NOW), 'just now'));

test('formats a duration in at most two units', () => {
  const texts = [-5, 999, 1_000, 59_999, 60_000, 185_000, 3_600_000, 7_800_000].map(formatTimeSpan);
  assert.deepEqual(texts, ['under 1 s', 'under 1 s', '1 s', '59 s', '1 min', '3 min 5 s', '1 h', '2 h 10 min']);
});
