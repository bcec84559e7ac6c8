import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatBytes, formatCount, formatDay, formatTimeSpan } from './format.ts';

it('writes bytes in the largest unit of which there is one', () => {
  const texts = [0, 1, 999, 1_000, 1_234_567, 999_949, 999_950, 3_400_000_000, 7e12, 2e18].map(formatBytes);
  assert.deepEqual(texts, [
    '0 bytes',
    '1 byte',
    '999 bytes',
    '1 kB',
    '1.2 MB',
    '999.9 kB',
    '1 MB',
    '3.4 GB',
    '7 TB',
    '2,000 PB',
  ]);
});

it('counts one and many', () => {
  const words = { one: 'file', many: 'files' };
  assert.deepEqual(
    [0, 1, 12_345].map((count) => formatCount(count, words)),
    ['0 files', '1 file', '12,345 files'],
  );
});

it('tells how long something took in at most two units', () => {
  const texts = [-5, 999, 1_000, 59_999, 60_000, 185_000, 3_600_000, 7_800_000].map(formatTimeSpan);
  assert.deepEqual(texts, ['under 1 s', 'under 1 s', '1 s', '59 s', '1 min', '3 min 5 s', '1 h', '2 h 10 min']);
});

it("names the day of a team's calendar, whatever zone the reader is in", () => {
  const midnight = Date.parse('2025-11-20T23:00:00Z');
  assert.equal(formatDay(midnight, 'Europe/Berlin'), 'November 21, 2025');
  assert.equal(formatDay(midnight, 'UTC'), 'November 20, 2025');
  assert.equal(formatDay(midnight, 'Nowhere/At_All'), 'November 20, 2025');
});
