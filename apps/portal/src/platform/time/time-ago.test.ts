import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTimeAgo } from './time-ago.ts';

const NOW = Date.UTC(2026, 2, 2, 9, 41);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

test('a moment ago is said in the largest unit that fits', () => {
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

test('a moment ahead, because the clocks differ, is now', () =>
  assert.equal(formatTimeAgo(NOW + HOUR, NOW), 'just now'));
