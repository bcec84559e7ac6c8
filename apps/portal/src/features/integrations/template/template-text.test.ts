import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeTemplate, encodeTemplate, findBlank, findFirstCaret, findNameAt, getOffset } from './template-text.ts';

describe('a template', () => {
  it('is the same text after it was sent and fetched, however long and in whatever letters', () => {
    for (const text of ['', '{"text":"שלום 🎉 é"}', 'ü'.repeat(60_000)]) {
      assert.equal(decodeTemplate(encodeTemplate(text)), text);
    }
    assert.equal(encodeTemplate('é'), Buffer.from('é').toString('base64'));
  });

  it('has the line ends of a text field, so that opening it changes nothing', () => {
    assert.equal(decodeTemplate(encodeTemplate('a\r\nb\rc\nd')), 'a\nb\nc\nd');
  });
});

describe('a place in a template', () => {
  it('counts lines and columns from 1', () => {
    assert.equal(getOffset('ab\ncd', { line: 1, column: 1 }), 0);
    assert.equal(getOffset('ab\ncd', { line: 2, column: 2 }), 4);
  });

  it('is the nearest one where the text has become shorter', () => {
    assert.equal(getOffset('ab\ncd', { line: 1, column: 9 }), 2);
    assert.equal(getOffset('ab\ncd', { line: 9, column: 9 }), 5);
    assert.equal(getOffset('', { line: 3, column: 3 }), 0);
  });
});

describe('the name that a problem is about', () => {
  const named = (text: string, at: number) => {
    const range = findNameAt(text, at);
    return range && text.slice(range.start, range.end);
  };

  it('stands at the place, or behind the braces or the bar at it', () => {
    assert.equal(named('{{ticket.titel}}', 2), 'ticket.titel');
    assert.equal(named('{{ ticket.comments }}', 0), 'ticket.comments');
    assert.equal(named('{{- ticket.comments }}', 0), 'ticket.comments');
    assert.equal(named('{{ticket.id | upcas}}', 12), 'upcas');
  });

  it('goes on over keys in brackets, and ends before a filter', () => {
    assert.equal(named(`{{ticket['titel'] | upcase}}`, 2), `ticket['titel']`);
    assert.equal(named('{{ticket.a[0].b}}', 2), 'ticket.a[0].b');
  });

  it('is none where there is no name', () => {
    assert.equal(findNameAt('{"text": "a",}', 13), undefined);
    assert.equal(findNameAt('', 5), undefined);
  });
});

describe('what is put into a template', () => {
  it('has its blank selected, if it has one', () => {
    assert.deepEqual(findBlank('{{ticket.ticket_field_<id>}}'), { start: 22, end: 26 });
    assert.equal(findBlank('{{ticket.title}}'), undefined);
  });

  it('goes to the end of the last string before anybody has put the caret anywhere', () => {
    assert.equal(findFirstCaret('{"text": "a"}'), 11);
    assert.equal(findFirstCaret('plain'), 5);
  });
});
