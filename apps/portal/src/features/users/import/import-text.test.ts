import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Sample } from '#platform/upload/session/upload-forecast.ts';
import { getDisplayCell, listNotes } from './import-text.ts';

const STORED = { first_name: 'Ada', last_name: 'Łęcka', account_type: 'Team User' };
const ROW = { ...STORED, email: 'ada@example.test' };

function cell(field: string, text: string, more: Partial<Sample> = {}) {
  const row = { ...ROW, [field]: text };
  return getDisplayCell({ line: 2, outcome: 'changed', row, keep: [], error: '', before: STORED, ...more }, field);
}

describe('a cell of the preview of users', () => {
  it('shows the stored value and the one after the import', () => {
    assert.deepEqual(cell('first_name', ' Ada L '), { text: 'Ada L', before: 'Ada' });
    assert.deepEqual(cell('first_name', ' Ada '), { text: 'Ada', before: undefined });
    assert.deepEqual(cell('first_name', ''), { text: '', before: 'Ada' });
    assert.deepEqual(cell('first_name', '', { keep: ['first_name'] }), { text: 'Ada', before: undefined });
    assert.deepEqual(cell('last_name', '??cka'), { text: 'Łęcka', before: undefined });
    assert.deepEqual(cell('email', 'ADA@example.test'), { text: 'ADA@example.test', before: undefined });
  });

  it('shows an account type in words, also for a new user', () => {
    assert.deepEqual(cell('account_type', '1'), { text: 'Team Admin', before: 'Team User' });
    assert.deepEqual(cell('account_type', 'Team Admin'), { text: 'Team Admin', before: 'Team User' });
    assert.deepEqual(cell('account_type', 'Pending Invitee'), { text: 'Team User', before: undefined });
    assert.deepEqual(cell('account_type', ''), { text: 'Team User', before: undefined });
    const isNew = { outcome: 'created', before: undefined } as const;
    assert.deepEqual(cell('account_type', '', isNew), { text: 'Team User', before: undefined });
    assert.deepEqual(cell('account_type', 'Boss', { ...isNew, outcome: 'failed' }).text, 'Boss');
    const owner = { before: { ...STORED, account_type: 'Team Admin' } };
    assert.deepEqual(cell('account_type', 'Team Owner', owner), { text: 'Team Owner', before: undefined });
  });
});

describe('the notes of an import of users', () => {
  const notes = (missing: string[], created: number, more: { ignored?: string[]; kept_names?: number } = {}) => {
    const { ignored = [], ...facts } = more;
    const counts = { created, changed: 0, unchanged: 0, failed: 0 };
    return listNotes({ file: { missing, ignored }, forecast: { facts, counts } });
  };

  it('say who gets an email and how fields without a column are treated', () => {
    assert.deepEqual(notes([], 0), []);
    assert.deepEqual(notes(['Account Type'], 1), [
      '1 person will get an invitation by email.',
      'The file has no column Account Type: existing users keep theirs; new users become Team Users.',
    ]);
    assert.deepEqual(notes(['First Name', 'Last Name'], 1_200), [
      '1,200 people will get an invitation by email.',
      'A team sends at most 2,000 invitations a day, 200 in its first week. People beyond that are added without an email: resend their invitations on another day.',
      'The file has no columns First Name and Last Name: existing users keep theirs; empty for new users.',
    ]);
    assert.deepEqual(notes(['Last Name', 'Account Type'], 0), [
      'The file has no column Last Name: existing users keep theirs.',
      'The file has no column Account Type: existing users keep theirs.',
    ]);
    assert.match(
      notes([], 0, { ignored: ['chat'], kept_names: 1 }).join(' '),
      /^Ignored column: “chat”\. 1 name has \?/,
    );
  });
});
