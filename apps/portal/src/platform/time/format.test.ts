import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDayIn, formatMoment, formatMomentIn } from './format.ts';

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
