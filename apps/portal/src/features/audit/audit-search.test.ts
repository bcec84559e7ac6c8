import assert from 'node:assert/strict';
import { listAuditEvents } from '@steward/contract/audit';
import { describe, it } from 'vitest';
import { auditQuery, readAuditSearch, withFilter } from './audit-search.ts';

const ID = 'a'.repeat(26);

describe('the address of the audit log', () => {
  it('reads every filter', () => {
    const raw = { actor: ID, action: 'users,tokens.added', target: ID, from: '2026-03-01', to: '2026-03-02' };
    assert.deepEqual(readAuditSearch(raw), raw);
    assert.deepEqual(readAuditSearch({ actor: 'none' }), { actor: 'none' });
  });

  it('ignores invalid values', () => {
    const days = ['2026-02-30', '2026-13-01', '2026-00-10', '2026-1-1', '0002-01-01', '2026-03-00', 'today', ''];
    for (const from of days) assert.deepEqual(readAuditSearch({ from, to: from }), {}, from);
    const raw = { actor: 'me', action: 'nothing', target: 7, from: null, to: ['2026-03-01'], page: '2' };
    assert.deepEqual(readAuditSearch(raw), {});
  });

  it('removes a filter that is set to an empty value', () => {
    assert.deepEqual(withFilter({ actor: ID, action: 'users' }, 'actor', ''), { action: 'users' });
    assert.deepEqual(withFilter({ action: 'users' }, 'from', '2026-03-01'), { action: 'users', from: '2026-03-01' });
  });
});

describe('the query of the API call', () => {
  it('covers whole days including the last one, regardless of their length', () => {
    for (const [from, to] of [
      ['2026-03-02', '2026-03-02'],
      ['2026-03-29', '2026-03-29'],
      ['2026-12-31', '2026-12-31'],
    ] as const) {
      const query = auditQuery({ from, to });
      const [start, end] = [new Date(Number(query.from)), new Date(Number(query.to))];
      for (const midnight of [start, end]) assert.deepEqual([midnight.getHours(), midnight.getMinutes()], [0, 0]);
      assert.equal(start.getDate(), Number(from.slice(-2)));
      const hours = (end.getTime() - start.getTime()) / 3_600_000;
      assert.ok(hours >= 23 && hours <= 25, `${hours} hours`);
    }
  });

  it('is accepted by the contract', () => {
    const search = { actor: ID, action: 'users', target: ID, from: '2026-03-01', to: '2026-03-02' };
    assert.ok(listAuditEvents.query?.safeParse(auditQuery(search)).success);
    assert.deepEqual(auditQuery({}), {});
  });
});
