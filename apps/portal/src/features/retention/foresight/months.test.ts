import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { fillMonths, getPosition, toMonth } from './months.ts';

const month = (name: string, count = 1) => ({ month: name, count, bytes: count * 10, held: 0 });

describe('the months of a chart', () => {
  test('have no gaps and include the current month', () => {
    const filled = fillMonths([month('2025-11', 2), month('2026-01')], '2026-02');
    assert.deepEqual(
      filled.map(({ month: name, count }) => [name, count]),
      [
        ['2025-11', 2],
        ['2025-12', 0],
        ['2026-01', 1],
        ['2026-02', 0],
      ],
    );
  });

  test('include later months with content, and are empty without any content', () => {
    assert.equal(fillMonths([month('2026-01'), month('2026-04')], '2026-02').at(-1)?.month, '2026-04');
    assert.deepEqual(fillMonths([], '2026-02'), []);
  });
});

describe('a cutoff on the axis', () => {
  const months = fillMonths([month('2026-01')], '2026-03');

  test('is within its month, by the calendar of the zone', () => {
    assert.equal(getPosition(months, Date.UTC(2026, 1, 15), 'UTC'), 1.5);
    assert.equal(getPosition(months, Date.UTC(2026, 1, 1), 'UTC'), 1);
    assert.equal(getPosition(months, Date.UTC(2026, 1, 1), 'America/New_York'), 30 / 31);
  });

  test('stays within the axis', () => {
    assert.equal(getPosition(months, Date.UTC(2020, 0, 1), 'UTC'), 0);
    assert.equal(getPosition(months, Date.UTC(2030, 0, 1), 'UTC'), 3);
  });

  test('of an unknown zone counts as UTC', () => {
    assert.deepEqual(toMonth(Date.UTC(2026, 1, 1), 'Nowhere/At_All'), { month: '2026-02', share: 0 });
  });
});
