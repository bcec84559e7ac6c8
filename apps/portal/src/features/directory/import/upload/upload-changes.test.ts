import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Sample } from '#platform/upload/session/upload-forecast.ts';
import { getDisplayCell } from './upload-changes.ts';

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
