import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { matchesSearch } from './search.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

/** Tells for each stored text if the search finds it. */
async function isFound(texts: readonly string[], typed: string): Promise<boolean[]> {
  const { rows } = await sql<{ found: boolean }>`select ${matchesSearch(sql`search_fold(said)`, typed)} as found
    from unnest(${texts}::text[]) with ordinality as texts (said, at) order by at`.execute(node.db);
  return rows.map(({ found }) => found);
}

async function assertFound(text: string, searches: readonly string[]): Promise<void> {
  for (const typed of searches) assert.deepEqual(await isFound([text], typed), [true], JSON.stringify({ text, typed }));
}

/** Whole numbers below `below`, the same in each run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const LETTERS = [
  ...'aabbceehimnnorstuxyz019 .-_@()+/,\n%\\\'’"&!:*ÉéñÜßẞØŁİıſæ',
  ...'иванйёΣςσά',
  ...'李小龙山田がガ김철',
  ...['\uFB01', '\u2168', '\uFF21', '\uFF53', '\uFF15', '\uFF05', '\u3000', '٣', '🙂', 'e\u0301', '‐'],
];

describe('a stored text', () => {
  test('is found by each of its parts', async () => {
    const next = createRandom(7);
    for (let count = 0; count < 60; count += 1) {
      const text = Array.from({ length: 1 + next(14) }, () => LETTERS[next(LETTERS.length)]).join('');
      // Half of a grapheme cluster isn't searched for, and a search has one line.
      const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
      const parts = new Set<string>();
      for (let from = 0; from < characters.length; from += 1)
        for (const length of [1, 2, 3, 4, 8]) {
          const [line = ''] = characters
            .slice(from, from + length)
            .join('')
            .split('\n');
          parts.add(line);
        }
      await assertFound(text, [...parts]);
    }
  });

  test('is found however a name is typed', async () => {
    const next = createRandom(11);
    const pick = <T>(items: readonly T[]): T => items[next(items.length)] as T;
    const typings: readonly ((name: string) => string)[] = [
      (name) => name.toUpperCase(),
      (name) => name.toLowerCase(),
      (name) => name.normalize('NFD'),
      (name) => name.normalize('NFD').replace(/\p{M}/gu, ''),
      (name) => name.replace(/[aeiou]/g, (vowel) => vowel + pick(['\u0301', '\u0308', '\u0302', ''])),
      (name) => name.split(' ').reverse().join(' '),
      (name) => name.replaceAll(' ', '   '),
      (name) => name.replaceAll(' ', '\u00A0'),
      (name) => name.replaceAll('-', pick([' ', '', '‐', '–'])),
      (name) => name.replaceAll("'", pick(['', '’', '‘', 'ʼ', '`', '´', '\uFF07'])),
      (name) => name.replace(/[!-~]/g, (ascii) => String.fromCharCode(ascii.charCodeAt(0) + 0xfee0)),
      (name) => name.replaceAll('i', 'ı'),
      (name) => name.replaceAll('I', 'İ'),
      (name) => name.split(' ').toReversed().join(', '),
      (name) => `${name} anna@example.com`,
      (name) => `${name} <anna@example.com>`,
    ];
    const firsts = ["D'Arcy", 'Jean-Pierre', 'André', 'Zoë', 'Łukasz', 'Søren', 'İpek', 'Ðorđe', 'Nguyễn', 'Ingrid'];
    const lasts = ['Müller', "O'Brien", 'Núñez', 'Straße', 'Æsir', 'Dvořák', 'Yıldız', 'Smith-Jones', 'Þórsson', 'Kiš'];
    for (let count = 0; count < 150; count += 1) {
      const name = `${pick(firsts)} ${pick(lasts)}`;
      const typed = pick(typings)(pick(typings)(name));
      await assertFound(`${name}\nanna@example.com`, [typed]);
      await assertFound(`${typed}\nanna@example.com`, [name]);
    }
  });

  test('is found by its letters without marks and its marks without letters of their own', async () => {
    await assertFound('Müller André', ['Muller Andre', 'andré MÜLLER', 'mull andr', 'Mûller']);
    await assertFound('Muller Andre', ['Müller André']);
    await assertFound('Øystein Łęcki', ['oystein lecki', 'LECKI Øyst']);
    await assertFound('Иван Королёв', ['королев иван', 'ИВАН', 'Королёв']);
    await assertFound('ΟΔΥΣΣΕΎΣ', ['οδυσσευς', 'Οδυσσεύς']);
    await assertFound('Diyarbakır Işık', ['diyarbakir isik', 'DIYARBAKIR', 'ışık', 'IŞIK']);
    await assertFound('مُحَمَّد', ['محمد']);
    await assertFound('Lange Straße', ['STRASSE', 'straße', 'STRAẞE']);
    await assertFound('Oﬃce of \uFB01nance', ['OFFICE', '\uFB01NANCE', 'finance office']);
  });

  test('in Chinese, Japanese or Korean is found with and without a blank, with the family name first or last', async () => {
    for (const [first, last] of [
      ['小龙', '李'],
      ['太郎', '山田'],
      ['철수', '김'],
      ['タロウ', 'ヤマダ'],
    ] as const)
      for (const text of [`${first} ${last}`, `${last} ${first}`, `${last}\u3000${first}`])
        await assertFound(`${text}\nx@example.com`, [
          ...[`${last}${first}`, `${last} ${first}`, `${last}\u3000${first}`, `${first} ${last}`, `${first}${last}`],
          ...[first, last, `${last}${first} example.com`, `${last}${first}`.normalize('NFD')],
        ]);
    await assertFound('李小龙', ['李 小龙', '小龙 李', '小龙']);
    await assertFound('マイケル・ジャクソン', ['マイケルジャクソン', 'ジャクソン マイケル', 'ﾏｲｹﾙ']);
    assert.deepEqual(await isFound(['田中 太郎', '中田 太郎'], '田中'), [true, false]);
  });

  test('with numbers is found by their digits in any script and with any punctuation', async () => {
    for (const number of [
      '(415) 555-0142',
      '4155550142',
      '+1 415.555.0142',
      '415 555 0142',
      '٤١٥٥٥٥٠١٤٢',
      '４１５ 5550142',
    ])
      await assertFound(`Anna\n${number}`, [
        '4155550142',
        '(415) 555-0142',
        '555-0142',
        '٥٥٥ ٠١٤٢',
        '५५५',
        '415/555',
        '0142 anna',
      ]);
    assert.deepEqual(await isFound(['0142 555'], '555-0142'), [false]);
  });
});

describe('a search', () => {
  test('finds only what contains each of its words', async () => {
    const texts = ['Anna Miller\nanna@example.com', 'Anna Smith\nanna@example.org', 'Hannah Mill\nh@example.com'];
    assert.deepEqual(await isFound(texts, 'mill anna'), [true, false, true]);
    assert.deepEqual(await isFound(texts, 'anna example.com'), [true, false, true]);
    assert.deepEqual(await isFound(texts, 'anna smithe'), [false, false, false]);
    assert.deepEqual(await isFound(texts, 'milleranna'), [false, false, false], 'name and address are separate');
    assert.deepEqual(await isFound(['Michael Anderson'], 'lan'), [false], 'words are separate');
  });

  test('takes wildcards literally, in full width too', async () => {
    assert.deepEqual(await isFound(['100% sure', 'a_b', 'c\\d', 'plain'], '%'), [true, false, false, false]);
    assert.deepEqual(await isFound(['100% sure', 'a_b', 'c\\d', 'plain'], '\uFF3F'), [false, true, false, false]);
    assert.deepEqual(await isFound(['100% sure', 'a_b', 'c\\d', 'plain'], '\\'), [false, false, true, false]);
    assert.deepEqual(await isFound(['100% sure'], '0\uFF05x'), [false]);
  });

  test('doesn’t confuse the stored form of other scripts with Latin letters', async () => {
    for (const typed of ['o', 'og', 'OGJ', 'ogjnio', 'P', 'a'])
      assert.deepEqual(await isFound(['李'], typed), [false], typed);
  });

  test('of nothing but apostrophes and hyphens finds everything', async () => {
    for (const typed of ['', "'", '-', '( )'])
      assert.deepEqual(await isFound(['Anna', "O'Brien"], typed), [true, true]);
  });
});

for (const table of ['memberships', 'directory_entries'])
  test(`a search of ${table} can use the index of trigrams`, async () => {
    const { rows } = await node.db.transaction().execute(async (trx) => {
      // On an empty table, any other plan would be cheaper.
      for (const way of ['seqscan', 'indexscan', 'indexonlyscan'])
        await sql`set local ${sql.ref(`enable_${way}`)} = off`.execute(trx);
      return sql<{ 'QUERY PLAN': string }>`explain select 1 from ${sql.table(table)}
        where ${matchesSearch(sql`search`, 'King Martin')}`.execute(trx);
    });
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.match(plan, new RegExp(`on ${table}_by_text.*\\n *Index Cond: .*~~ '%King%'.*~~ '%Martin%'`, 'i'));
  });

test('text of any script has trigrams', async () => {
  for (const text of ['李', 'Ив', '김', 'مح']) {
    const { rows } = await sql<{ keys: string[] }>`select show_trgm(search_fold(${text})) as keys`.execute(node.db);
    assert.ok((rows[0]?.keys.length ?? 0) > 3, text);
  }
});

test('sort keys ignore case and marks, and compare by bytes', async () => {
  const names = ['Zoe', 'Äbel', 'abel', 'Łukasz', 'Lukas', 'Ørsted', 'Özil', 'Ingrid', 'ışık', 'Ĳsbrand'];
  const { rows } = await sql<{ name: string }>`select name from unnest(${names}::text[]) as names (name)
    order by fold_letters(name) collate "C", name collate "C"`.execute(node.db);
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['abel', 'Äbel', 'Ĳsbrand', 'Ingrid', 'ışık', 'Lukas', 'Łukasz', 'Ørsted', 'Özil', 'Zoe'],
  );
});
