import assert from 'node:assert/strict';
import type { Entry } from '@steward/contract/directory';
import { describe, it } from 'vitest';
import { type EntryValues, getFormValues, toEntryErrors, validateEntry } from './directory.form.ts';

const GOOD: EntryValues = { name: 'Ann Lee', phone_number: '', sms: '', email: '' };

describe('the form of an entry', () => {
  it('opens empty, or with the fields of the entry and no others', () => {
    assert.deepEqual(getFormValues(null), { name: '', phone_number: '', sms: '', email: '' });
    const entry: Entry = { ...GOOD, phone_number: '5551234567', id: 'a', user_id: 'b', last_picture_update: 7 };
    assert.deepEqual(getFormValues(entry), { ...GOOD, phone_number: '5551234567' });
  });

  it('requires only a name', () => {
    assert.deepEqual(validateEntry(GOOD, 'short'), {});
    for (const name of ['', '   ', '\u200B']) {
      assert.deepEqual(validateEntry({ ...GOOD, name }, 'short'), { name: 'Name is required.' });
    }
  });

  it('accepts any text as a number and any case in an email address', () => {
    const values = { ...GOOD, phone_number: '+49 30 1234, ext. 12', sms: 'none yet', email: ' Ann@Example.COM ' };
    assert.deepEqual(validateEntry(values, 'short'), {});
  });

  it('explains what is wrong with an email address', () => {
    const said = {
      ann: 'The email address has no @.',
      'ann@': 'The email address has nothing after the @.',
      'a@b@example.com': 'The email address has more than one @.',
      'an n@example.com': 'The email address must not have spaces in it.',
      'ann@example.museum': 'The email address must end in a dot and 2 to 4 letters, such as .com.',
    };
    for (const [email, sentence] of Object.entries(said)) {
      assert.deepEqual(validateEntry({ ...GOOD, email }, 'short'), { email: sentence });
    }
    assert.deepEqual(validateEntry({ ...GOOD, email: 'ann@example.museum' }, 'any'), {});
  });

  it('says which field is too long or cannot be stored', () => {
    assert.deepEqual(
      validateEntry({ ...GOOD, name: 'x'.repeat(201), sms: '1\0', phone_number: '1'.repeat(101) }, 'short'),
      {
        name: 'The name must have at most 200 characters.',
        sms: 'The SMS number contains a character that cannot be stored.',
        phone_number: 'The phone number must have at most 100 characters.',
      },
    );
  });

  it('shows errors of the server at their fields', () => {
    assert.deepEqual(
      toEntryErrors('0.name: is required; 0.email: must end in a dot and 2 to 4 letters, such as .com'),
      {
        name: 'Name is required.',
        email: 'The email address must end in a dot and 2 to 4 letters, such as .com.',
      },
    );
    assert.deepEqual(toEntryErrors('The request is not valid.'), {});
  });
});
