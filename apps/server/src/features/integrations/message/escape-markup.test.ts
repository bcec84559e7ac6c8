import assert from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { getTicketLinkPattern } from '../providers/zendesk/template/message.ts';
import { cleaned, escapeCodeBlock, escapeMarkup, toPlainText } from './escape-markup.ts';

const JOINER = '\u2060';
const escaped = (text: string, domain = '') =>
  escapeMarkup(cleaned(text), getTicketLinkPattern(domain)).replaceAll(JOINER, '¦');

test("mentions, channels and tags notify no one and aren't links", () => {
  assert.equal(escaped('@all, @channel and @here: ask @ada.admin'), '@¦all, @¦channel and @¦here: ask @¦ada.admin');
  assert.equal(escaped('rita@customer.example'), 'rita¦@¦customer.example');
  assert.equal(escaped('see ~town-square and #printer, ticket #35'), 'see \\~¦town-square and #¦printer, ticket #35');
});

test("URLs and email addresses aren't links", () => {
  assert.equal(escaped('https://evil.example, ftp://evil.example'), 'https:¦//evil.example, ftp:¦//evil.example');
  assert.equal(
    escaped('www.evil.example mailto:x tel:1 evil.example/x'),
    'www¦.evil.example mailto:¦x tel:¦1 evil¦.example/x',
  );
  assert.equal(escaped('<https://evil.example>'), '&lt;https:¦//evil.example>');
  assert.equal(escaped('[your bank](https://evil.example)'), '\\[your bank](https:¦//evil.example)');
  assert.equal(escaped('![pixel](https://evil.example/p.png)'), '!\\[pixel](https:¦//evil¦.example/p.png)');
});

test('a scheme that is unknown, empty or in another script starts no link', () => {
  for (const scheme of ['', ' ', 'é', 'ΑΒ', '!', ')', '"', '\u200d', '🎉'])
    assert.equal(escaped(`see ${scheme}://evil.example`).includes('://'), false, scheme);
});

test("only links to the account's own tickets stay links", () => {
  const own = 'https://acme.zendesk.com/agent/tickets/35';
  for (const text of [own, `Ticket: ${own}.`, `(${own})`, `${own}\nnext`]) assert.equal(escaped(text, 'acme'), text);
  for (const text of [
    `${own}x`,
    `${own}/x`,
    `${own}?return_to=//evil`,
    `x${own}`,
    own.replace('acme', 'evil'),
    `${own}#x`,
  ])
    assert.match(escaped(text, 'acme'), /https:¦\/\//, text);
  assert.match(escaped(own), /https:¦/);
  assert.match(escaped('https://evil.example/.zendesk.com/agent/tickets/1', 'evil.example/'), /https:¦/);
});

test('Markdown characters are shown literally', () => {
  assert.equal(escaped('2 * 3 * 4, **bold**, `code`'), '2 \\* 3 \\* 4, \\*\\*bold\\*\\*, \\`code\\`');
  assert.equal(escaped('It is ~~gone~~ _it_ snake_case_name'), 'It is \\~\\~¦gone\\~\\~ \\_it\\_ snake_case_name');
  assert.equal(escaped('<b>hi</b> 1 < 2 &lt; &#64;all AT&T'), '&lt;b>hi&lt;/b> 1 < 2 &amp;lt; &amp;#64;all AT&T');
  assert.equal(escaped('C:\\temp \\\\server \\* end\\'), 'C:\\temp \\\\\\server \\\\\\* end\\\\');
});

test('no line starts a heading, list, quotation, table, rule or code block', () => {
  const lines = [
    '# a',
    '- a',
    '+ a',
    '1. a',
    '2) a',
    '> a',
    '---',
    '===',
    '|--|--|',
    ':-- | --:',
    '    a',
    '\ta',
    '\u00a0   a',
  ];
  for (const line of lines) assert.equal(escaped(`x\n${line}`), `x\n¦${line}`, line);
  assert.equal(escaped('x\n* a\n```\n~~~'), 'x\n¦\\* a\n¦\\`\\`\\`\n¦\\~\\~\\~');
  assert.equal(escaped('an ordinary line, 3 of them\nand - this'), 'an ordinary line, 3 of them\nand - this');
});

test("control characters are visible, and text direction can't be changed", () => {
  assert.equal(cleaned('a\0b\u0007c\u007fd\u0085e\u009bf'), 'a␀b␇c␡d\ne\ufffdf');
  assert.equal(cleaned('one\r\ntwo\rthree\u2028four\ffive\u2424six'), 'one\ntwo\nthree\nfour\nfive\nsix');
  assert.equal(cleaned('gnp.\u202eexe \u2066x\u2069 עברית'), 'gnp.\ufffdexe x עברית');
  assert.equal(cleaned('\ud83c half'), '\ufffd half');
  assert.equal(cleaned('\n  \n  first\n\n'), '  first');
  assert.equal(cleaned('👩‍👩‍👧 نص'), '👩‍👩‍👧 نص');
});

test("text can't break out of a code block", () => {
  const block = escapeCodeBlock('a ``` b\n```` @all');
  assert.equal(block, `\`\`\`\`\`\na \`\`\` b\n\`\`\`\` @${JOINER}all\n\`\`\`\`\``);
  assert.equal(toPlainText(block), 'a ``` b\n```` @all');
});

const PIECES =
  '* ** _ __ ~ ~~ ` ``` [ ]( ) ! < > <b> & &lt; @ @all # - + 1. \\ | --- === http:// https://e.example www. a@e.example mailto: e.com/ x word é _a 0 : " \' $ ~town \u2060 \u202e \u0000 🎉 .'.split(
    ' ',
  );
const written = fc
  .array(
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...PIECES, ' ', '\n', '    ', '\t', '\u00a0') }, fc.string()),
    {
      maxLength: 30,
    },
  )
  .map((pieces) => pieces.join(''));

test('any text is shown as it was written', () => {
  fc.assert(
    fc.property(written, (text) => {
      const plain = cleaned(text);
      assert.equal(toPlainText(escapeMarkup(plain)), plain);
      assert.equal(toPlainText(escapeCodeBlock(plain)), plain);
      assert.equal(cleaned(plain), plain);
    }),
    { numRuns: 3_000 },
  );
});

test('any text is inert', () => {
  const alive = [
    /(?<!\\)(?:\\\\)*[`*[~]/,
    /(?<![a-z0-9\\]|\\)_|(?<!\\)_(?![a-z0-9])/i,
    /@[^\u2060\s]/,
    /<\S/,
    /&(?!(?:lt|amp);)#?\w+;/,
    /:\/\//,
    /www\d{0,3}\./,
    /mailto:\S(?<!\u2060)/,
    /#\p{L}/u,
    /^[^\S\n]*(?:[-+>#=|:]|\d+[.)])/m,
    /^(?: {4}|\t)/m,
  ];
  fc.assert(
    fc.property(written, (text) => {
      const message = escapeMarkup(cleaned(text));
      for (const pattern of alive) assert.doesNotMatch(message, pattern, JSON.stringify(message));
    }),
    { numRuns: 3_000 },
  );
});
