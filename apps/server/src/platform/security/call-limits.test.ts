import assert from 'node:assert/strict';
import { COSTS } from '@steward/contract/api/costs';
import { previewRetention } from '@steward/contract/retention';
import { listUsers } from '@steward/contract/users';
import { describe, test } from 'vitest';
import type { Refusal } from '#platform/http/errors.ts';
import { createCallLimits } from './call-limits.ts';

const ANN = { userId: 'ann', teamId: 'one' };
const SEARCHING = { query: { search: 'anna' }, body: undefined };

describe('limits of expensive calls', () => {
  test('count each kind of each person in each team, and start over after a minute', () => {
    let time = 5_000;
    const limits = createCallLimits(() => time);
    const search = (who = ANN) => limits.count(listUsers, SEARCHING, who);
    for (let i = 0; i < COSTS.search; i += 1) search();
    time += 18_200;
    assert.throws(
      () => search(),
      ({ id, status, retryAfter }: Refusal) => id === 'rate.limited' && status === 429 && retryAfter === 42,
    );
    search({ ...ANN, userId: 'bob' });
    search({ ...ANN, teamId: 'two' });
    limits.count(previewRetention, { query: undefined, body: {} }, ANN);
    limits.count(listUsers, { query: { search: '' }, body: undefined }, ANN);
    time += 41_800;
    search();
  });

  test('have the numbers of the specification', () => {
    assert.deepEqual(COSTS, { search: 300, count: 120, forecast: 60, export: 20 });
  });
});
