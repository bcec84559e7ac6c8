import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parse } from 'marked';
import { describe, test } from 'vitest';
import { cleanCharacters, cutMessage, escapeCodeBlock, escapeMarkup, toPlainText, trimmed } from './escape-markup.ts';

const JOINER = '\u2060';
const escaped = (text: string) => escapeMarkup(text).replaceAll(JOINER, '¦');

test("mentions, channels and tags notify no one and aren't links", () => {
  assert.equal(escaped('@all, @channel and @here: ask @ada.admin'), '@¦all, @¦channel and @¦here: ask @¦ada.admin');
  assert.equal(
    escaped('see ~town-square and #printer, ticket #35, C#'),
    'see \\~¦town-square and #¦printer, ticket #35, C#',
  );
  assert.equal(escaped('x.@all (@all) -@all é@all x@'), 'x.¦@¦all (¦@¦all) -¦@¦all é¦@¦all x¦@¦');
});

test('an address of email can be copied', () => {
  assert.equal(escaped('rita.r@customer.example'), 'rita.r@customer.example');
});

describe('an address of http or https', () => {
  test('stays as it is, so that it can be clicked and copied', () => {
    for (const address of [
      'https://ci.example.com/builds/1284?tab=log&line=5#L5',
      'http://prometheus_1:9090/graph?g0.expr=up+%3D%3D+0',
      'https://acme.zendesk.com/agent/tickets/35',
      'HTTPS://EXAMPLE.COM',
      'https://bücher.example/a_b-c.d,e',
    ]) {
      assert.equal(escapeMarkup(address), address);
      for (const around of ['See X.', '(X)', 'X, then', 'X\nnext', 'a: X!'])
        assert.ok(escapeMarkup(around.replace('X', address)).includes(address), around);
    }
  });

  test('ends where it ends', () => {
    assert.equal(
      escaped('https://a.example/)[x](https://evil.example'),
      'https://a.example/%29%5Bx%5D%28https://evil.example',
    );
    assert.equal(escaped('https://a.example/*b*~c_'), '<https://a.example/%2Ab%2A%7Ec>\\_');
    assert.equal(
      escaped('https://en.example/A_(b) and (https://en.example/A)'),
      'https://en.example/A%5F%28b%29 and (https://en.example/A)',
    );
    assert.equal(escaped('<https://a.example/x>'), '&lt;<https://a.example/x>>');
    assert.equal(escaped('"https://a.example"!'), '"<https://a.example>"\\!');
    assert.equal(escaped('https://a.example/@all'), 'https://a.example/%40all');
  });

  test('hides no target', () => {
    assert.equal(escaped('[your bank](https://evil.example)'), '&#91;your bank&#93;(https://evil.example)');
    assert.equal(escaped('![pixel](https://evil.example/p.png)'), '!&#91;pixel&#93;(https://evil.example/p.png)');
    for (const text of [
      'https://bank.example@evil.example',
      'https://bank.example:x@evil.example/',
      'https://@evil.example',
      'https://',
      'http://[::1]/',
      'xhttps://a.example',
      'http:///evil.example',
    ])
      assert.doesNotMatch(escapeMarkup(text), /:\/\//, text);
  });
});

test('other schemes, or none, start no link', () => {
  assert.equal(
    escaped('ftp://evil.example mailto:x tel:1 www.evil.example'),
    'ftp:¦//evil.example mailto:¦x tel:¦1 www¦.evil.example',
  );
  for (const scheme of ['', ' ', 'é', 'ΑΒ', '!', ')', '"', '\u200d', '🎉', 'javascript', 'file'])
    assert.equal(escaped(`see ${scheme}://evil.example`).includes('://'), false, scheme);
  assert.equal(escaped('//evil.example'), '/¦/evil.example');
});

test('Markdown characters are shown literally', () => {
  assert.equal(escaped('2 * 3, **bold**, `code` | cell'), '2 \\* 3, \\*\\*bold\\*\\*, &#96;code&#96; \\| cell');
  assert.equal(escaped('It is ~~gone~~ _it_ snake_case_name'), 'It is \\~\\~¦gone\\~\\~ \\_it\\_ snake_case_name');
  assert.equal(escaped('<b>hi</b> 1 < 2 &lt; &#64;all AT&T'), '&lt;b>hi&lt;/b> 1 &lt; 2 &amp;lt; &amp;#64;all AT&T');
  assert.equal(escaped('C:\\temp \\\\server \\* end\\'), 'C:\\temp \\\\\\server \\\\\\* end\\\\');
  assert.equal(escaped('wow! really!'), 'wow! really\\!');
});

test('no line starts a heading, list, quotation, table, rule or code block', () => {
  for (const [line, expected] of Object.entries({
    '# a': '\\# a',
    '- a': '\\- a',
    '+ a': '\\+ a',
    '1. a': '1\\. a',
    '2) a': '2\\) a',
    '> a': '\\> a',
    '---': '\\---',
    '===': '¦===',
    '|--|--|': '\\|--\\|--\\|',
    ':-- | --:': '¦:-- \\| --:',
    '    a': '¦    a',
    '\ta': '¦\ta',
    '* a': '\\* a',
    '```': '&#96;&#96;&#96;',
  }))
    assert.equal(escaped(`x\n${line}`), `x\n${expected}`, line);
  assert.equal(escaped(' a'), '¦ a');
  assert.equal(escaped('an ordinary line, 3 of them\nand - this 1.5'), 'an ordinary line, 3 of them\nand - this 1.5');
});

test("control characters are visible, and text direction can't be changed", () => {
  assert.equal(cleanCharacters('a\0b\u0007c\u007fd\u0085e\u009bf'), 'a␀b␇c␡d\ne\ufffdf');
  assert.equal(cleanCharacters('one\r\ntwo\rthree\u2028four\ffive\u2424six'), 'one\ntwo\nthree\nfour\nfive\nsix');
  assert.equal(cleanCharacters('gnp.\u202eexe \u2066x\u2069 עברית'), 'gnp.\ufffdexe x עברית');
  assert.equal(cleanCharacters('\ud83c half'), '\ufffd half');
  assert.equal(trimmed('\n  \n  first\n\n'), '  first');
  assert.equal(cleanCharacters('👩‍👩‍👧 نص'), '👩‍👩‍👧 نص');
});

test("text can't break out of a code block", () => {
  const block = escapeCodeBlock('a ``` b\n```` @all', 1_000).text;
  assert.equal(block, `\`\`\`\`\`\na \`\`\` b\n\`\`\`\` @${JOINER}all\n\`\`\`\`\``);
  assert.equal(toPlainText(block), 'a ``` b\n```` @all');
  const cut = escapeCodeBlock('x'.repeat(100), 50);
  assert.deepEqual([cut.text.length, cut.text.endsWith('…\n```'), cut.isCut], [50, true, true]);
});

test('a message is cut before half an escape, half a character or half an address', () => {
  const cut = (message: string, length: number) => cutMessage(message, length).text;
  assert.equal(cut('abc', 3), 'abc');
  assert.equal(cut('ab\\*c', 4), 'ab…');
  assert.equal(cut('a\\\\\\*c', 5), 'a\\\\…');
  assert.equal(cut('a\\\\xc', 4), 'a\\\\…');
  assert.equal(cut('ab&lt;c', 6), 'ab…');
  assert.equal(cut('ab🎉c', 4), 'ab…');
  assert.equal(cut('see https://a.example/one', 20), 'see …');
});

const PIECES =
  '* ** _ __ ~ ~~ ` ``` [ ] ]( ) ![ ! < > <b> </b> & &lt; &#96; @ @all # - + 1. \\ \\\\ | --- === http:// https://e.example https://e.example/(a_*b [x](https://evil.example) www.e.example a@e.example mailto: e.com/ x word é _a 0 : " \' $ ~town \u2060 \u202e \u0000 🎉 . , ; <!-- {{ }} % ^ ='.split(
    ' ',
  );
const value = fc
  .array(
    fc.oneof(
      fc.constantFrom(...PIECES),
      fc.constantFrom(' ', '  ', '    ', '\n', '\n\n', '\t'),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 25 },
  )
  .map((pieces) => pieces.join(''));

const toHtml = (message: string) => parse(message, { gfm: true, breaks: true, async: false });
const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&#91;': '[',
  '&#93;': ']',
  '&#96;': '`',
};
const decoded = (html: string) =>
  html.replaceAll(/&(?:lt|gt|amp|quot|#39|#91|#93|#96);/g, (entity) => ENTITIES[entity] ?? '');
/** The text that a reader sees. */
const toShownText = (html: string) => decoded(html.replaceAll(/<[^>]*>/g, '')).replaceAll(/[\s\u2060]+/g, '');

/** Counts each tag of the message; paragraphs, line breaks and links that show their target aren't markup. */
function countTags(html: string): Map<string, number> {
  const withoutLinks = html.replaceAll(/<a href="([^"]*)">([^<]*)<\/a>/g, (link, href: string, shown: string) => {
    const target = decoded(href).replace(/^(?:mailto:|http:\/\/(?=www\.))/, '');
    const isShown = target === encodeURI(decoded(shown).toWellFormed()).replaceAll('%25', '%');
    return isShown && /^(?:https?:|mailto:)/i.test(href) ? shown : link;
  });
  const tags = new Map<string, number>();
  for (const [, name = ''] of withoutLinks.matchAll(/<(\w+)/g))
    if (name !== 'p' && name !== 'br') tags.set(name, (tags.get(name) ?? 0) + 1);
  return tags;
}

