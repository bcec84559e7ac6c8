import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import {
  decodeTemplate,
  encodeTemplate,
  findFirstCaret,
  findNameAt,
  findParameter,
  getOffset,
} from './template-text.ts';

describe('a template', () => {
  it('is unchanged by encoding and decoding, at any length and in any script', () => {
    for (const text of ['', '{"text":"שלום 🎉 é"}', 'ü'.repeat(60_000)]) {
      assert.equal(decodeTemplate(encodeTemplate(text)), text);
    }
    assert.equal(encodeTemplate('é'), Buffer.from('é').toString('base64'));
  });

  it('is decoded with line feeds only, so that opening the form changes nothing', () => {
    assert.equal(decodeTemplate(encodeTemplate('a\r\nb\rc\nd')), 'a\nb\nc\nd');
  });
});

describe('a position in a template', () => {
  it('counts lines and columns from 1', () => {
    assert.equal(getOffset('ab\ncd', { line: 1, column: 1 }), 0);
    assert.equal(getOffset('ab\ncd', { line: 2, column: 2 }), 4);
  });

  it('is the nearest one if the text has become shorter', () => {
    assert.equal(getOffset('ab\ncd', { line: 1, column: 9 }), 2);
    assert.equal(getOffset('ab\ncd', { line: 9, column: 9 }), 5);
    assert.equal(getOffset('', { line: 3, column: 3 }), 0);
  });
});

describe('the name at a problem', () => {
  const named = (text: string, at: number) => {
    const range = findNameAt(text, at);
    return range && text.slice(range.start, range.end);
  };

  it('is found at the position, or after the braces or the filter bar there', () => {
    assert.equal(named('{{ticket.titel}}', 2), 'ticket.titel');
    assert.equal(named('{{ ticket.comments }}', 0), 'ticket.comments');
    assert.equal(named('{{- ticket.comments }}', 0), 'ticket.comments');
    assert.equal(named('{{ticket.id | upcas}}', 12), 'upcas');
  });

  it('includes keys in brackets, and ends before a filter', () => {
    assert.equal(named(`{{ticket['titel'] | upcase}}`, 2), `ticket['titel']`);
    assert.equal(named('{{ticket.a[0].b}}', 2), 'ticket.a[0].b');
  });

  it('is undefined if there is no name', () => {
    assert.equal(findNameAt('{"text": "a",}', 13), undefined);
    assert.equal(findNameAt('', 5), undefined);
  });
});

describe('inserting into a template', () => {
  it('selects the parameter to fill in, if there is one', () => {
    assert.deepEqual(findParameter('{{ticket.ticket_field_<id>}}'), { start: 22, end: 26 });
    assert.equal(findParameter('{{ticket.title}}'), undefined);
  });

  it('starts at the end of the last string if the field was never focused', () => {
    assert.equal(findFirstCaret('{"text": "a"}'), 11);
    assert.equal(findFirstCaret('plain'), 5);
  });
});
