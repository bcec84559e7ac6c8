import assert from 'node:assert/strict';
import type { Import } from '@steward/contract/directory';
import { describe, it } from 'vitest';
import type { Sample } from '#platform/upload/session/upload-forecast.ts';
import { formatImport, formatMatches, getDisplayCell, listNotes } from './directory-upload-text.ts';

const NO_IDS = 'No Id column: rows that match no entry by email, or by name and number, are added as new entries.';
const NOTHING = { created: 0, changed: 0, unchanged: 0, failed: 0 };

function notes(
  file: { missing?: string[]; ignored?: string[] },
  forecast: {
    facts?: Record<string, number>;
    counts?: Partial<typeof NOTHING>;
  } = {},
): string[] {
  const { facts = {}, counts } = forecast;
  return listNotes({
    file: { missing: [], ignored: [], ...file },
    forecast: { facts, counts: { ...NOTHING, ...counts } },
  });
}

describe('the notes of a preview', () => {
  it('are empty for a file with exactly our columns and no unusual values', () => {
    assert.deepEqual(notes({}), []);
  });

  it('say how fields without a column in the file are treated', () => {
    assert.deepEqual(notes({ missing: ['Sms'] }), ['The file has no column Sms: existing entries keep their values.']);
    assert.deepEqual(notes({ missing: ['Sms', 'Email'] }, { counts: { created: 1 } }), [
      'The file has no columns Sms and Email: existing entries keep their values; empty in new entries.',
    ]);
    assert.deepEqual(notes({ missing: ['Id'] }), [NO_IDS]);
    assert.deepEqual(notes({ missing: ['Id', 'Sms'] }, { counts: { created: 2 } }), [
      NO_IDS,
      'The file has no column Sms: empty in the new entries.',
    ]);
    assert.deepEqual(
      notes({ missing: ['Id', 'Phone Number', 'Sms', 'Email'] }, { counts: { created: 2, changed: 1 } }),
      [
        NO_IDS,
        'The file has no columns Phone Number, Sms and Email: existing entries keep their values; empty in new entries.',
      ],
    );
  });

  it('name columns that are not used, however many and long they are', () => {
    assert.deepEqual(notes({ ignored: ['Title'] }), ['Ignored column: “Title”.']);
    assert.deepEqual(notes({ ignored: ['Title', 'Town'] }), ['Ignored columns: “Title” and “Town”.']);
    const many = Array.from({ length: 1_200 }, (_, at) => (at === 0 ? 'x'.repeat(90) : `C${at}`));
    assert.deepEqual(notes({ ignored: many }), [
      `Ignored columns: “${'x'.repeat(40)}…”, “C1”, “C2”, “C3”, “C4” and 1,195 more.`,
    ]);
  });

  it('warn of rows that would create duplicates, and mention numbers that were kept', () => {
    assert.deepEqual(notes({}, { facts: { twins: 240, kept_numbers: 12 } }), [
      '240 new rows duplicate existing entries exactly.',
      '12 numbers lost their leading + or zeros in a spreadsheet; the existing numbers are kept.',
    ]);
    assert.deepEqual(notes({}, { facts: { twins: 1, kept_numbers: 1 } }), [
      '1 new row duplicates an existing entry exactly.',
      '1 number lost its leading + or zeros in a spreadsheet; the existing number is kept.',
    ]);
  });

  it('mention names that were kept, and how to preserve their letters', () => {
    const advice = 'In Excel, CSV UTF-8 keeps all letters.';
    assert.deepEqual(notes({}, { facts: { kept_names: 1 } }), [
      `1 name has ? in place of letters that this file format can’t store; the existing name is kept. ${advice}`,
    ]);
    assert.deepEqual(notes({}, { facts: { kept_names: 1_200 } }), [
      `1,200 names have ? in place of letters that this file format can’t store; the existing names are kept. ${advice}`,
    ]);
  });
});

describe('rows that match existing entries', () => {
  it('are counted in a sentence', () => {
    assert.equal(formatMatches(1), '1 row matches an entry that is there already, by email or by name and number:');
    assert.equal(
      formatMatches(1_200),
      '1,200 rows match entries that are there already, by email or by name and number:',
    );
  });
});

describe('the summary of an import', () => {
  it('leaves out counts of zero', () => {
    assert.equal(formatImport({ ...NOTHING, created: 1_200, failed: 2 } as Import), '1,200 new · 2 errors');
    assert.equal(formatImport(NOTHING as Import), 'No rows');
  });
});

const STORED = { name: 'Ada', phone_number: '+49301234', sms: '0301234', email: 'ada@example.test' };

function sample(row: Partial<Sample['row']>, rest: Partial<Sample> = {}): Sample {
  return { line: 2, outcome: 'changed', row: { ...STORED, ...row }, keep: [], error: '', before: STORED, ...rest };
}

describe('a cell of the preview', () => {
  it('shows the stored value and the one after the upload', () => {
    assert.deepEqual(getDisplayCell(sample({ name: 'Ada L' }), 'name'), { text: 'Ada L', before: 'Ada' });
    assert.deepEqual(getDisplayCell(sample({ email: '' }), 'email'), { text: '', before: 'ada@example.test' });
    assert.deepEqual(getDisplayCell(sample({}), 'name'), { text: 'Ada', before: undefined });
  });

  it('has the value that the server will store: trimmed, composed, and addresses in lowercase', () => {
    assert.deepEqual(getDisplayCell(sample({ name: ' Ada ' }), 'name'), { text: 'Ada', before: undefined });
    assert.deepEqual(getDisplayCell(sample({ email: 'ADA@example.test' }), 'email').before, undefined);
    const composed = sample({ name: 'Jose\u0301' }, { before: { ...STORED, name: 'José' } });
    assert.deepEqual(getDisplayCell(composed, 'name').before, undefined);
  });

  it('shows the stored value if the file has no such column', () => {
    assert.deepEqual(getDisplayCell(sample({ sms: '' }, { keep: ['sms'] }), 'sms'), {
      text: '0301234',
      before: undefined,
    });
  });

  it('shows the stored number if a spreadsheet removed only its sign or zeros', () => {
    assert.deepEqual(getDisplayCell(sample({ phone_number: '49301234' }), 'phone_number').text, '+49301234');
    assert.deepEqual(getDisplayCell(sample({ sms: '301234' }), 'sms'), { text: '0301234', before: undefined });
    assert.deepEqual(getDisplayCell(sample({ phone_number: '301234' }), 'phone_number').before, '+49301234');
    assert.deepEqual(getDisplayCell(sample({ phone_number: '' }), 'phone_number').before, '+49301234');
  });

  it('shows only the value of the row if nothing is stored yet', () => {
    assert.deepEqual(getDisplayCell(sample({ name: ' New' }, { before: undefined }), 'name').text, ' New');
  });
});