describe('any value', () => {
  /** Without a value, the template's own Markdown has another meaning: `****` is a rule. */
  const visible = value.filter((text) => escapeMarkup(text).trim() !== '');
  /** Places where a template can have values, and the Markdown around them. */
  const TEMPLATES = [
    'V',
    'a V b',
    'aVb',
    'V V',
    'VV',
    '**V**',
    '*V* _V_',
    '~~V~~',
    '# V',
    '- V',
    '> V',
    '1. V',
    '   V',
    '[V](https://ok.example)',
    'V[link](https://ok.example)',
    '[link](https://ok.example/?q=V)',
    '`V`',
    '| a | b |\n|---|---|\n| V | V |',
    'V\n===',
    'one\nV',
  ];

  for (const template of TEMPLATES)
    test(`adds no markup to ${JSON.stringify(template)}`, () => {
      const own = countTags(toHtml(template.replaceAll('V', 'word')));
      fc.assert(
        fc.property(visible, visible, (one, other) => {
          // A row of a table can't have several lines.
          const values = [one, other].map((each) =>
            escapeMarkup(/\|/.test(template) ? each.replaceAll(/\s+/g, ' ') : each),
          );
          let at = 0;
          const message = template.replaceAll('V', () => values[at++ % 2] ?? '');
          for (const [tag, count] of countTags(toHtml(message)))
            assert.ok(count <= (own.get(tag) ?? 0), `${tag} in ${JSON.stringify(message)}: ${toHtml(message)}`);
        }),
        { numRuns: 150 },
      );
    });

  test('is shown as it was written', () => {
    const withoutEncoding = (text: string) =>
      text.replaceAll(/%(?:[57][BCDEF]|2[89A]|3B|40|60)/g, (code) => decodeURIComponent(code)).replaceAll(/\s+/g, '');
    fc.assert(
      fc.property(value, (text) => {
        const plain = withoutEncoding(cleanCharacters(text));
        assert.equal(withoutEncoding(toShownText(toHtml(escapeMarkup(text)))), plain);
        assert.equal(withoutEncoding(toPlainText(escapeMarkup(text))), plain);
      }),
      { numRuns: 600 },
    );
  });

  test('mentions no one and starts no other link', () => {
    fc.assert(
      fc.property(value, value, (one, other) => {
        const message = escapeMarkup(one) + escapeMarkup(other);
        assert.doesNotMatch(message, /(?<![a-z0-9])@[^\u2060\s]/i);
        assert.doesNotMatch(message, /(?<!https?):\/\//i);
        assert.doesNotMatch(message, /(?<![\w/])(?:mailto|javascript|tel):[^\s\u2060]/i);
        assert.doesNotMatch(escapeMarkup(one), /https?:\/\/[^\s/?#>]*@/i);
      }),
      { numRuns: 600 },
    );
  });
});
