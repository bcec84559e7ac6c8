import assert from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { type Addressee, formatAddressee, readAddresses } from './pasted-addresses.ts';

/** Addressees as `[email, first name, last name]`, other text as it is. */
const read = (text: string) =>
  readAddresses(text).map((part) => ('unread' in part ? part.unread : [part.email, part.first_name, part.last_name]));
const emails = (text: string) => readAddresses(text).flatMap((part) => ('email' in part ? [part.email] : []));

const AADI = ['a@x.example', 'Aadi', 'Ganaka'];
const NINA = ['n@x.example', 'Nina', 'New'];
const ANN = ['ann@x.example', 'Ann', 'Lee'];

test('addresses can be separated by any usual separator', () => {
  const all = ['a@x.example', 'b@x.example', 'c@x.example'];
  for (const separator of [
    ', ',
    ',',
    ';',
    '; ',
    ' ',
    '\n',
    '\r\n',
    '\r',
    '\t',
    ' \n\n ',
    '\n- ',
    '\n• ',
    '\u00a0',
    '；',
    '、',
  ])
    assert.deepEqual(
      read(all.join(separator)),
      all.map((email) => [email, '', '']),
      JSON.stringify(separator),
    );
  assert.deepEqual(emails(`1. ${all[0]}\n2) ${all[1]}\n3. ${all[2]};\n,`), all);
  assert.deepEqual(read(`1. ${all[0]}`), [[all[0], '', '']]);
});

test('names are read in both orders, as Outlook copies them', () => {
  assert.deepEqual(read('Ganaka, Aadi <a@x.example>; New, Nina <n@x.example>'), [AADI, NINA]);
  assert.deepEqual(read('Ganaka, Aadi <a@x.example>; New, Nina <n@x.example>;'), [AADI, NINA]);
  assert.deepEqual(read("Aadi Ganaka <a@x.example>; 'New, Nina' <n@x.example>"), [AADI, NINA]);
  assert.deepEqual(read('Ganaka, Aadi<mailto:a@x.example>; New, Nina [mailto:n@x.example]'), [AADI, NINA]);
  assert.deepEqual(read('Ganaka, Aadi (Sales) <a@x.example>\nNew, Nina <n@x.example>'), [AADI, NINA]);
  assert.deepEqual(read('To: Ganaka, Aadi <a@x.example>; New, Nina <n@x.example>'), [AADI, NINA]);
  assert.deepEqual(read('a@x.example <a@x.example>'), [['a@x.example', '', '']]);
});

test('names are read as Gmail and Apple Mail copy them', () => {
  assert.deepEqual(read('Aadi Ganaka <a@x.example>, Nina New <n@x.example>'), [AADI, NINA]);
  assert.deepEqual(read('"Ganaka, Aadi" <a@x.example>, "New, Nina" <n@x.example>,'), [AADI, NINA]);
  assert.deepEqual(read('“Ganaka, Aadi” <a@x.example>,\u00a0Nina\u00a0New\u00a0<n@x.example>'), [AADI, NINA]);
  assert.deepEqual(read('"Lee, Ann" <ann@x.example>'), [ANN]);
  assert.deepEqual(read('Ann Lee (ann@x.example)'), [ANN]);
  assert.deepEqual(read('ann@x.example (Ann Lee)'), [ANN]);
  assert.deepEqual(read('Ann Lee\r\n <ann@x.example>,\r\n Nina New\r\n\t<n@x.example>'), [ANN, NINA]);
  assert.deepEqual(read('Team: Ann Lee <ann@x.example>, n@x.example;'), [ANN, ['n@x.example', '', '']]);
});

test('several words can be a first or a last name', () => {
  assert.deepEqual(read('"Maria del Mar Ruiz" <m@x.example>'), [['m@x.example', 'Maria', 'del Mar Ruiz']]);
  assert.deepEqual(read('van der Berg, Anna Maria <b@x.example>'), [['b@x.example', 'Anna Maria', 'van der Berg']]);
  assert.deepEqual(read('Lee, Ann, PhD <ann@x.example>; "O’Brien, Zoë" <zoe@x.example>'), [
    ANN,
    ['zoe@x.example', 'Zoë', 'O’Brien'],
  ]);
  assert.deepEqual(read('"Ann \\"Annie\\" Lee" <ann@x.example>'), [['ann@x.example', 'Ann', '"Annie" Lee']]);
});

test('encoded names are decoded', () => {
  assert.deepEqual(read('=?UTF-8?Q?M=C3=BCller=2C_J=C3=B6rg?= <j@x.example>, =?utf-8?B?Wm/DqyBSYXk=?= <z@x.example>'), [
    ['j@x.example', 'Jörg', 'Müller'],
    ['z@x.example', 'Zoë', 'Ray'],
  ]);
  assert.deepEqual(read('"=?iso-8859-1?q?Zo=EB?= =?iso-8859-1?q?_Ray?=" <z@x.example>'), [
    ['z@x.example', 'Zoë', 'Ray'],
  ]);
  assert.deepEqual(read('=?no-such?q?Ann?= <ann@x.example>'), [['ann@x.example', '=?no-such?q?Ann?=', '']]);
});

