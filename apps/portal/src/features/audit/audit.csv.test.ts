import assert from 'node:assert/strict';
import type { AuditRecord } from '@steward/contract/audit';
import { describe, it } from 'vitest';
import { createAuditCsv } from './audit.csv.ts';
import { getActor, getSource, getTarget } from './audit-text.ts';

const ID = 'a'.repeat(26);
const RECORD: AuditRecord = {
  id: ID,
  at: Date.UTC(2026, 2, 2, 9, 41),
  by: 'person',
  actor: { id: ID, name: 'Ada', email: 'ada@example.test' },
  action: 'tokens.added',
  target: ID,
  target_name: '=cmd()',
  version: 1,
  details: { name: '=cmd()' },
  left_out: 0,
  names: {},
  address: '192.0.2.1',
  request_id: 'r1',
};
const none = { actor: null, target: '', target_name: '', details: {} };

describe('the audit log as CSV', () => {
  it('has one line per change, with formulas neutralized', async () => {
    const csv = createAuditCsv('Steward');
    csv.add([RECORD, { ...RECORD, ...none, by: 'itself', action: 'gone.by', address: '', request_id: 'job' }]);
    const [, first, second, end] = (await csv.finish().text()).split('\r\n');
    const when = '2026-03-02T09:41:00.000Z';
    const created = "Created a service token,'=cmd(),Service token,Name: =cmd(),192.0.2.1,tokens.added";
    assert.equal(first, `${when},Ada,ada@example.test,${created},${ID},${ID},r1`);
    assert.equal(second, `${when},Steward,,gone.by,,,,Automatic,gone.by,,,job`);
    assert.equal(end, '');
  });
});

describe('the text of a row', () => {
  it('distinguishes people, services, the operator and the product itself', () => {
    const who = (more: Partial<AuditRecord>) => getActor({ ...RECORD, ...more }, 'Steward').name;
    assert.equal(who({}), 'Ada');
    assert.equal(who({ actor: { id: ID, name: '', email: '' } }), 'Former member');
    assert.equal(who({ ...none, by: 'operator' }), 'Operator');
    assert.equal(who({ ...none, by: 'service', details: { token_id: ID }, names: { [ID]: 'Chat' } }), 'Chat');
    assert.equal(who({ ...none, by: 'service', details: { token_id: ID } }), 'Unknown service');
    assert.equal(who({ ...none, by: 'itself' }), 'Steward');
    assert.equal(getSource({ ...RECORD, by: 'operator', address: '' }), 'Command line');
  });

  it('names a target without a name by its kind, or by the number of items', () => {
    const target = (more: Partial<AuditRecord>) => getTarget({ ...RECORD, ...none, ...more }).name;
    assert.equal(target({ action: 'content.added' }), '–');
    assert.equal(target({ action: 'retention.ran', details: { kind: 'call_recordings' } }), 'Call recordings');
    assert.equal(
      target({ action: 'channels.posted', details: { channel_id: ID }, names: { [ID]: 'General' } }),
      'General',
    );
    assert.equal(target({ action: 'integrations.redelivered', target: ID }), 'Delivery');
    const entries = Array.from({ length: 50 }, () => ({ name: 'x' }));
    assert.equal(target({ action: 'directory.added', details: { entries }, left_out: 950 }), '1,000 entries');
    const after = { before: entries, after: entries };
    assert.equal(target({ action: 'directory.edited', details: after, left_out: 20 }), '60 entries');
  });
});
