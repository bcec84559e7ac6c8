import assert from 'node:assert/strict';
import { DELIVERY_MAX, MESSAGE_MAX } from '@steward/contract/api/limits';
import { parseTemplate } from '@steward/liquid/liquid.ts';
import { HOSTILE_TICKET, SAMPLE_RENDER_CONTEXT } from '@steward/liquid/zendesk/sample-ticket.ts';
import { renderForTicket } from '@steward/liquid/zendesk/ticket-scope.ts';
import fc from 'fast-check';
import { test } from 'vitest';
import { toChatText } from './chat-text.ts';
import { toPlainText } from './escape-markup.ts';

const shown = (body: string | Uint8Array) => toPlainText(toChatText(body).text);
const ODD_TITLE = 'He said "hi" \\ <b>\nnext line 🎉';
const rendered = (output: 'json' | 'bare') => {
  const template = parseTemplate('{"text": "New: {{ticket.title}}", "id": "{{ticket.id}}"}', output);
  return renderForTicket(template, { ...HOSTILE_TICKET, title: ODD_TITLE }, SAMPLE_RENDER_CONTEXT);
};

test('the text is the message; without one, each key is a line', () => {
  assert.equal(shown('{"text": "Hello", "more": 1}'), 'Hello');
  assert.equal(shown('{"message": "Hello", "more": 1}'), 'Hello');
  assert.equal(shown('{"text": "", "message": "Hello"}'), 'Hello');
  assert.equal(
    shown('{"Ticket": "35", "tags": ["a", {"b": 1}], "who": null, "n": 5, "text": 7}'),
    'Ticket: 35\ntags: ["a",{"b":1}]\nwho: null\nn: 5\ntext: 7',
  );
});

test('a value with several lines cannot pretend to be another key', () => {
  assert.equal(shown('{"title": "a\\nstatus: Solved", "status": "Open"}'), 'title: a\n  status: Solved\nstatus: Open');
  assert.equal(shown('{"a\\nb": "c"}'), 'a b: c');
});

test('case 18: quotes, a backslash, markup, a line break and an emoji arrive intact', () => {
  assert.deepEqual(toChatText(rendered('json')).note, '');
  assert.equal(shown(rendered('json')), `New: ${ODD_TITLE}`);
});

test('case 19: without escaping by Zendesk, a line break is repaired, and quotes are posted raw with a note', () => {
  const lines = toChatText('{"text": "one\ntwo\tthree"}');
  assert.equal(toPlainText(lines.text), 'one\ntwo\tthree');
  assert.match(lines.note, /repaired/);
  const quotes = toChatText(rendered('bare'));
  assert.equal(quotes.text, `\`\`\`\n${rendered('bare')}\n\`\`\``);
  assert.match(
    quotes.note,
    /^The body wasn't valid JSON \(line 1, column 25: missing comma\); it was posted unchanged\.$/,
  );
});

test('case 20: an empty placeholder outside quotes is posted raw with a note', () => {
  const { text, note } = toChatText('{"text": "a", "assignee": }');
  assert.equal(text, '```\n{"text": "a", "assignee": }\n```');
  assert.match(note, /line 1, column 27: missing value/);
});

test("JSON that isn't an object, and text that isn't JSON, are posted unchanged", () => {
  for (const body of ['[1,2]', '5', '"text"', 'null']) {
    const { text, note } = toChatText(body);
    assert.equal(toPlainText(text), body);
    assert.match(note, /wasn't a JSON object/, body);
  }
  assert.match(toChatText(`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`).note, /nested too deeply/);
});

test('without text nothing is posted, and the note says so', () => {
  for (const body of ['', ' \n', '{}', '{"text": ""}', '{"text": " \\n\\u2060"}'])
    assert.deepEqual(toChatText(body), { text: '', note: 'There was no text to post.' }, body);
});

test("invalid UTF-8 is shown with a note; a genuine replacement character isn't", () => {
  const broken = toChatText(Buffer.concat([Buffer.from('{"text":"a'), Buffer.from([0xff]), Buffer.from('"}')]));
  assert.equal(broken.text, 'a\ufffd');
  assert.match(broken.note, /wasn't valid UTF-8/);
  assert.deepEqual(toChatText(Buffer.from('{"text":"\ufffd"}')), { text: '\ufffd', note: '' });
});

test('prototype keys are treated like any other', () => {
  assert.equal(shown('{"__proto__": {"text": "x"}, "constructor": "y"}'), '__proto__: {"text":"x"}\nconstructor: y');
  assert.equal(shown('{"__proto__": {"text": "x"}, "text": "z"}'), 'z');
});

test('a long text is cut to the maximum length, without splitting a character', () => {
  for (const piece of ['x', '*', '@', '🎉', '<a', 'https://', '\n- ', '"', '\u0000']) {
    const { text, note } = toChatText(JSON.stringify({ text: `x${piece.repeat(40_000)}` }));
    assert.ok(text.length <= MESSAGE_MAX && text.length > MESSAGE_MAX - 10, `${JSON.stringify(piece)}: ${text.length}`);
    assert.ok(text.isWellFormed() && text.endsWith('…'), piece);
    assert.match(note, /cut/);
  }
  const exact = toChatText(JSON.stringify({ text: 'x'.repeat(MESSAGE_MAX) }));
  assert.deepEqual(exact, { text: 'x'.repeat(MESSAGE_MAX), note: '' });
});

test('the prefix counts toward the length', () => {
  assert.equal(toChatText('{"text": "a"}', 'Test: ').text, 'Test: a');
  assert.ok(toChatText(JSON.stringify({ text: 'x'.repeat(MESSAGE_MAX) }), 'Test: ').text.length <= MESSAGE_MAX);
});

test('every body becomes a message that can be posted', () => {
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.json(),
    fc.record({ text: fc.string({ unit: 'binary' }), n: fc.anything() }).map((value) => JSON.stringify(value) ?? ''),
  );
  fc.assert(
    fc.property(anything, (body) => {
      const { text } = toChatText(body);
      assert.ok(text.length <= MESSAGE_MAX && text.isWellFormed() && !text.includes('\0'));
      assert.doesNotMatch(text, /(?<![a-z0-9])@[^\u2060\s]/i);
    }),
    { numRuns: 600 },
  );
  for (const sign of ['[', '{"a":', '"', '\\', '`', '\n']) toChatText(sign.repeat(DELIVERY_MAX / sign.length));
});
