import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { readHeader } from './csv-schema.ts';

const SCHEMA = {
  columns: [
    { name: 'name', label: 'Name' },
    { name: 'phone_number', label: 'Phone Number' },
    { name: 'email', label: 'Email' },
  ],
  required: 'Name',
  unused: ['error'],
  invalidMessage: '',
  errorMessage: '',
};

describe('the header of a file', () => {
  it('is found under the header rule, in any order', () => {
    const header = readHeader(['\uFEFF EMAIL ', 'phone-number', '\tName\n'], SCHEMA);
    assert.deepEqual(header, { places: [2, 1, 0], missing: [], repeated: [], ignored: [], width: 3 });
  });

  it('turns each non-word character into its own underscore', () => {
    assert.deepEqual(readHeader(['Phone Number'], SCHEMA).places, [-1, 0, -1]);
    assert.deepEqual(readHeader(['Phone  Number'], SCHEMA).places, [-1, -1, -1]);
  });

  it('reports missing, repeated and unknown columns', () => {
    const header = readHeader(['Name', 'Täg', 'name ', '__proto__', '', 'Error', 'Täg'], SCHEMA);
    assert.deepEqual(header.missing, ['Phone Number', 'Email']);
    assert.deepEqual(header.repeated, ['Name']);
    assert.deepEqual(header.ignored, ['Täg', '__proto__', 'Column 5']);
  });

  it('ends with its last text, and cells further right have no column', () => {
    assert.equal(readHeader(['Name', 'Email', ' ', ''], SCHEMA).width, 2);
  });
});
