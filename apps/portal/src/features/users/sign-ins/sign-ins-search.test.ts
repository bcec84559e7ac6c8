import assert from 'node:assert/strict';
import { listSignIns } from '@steward/contract/users/sign-ins';
import { describe, it } from 'vitest';
import { readSignInsSearch, signInsQuery, withFilter } from './sign-ins-search.ts';

const ID = 'a'.repeat(26);
const SEARCH = { user: ID, result: 'bad_password', from: '2026-03-01', to: '2026-03-02' };

describe('the address of the sign-in log', () => {
  it('reads every filter', () => assert.deepEqual(readSignInsSearch(SEARCH), SEARCH));

  it('ignores invalid values', () => {
    const raw = { user: 'me', result: 'nothing', from: '2026-02-30', to: ['2026-03-01'], page: '2', actor: ID };
    assert.deepEqual(readSignInsSearch(raw), {});
  });

  it('removes a filter that is set to an empty value', () => {
    assert.deepEqual(withFilter({ user: ID, result: 'ok' }, 'user', ''), { result: 'ok' });
    assert.deepEqual(withFilter({ user: ID }, 'result', 'ok'), { user: ID, result: 'ok' });
  });
});

describe('the query of the API call', () => {
  it('is accepted by the contract and ends after the last day', () => {
    const query = signInsQuery(SEARCH);
    assert.ok(listSignIns.query?.safeParse(query).success);
    assert.deepEqual([query.user_id, query.outcome], [ID, 'bad_password']);
    assert.equal(Number(query.from), new Date(2026, 2, 1).getTime());
    assert.equal(Number(query.to), new Date(2026, 2, 3).getTime());
    assert.deepEqual(signInsQuery({}), {});
  });
});
