import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuditRecord } from '@steward/contract/audit';
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
  details: { name: '=cmd()' },
  left_out: 0,
  names: {},
  address: '192.0.2.1',
  request_id: 'r1',
};
const none = { actor: null, target: '', target_name: '', details: {} };

describe('the file of the audit log', () => {
  it('has one line for each change, with formulas made harmless', async () => {
    const csv = createAuditCsv('Steward');
    csv.add([RECORD, { ...RECORD, ...none, by: 'itself', action: 'gone.by', address: '', request_id: 'job' }]);
    const [, first, second, end] = (await csv.finish().text()).split('\r\n');
    const when = '2026-03-02T09:41:00.000Z';
    const made = "Made a service token,'=cmd(),Service token,Name: =cmd(),192.0.2.1,tokens.added";
    assert.equal(first, `${when},Ada,ada@example.test,${made},${ID},${ID},r1`);
    assert.equal(second, `${when},Steward,,gone.by,,,,In the background,gone.by,,,job`);
    assert.equal(end, '');
  });
});

describe('words for a line', () => {
  it('tell people, services, the operator and the product itself apart', () => {
    const who = (more: Partial<AuditRecord>) => getActor({ ...RECORD, ...more }, 'Steward').name;
    assert.equal(who({}), 'Ada');
    assert.equal(who({ actor: { id: ID, name: '', email: '' } }), 'Not in the team any more');
    assert.equal(who({ ...none, by: 'operator' }), 'Operator');
    assert.equal(who({ ...none, by: 'service', details: { token_id: ID }, names: { [ID]: 'Chat' } }), 'Chat');
    assert.equal(who({ ...none, by: 'service', details: { token_id: ID } }), 'A service');
    assert.equal(who({ ...none, by: 'itself' }), 'Steward');
    assert.equal(getSource({ ...RECORD, by: 'operator', address: '' }), 'The server');
  });

  it('call a target without a name by what it is, or by how many there are', () => {
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
