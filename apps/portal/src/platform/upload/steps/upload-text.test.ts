import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { formatBytes, formatCount, formatHeaders, formatReading } from './upload-text.ts';

describe('words of an upload', () => {
  it('count', () => {
    assert.equal(formatCount(0, 'row'), 'no rows');
    assert.equal(formatCount(1, 'row'), '1 row');
    assert.equal(formatCount(12_000, 'entry', 'entries'), '12,000 entries');
  });

  it('tell how a file was read', () => {
    assert.equal(formatReading({ encoding: 'Windows-1252', delimiter: ';' }), 'Windows-1252, semicolon-separated');
    assert.equal(formatBytes(400, 12_345), '0 of 12 KB');
    assert.equal(formatBytes(2_500_000, 12_000_000), '2.5 of 12.0 MB');
  });

  it('name columns, however many and long they are', () => {
    assert.equal(formatHeaders(['Title']), 'column: “Title”');
    assert.equal(formatHeaders(['Title', 'Town']), 'columns: “Title” and “Town”');
    const many = Array.from({ length: 1_200 }, (_, at) => (at === 0 ? 'x'.repeat(90) : `C${at}`));
    assert.equal(formatHeaders(many), `columns: “${'x'.repeat(40)}…”, “C1”, “C2”, “C3”, “C4” and 1,195 more`);
  });
});
