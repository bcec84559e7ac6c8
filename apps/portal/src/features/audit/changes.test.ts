import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { formatMoment, formatNumber } from '#platform/time/format.ts';
import { getScreenFormat } from './audit-text.ts';
import { formatChanges, readDetails } from './changes.ts';

const CHANNEL = 'c'.repeat(26);
const TOKEN = 't'.repeat(26);
const read = (details: Record<string, unknown>, names = {}) => readDetails(details, getScreenFormat(names));
const entry = (id: string, name: string) => ({ id, name, phone_number: '1', sms: '', email: '' });

describe('details of an audit row', () => {
  it('show before and after of one user side by side, with roles as the account type', () => {
    const before = { first_name: 'Ada', last_name: '', roles: ['team_user'] };
    const after = { ...before, roles: ['team_user', 'team_admin'] };
    assert.deepEqual(read({ before, after }).things, [
      {
        title: '',
        fields: [
          { field: 'First name', before: 'Ada', after: 'Ada' },
          { field: 'Account type', before: 'Team User', after: 'Team Admin' },
        ],
      },
    ]);
  });

  it('pair several objects by their ids, in any order', () => {
    const details = { before: [entry('2', 'B'), entry('1', 'A')], after: [entry('1', 'A'), entry('2', 'C')] };
    const { things } = read(details);
    assert.deepEqual(
      things.map(({ title, fields }) => [title, fields[0]]),
      [
        ['A', { field: 'Name', before: 'A', after: 'A' }],
        ['C', { field: 'Name', before: 'B', after: 'C' }],
      ],
    );
  });

  it('name the users whose end date changed in the same way', () => {
    const [ada, bob] = ['a'.repeat(26), 'b'.repeat(26)];
    const end_dates = [{ user_ids: [ada, bob], before: { ends_on: null }, after: { ends_on: '2027-03-31' } }];
    const names = { [ada]: 'Ada', [bob]: 'Bob' };
    assert.deepEqual(read({ end_dates }, names).things, [
      { title: 'Ada, Bob', fields: [{ field: 'End date', before: '–', after: 'Mar 31, 2027' }] },
    ]);
    assert.equal(formatChanges({ end_dates }, names), 'Ada, Bob – End date: – → 2027-03-31');
  });

  it('show what was added without a before, and what was deleted without an after', () => {
    const [added] = read({ entries: [entry('1', 'A')] }).things;
    assert.deepEqual(added?.fields[0], { field: 'Name', before: undefined, after: 'A' });
    const [deleted] = read({ before: entry('1', 'A') }).things;
    assert.deepEqual([deleted?.title, deleted?.fields[0]], ['A', { field: 'Name', before: 'A', after: undefined }]);
  });

  it('show retention rules in words, with the date on which they take effect', () => {
    const rule = { value: 1, duration: { count: 1, period: 'y' } };
    const keep = { ruling: { value: 0 }, waiting: null };
    const waiting = { rule, effectiveAt: Date.UTC(2026, 2, 3, 12) };
    const { things } = read({ voicemails: { before: keep, after: { ...keep, waiting } } });
    assert.equal(things[0]?.title, 'Voicemails');
    assert.deepEqual(things[0]?.fields[0], { field: 'Current rule', before: 'Keep forever', after: 'Keep forever' });
    assert.equal(things[0]?.fields[1]?.before, '–');
    assert.equal(things[0]?.fields[1]?.after, `Keep 1 year, from ${formatMoment(waiting.effectiveAt)}`);
    const marked = { ruling: { value: 0, canmark: 1, duration: { count: 30, period: 'd' } }, waiting: null };
    const [files] = read({ files: { before: keep, after: marked } }).things;
    assert.equal(files?.fields[0]?.after, 'Keep forever; 30 days once marked deleted');
  });

  it('show names in place of the ids that are known', () => {
    const lists = { before: [], after: [CHANNEL, 'x'], join_id: TOKEN };
    const { things, facts } = read(lists, { [CHANNEL]: 'General' });
    assert.deepEqual(things[0]?.fields, [{ field: 'Channels', before: 'None', after: 'General, x' }]);
    assert.deepEqual(facts, [{ field: 'Add current members', value: 'Yes' }]);
    assert.deepEqual(read({ token_id: TOKEN, accepted: 1_280 }, { [TOKEN]: 'Chat' }).facts, [
      { field: 'Service token', value: 'Chat' },
      { field: 'Accepted', value: formatNumber(1_280) },
    ]);
  });

  it('accept any shape without an error', () => {
    const odd = { before: 7, after: [[1]], entries: 'x', deep: { a: { b: [null] } }, nothing: null, list: [{ a: 1 }] };
    assert.doesNotThrow(() => read(odd));
    assert.deepEqual(read({}), { things: [], facts: [] });
  });

  it('list the fields of an object in the order of the table, unknown ones last, all with a label', () => {
    const after = { zip_code: '1', waiting: null, sms: '2', first_name: 'Ada', last_seen_at: Date.UTC(2026, 2, 3, 12) };
    const fields = read({ after }).things[0]?.fields ?? [];
    assert.deepEqual(
      fields.map(({ field }) => field),
      ['First name', 'SMS number', 'Last active', 'Zip code'],
    );
    assert.equal(fields[2]?.after, formatMoment(after.last_seen_at));
  });
});

describe('details as text', () => {
  it('lists only what changed', () => {
    const details = { before: [entry('1', 'A')], after: [{ ...entry('1', 'B'), sms: '2' }] };
    assert.equal(formatChanges(details, {}), 'B – Name: A → B; SMS number: – → 2');
    assert.equal(formatChanges({ sessions: 3, links: 1 }, {}), 'Sessions: 3\nLinks: 1');
    assert.equal(formatChanges({}, {}), '');
  });

  it('has times and numbers that are the same in every locale and time zone', () => {
    const details = { accepted: 1_280, ended_at: Date.UTC(2026, 2, 3, 12) };
    assert.equal(formatChanges(details, {}), 'Accepted: 1280\nEnded at: 2026-03-03T12:00:00.000Z');
  });
});
