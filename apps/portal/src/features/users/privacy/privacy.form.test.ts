import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { toExportBody, toExportErrors, validateConfirmation, validateExport } from './privacy.form.ts';

const user = { id: 'u'.repeat(26), name: 'Ada Lovelace', email: 'Ada@example.test' };

describe('an export', () => {
  it('requires a reason and sends it as one line', () => {
    assert.deepEqual(toExportBody({ reason: ' Request\n\nof the user ' }), { reason: 'Request of the user' });
    assert.deepEqual(validateExport({ reason: 'Request of the user' }), {});
    assert.deepEqual(Object.keys(validateExport({ reason: ' \n' })), ['reason']);
    assert.match(validateExport({ reason: 'x'.repeat(501) }).reason ?? '', /^The reason .*500/);
  });

  it('shows a refusal at the field', () => {
    assert.deepEqual(toExportErrors('reason: is required'), { reason: 'The reason is required.' });
  });
});

describe('erasing', () => {
  it('requires the email address of the user, in any case', () => {
    assert.deepEqual(validateConfirmation({ confirm: ' ada@EXAMPLE.test ' }, user), {});
    for (const confirm of ['', 'ada@example', 'x.ada@example.test'])
      assert.deepEqual(validateConfirmation({ confirm }, user), { confirm: 'Type Ada@example.test to confirm.' });
  });
});
