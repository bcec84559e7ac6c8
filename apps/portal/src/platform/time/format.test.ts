import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBytes, formatDayIn, formatMoment, formatMomentIn } from './format.ts';

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
