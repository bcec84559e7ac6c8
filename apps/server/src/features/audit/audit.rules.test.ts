import assert from 'node:assert/strict';
import { AUDIT_ITEMS_MAX } from '@steward/contract/api/limits';
import { describe, test } from 'vitest';
import { collectIds, findNameInDetails, getAuditActorKind, hideChannels, truncateLists } from './audit.rules.ts';

const ID = 'a'.repeat(26);

describe('who did it', () => {
  const row = { actor_id: null, action: 'users.edited', address: '192.0.2.1', request_id: 'r' };

  test('is read from the columns of the row', () => {
    assert.equal(getAuditActorKind({ ...row, actor_id: ID }), 'person');
    assert.equal(getAuditActorKind({ ...row, address: 'operator' }), 'operator');
    assert.equal(getAuditActorKind({ ...row, action: 'content.added' }), 'service');
    assert.equal(getAuditActorKind({ ...row, address: '', request_id: 'job' }), 'itself');
    assert.equal(getAuditActorKind(row), 'unknown');
  });

  test('is the person even if a job finished what they started', () => {
    assert.equal(getAuditActorKind({ ...row, actor_id: ID, address: '', request_id: 'job' }), 'person');
  });
});

describe('details', () => {
  test('keep their shape, and lists up to the limit', () => {
    const details = { before: [{ id: ID }], after: Array(AUDIT_ITEMS_MAX).fill(1), name: null, count: 0 };
    assert.deepEqual(truncateLists(details), { details, left_out: 0 });
  });

  test('lose items beyond the limit, also in nested lists, and count them', () => {
    const long = Array.from({ length: AUDIT_ITEMS_MAX + 3 }, (_, at) => at);
    const { details, left_out } = truncateLists({ long, inside: { long }, list: [long] });
    const short = long.slice(0, AUDIT_ITEMS_MAX);
    assert.deepEqual(details, { long: short, inside: { long: short }, list: [short] });
    assert.equal(left_out, 9);
  });

  const [hidden, shown] = ['h'.repeat(26), 's'.repeat(26)];
  const about = { channel_id: hidden, after: { channels: [hidden, shown], count: 2 }, before: null, name: 'x' };

  test('lose hidden channels at any depth', () => {
    assert.deepEqual(hideChannels({ target: shown, details: about }, new Set([hidden])), {
      target: shown,
      details: { after: { channels: [shown], count: 2 }, before: null, name: 'x' },
    });
    assert.deepEqual(hideChannels({ target: null, details: about }, new Set()), { target: null, details: about });
  });

  test('have no ids, and the row no target, if the target is a hidden channel', () => {
    assert.deepEqual(hideChannels({ target: hidden, details: about }, new Set([hidden])), {
      target: '',
      details: { after: { channels: [], count: 2 }, before: null, name: 'x' },
    });
  });

  test('are searched for ids at any depth', () => {
    assert.deepEqual(collectIds({ a: ID, b: [ID, { c: ID }], d: 'no id', e: null, f: 7, g: `${ID}x` }), [ID, ID, ID]);
  });
});

describe('the name of a target', () => {
  test('is found where changes write it', () => {
    assert.equal(findNameInDetails({ name: 'Chat service' }), 'Chat service');
    assert.equal(findNameInDetails({ email: 'ada@example.test' }), 'ada@example.test');
    assert.equal(findNameInDetails({ file_name: 'people.csv', created: 1 }), 'people.csv');
    assert.equal(findNameInDetails({ before: { id: ID, name: 'Reception' } }), 'Reception');
    assert.equal(findNameInDetails({ before: [{ name: 'Old' }], after: [{ name: 'New' }] }), 'New');
    assert.equal(findNameInDetails({ entries: [{ name: 'Only' }] }), 'Only');
  });

  test('is not invented where there are several, or none', () => {
    assert.equal(findNameInDetails({ entries: [{ name: 'One' }, { name: 'Two' }] }), '');
    assert.equal(findNameInDetails({ name: '', before: { name: 7 } }), '');
    assert.equal(findNameInDetails({}), '');
  });
});