test('rows of a spreadsheet have names in cells of their own', () => {
  assert.deepEqual(read('Ann\tLee\tann@x.example\nNina\tNew\tn@x.example\t+49 30 901820\tSales\n'), [ANN, NINA]);
  assert.deepEqual(read('ann@x.example\tAnn\tLee'), [ANN]);
  assert.deepEqual(read('17\tLee, Ann\tann@x.example'), [ANN]);
  assert.deepEqual(read('Ann Lee\tann@x.example\tnina@\tn@x.example'), [ANN, 'nina@', ['n@x.example', '', '']]);
  assert.deepEqual(read('Last Name\tFirst Name\tE-mail Address\nLee\tAnn\tann@x.example\nnobody\there\t'), [
    ANN,
    'nobody here',
  ]);
  assert.deepEqual(read('Email,Name,Department\nann@x.example,Ann Lee,Sales\n'), [ANN]);
});

test('the marks around an address are removed', () => {
  assert.deepEqual(
    emails(
      'mailto:a@x.example, (b@x.example), "c@x.example". ‘d@x.example’; \u200be@x.example\ufeff <mailto:f@x.example?subject=Hi>',
    ),
    ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@x.example`),
  );
  assert.deepEqual(emails('mailto:ann%2Bnews@x.example'), ['ann+news@x.example']);
});

test('each address is read once, in any case', () => {
  assert.deepEqual(emails('A@x.example a@X.EXAMPLE\na@x.example'), ['a@x.example']);
});

test('text that is neither an address nor a name is returned', () => {
  assert.deepEqual(read('a@x.example, nobody, b@, @c.example, Ann <>, d@x.example'), [
    ['a@x.example', '', ''],
    'nobody',
    'b@',
    '@c.example',
    'Ann <>',
    ['d@x.example', '', ''],
  ]);
  assert.deepEqual(read('Bob Ray\nann@b@c\nGanaka, Aadi <a@x.example>'), ['Bob Ray', 'ann@b@c', AADI]);
  assert.deepEqual(read('Ann Lee, Aadi Ganaka <a@x.example>, Nina New <n@x.example>'), ['Ann Lee', AADI, NINA]);
  assert.deepEqual(read('please invite ann@x.example'), ['please invite', ['ann@x.example', '', '']]);
  for (const nothing of ['', ' \n,; ', '- \n• ', ';;', '<>']) assert.deepEqual(read(nothing), [], nothing);
});

const anEmail = fc
  .tuple(fc.stringMatching(/^[a-z0-9][a-z0-9.+_-]{0,20}$/), fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/))
  .map(([name, domain]) => `${name}@${domain}.example`);
const aName = fc.stringMatching(/^[A-Za-zÀ-ÖßĀ-ž][A-Za-zÀ-ÖßĀ-ž’'-]{0,12}$/);
const aSeparator = fc.constantFrom(', ', ',', ';', '; ', '\n', '\r\n', ' ;\n');
const anEntry = fc.oneof(
  anEmail.map((email) => ({ email, text: email })),
  fc
    .tuple(anEmail, aName, aName, fc.constantFrom('F L <@>', '"L, F" <@>', 'F L (@)', '@ (F L)', "'L, F' <mailto:@>"))
    .map(([email, first, last, form]) => ({
      email,
      text: form
        .replace('F', () => first)
        .replace('L', () => last)
        .replace('@', () => email),
    })),
);

test('no address is lost, whatever surrounds it, and the order stays', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anEntry, aSeparator), { maxLength: 20 }), (entries) => {
      const text = entries.map(([entry, separator]) => entry.text + separator).join('');
      assert.deepEqual(
        read(text).filter((part) => typeof part === 'string'),
        [],
      );
      assert.deepEqual(emails(text), [...new Set(entries.map(([{ email }]) => email))]);
    }),
  );
});

test('no address is invented, and every word with an @ is returned', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc
      .array(
        fc.constantFrom(
          'a@x.example',
          'b@',
          '@',
          'Ann',
          ',',
          ';',
          '<',
          '>',
          '"',
          '(',
          ')',
          '[',
          '\t',
          '\n',
          ' ',
          '\\',
          ':',
          'To:',
          'Email',
          '=?utf-8?q?',
        ),
        { maxLength: 40 },
      )
      .map((words) => words.join('')),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      const visible = text.replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '').toLowerCase();
      const parts = readAddresses(text);
      for (const part of parts) if ('email' in part) assert.ok(visible.includes(part.email), part.email);
      const returned = parts
        .map((part) => ('unread' in part ? part.unread : part.email))
        .join(' ')
        .toLowerCase();
      for (const [at] of visible.matchAll(/[a-z.]+@[a-z.]*[a-z]/g)) assert.ok(returned.includes(at), at);
    }),
    { numRuns: 600 },
  );
});

test('a formatted addressee is read as the same one', () => {
  const named = fc.record({ email: anEmail, first_name: aName, last_name: fc.oneof(aName, fc.constant('')) });
  const same = (addressee: Addressee) =>
    assert.deepEqual(readAddresses(formatAddressee(addressee)), [{ ...addressee }]);
  fc.assert(fc.property(named, same));
  same({ email: 'm@x.example', first_name: 'Maria "Mia" del', last_name: 'Mar Ruiz' });
  same({ email: 'm@x.example', first_name: '', last_name: '' });
});

test('a long text is read quickly', () => {
  const text = Array.from({ length: 20_000 }, (_, nth) => `Name ${nth} <n${nth}@x.example>`).join('\n');
  assert.equal(emails(text).length, 20_000);
  const bombs = [
    '<',
    '"',
    '(',
    '[',
    'a ',
    'a,',
    '=?utf-8?q?',
    '\\',
    '"\\',
    '""',
    ' ',
    '1.',
    'a:',
    '@',
    '.',
    '.a',
    '(a',
  ];
  for (const bomb of bombs) assert.deepEqual(emails(bomb.repeat(50_000)), [], bomb);
  assert.deepEqual(emails(`"${'a'.repeat(50_000)}`), []);
});
