import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { matchesSearchKeys, toLikePattern, toTsquery } from './search-plan.ts';

const TEAM = '0123456789abcdefghijklmnh4';
const LETTERS = [
  ...'aabbceehimnnorstuxyz019 .-_@()\n%\\\'|"&!:*ÉéñÜßẞØŁİſ',
  ...'иванΣςσ',
  ...'李小龙',
  ...'\uFB01\uFB03\u2168\u00BD\uFF21\uFF53\uFF15\uFF05',
  '🙂',
  'e\u0301',
];

let node: TestApp;

before(async () => {
  node = await startApp({ work: false });
});

after(() => node[Symbol.asyncDispose]());

/** Deterministic test texts. */
function generatedTexts(count: number): string[] {
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + next(14) }, () => LETTERS[next(LETTERS.length)]).join(''),
  );
}

async function isFound(texts: string[], typed: string, team = TEAM): Promise<boolean[]> {
  return selectFound(texts, matchesSearchKeys(TEAM, [typed]), team);
}

async function selectFound(texts: string[], condition: RawBuilder<boolean>, team = TEAM): Promise<boolean[]> {
  const { rows } = await sql<{ found: boolean }>`select ${condition} as found
    from unnest(${texts}::text[]) with ordinality as made (said, at),
      lateral (select ${team}::text as team_id, search_fold(said) as search) as stored order by at`.execute(node.db);
  return rows.map(({ found }) => found);
}

describe('the search keys of a text', () => {
  test('match every text that contains the search text, in any script and with any punctuation', async () => {
    for (const text of generatedTexts(60)) {
      // Half of a grapheme cluster is not found in it.
      const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
      for (let from = 0; from < characters.length; from += 1) {
        for (const length of [1, 2, 3, 4, 8]) {
          const typed = characters.slice(from, from + length).join('');
          const condition = sql<boolean>`(${matchesSearchKeys(TEAM, [typed])} and search like ${toLikePattern(typed)})`;
          assert.deepEqual(await selectFound([text], condition), [true], JSON.stringify({ text, typed }));
        }
      }
    }
  });

  test('exclude most other texts, also for two letters', async () => {
    const texts = ['anna mueller', 'martin', 'rené', 'aqua', 'quint', 'iraq'];
    assert.deepEqual(await isFound(texts, 'mart'), [false, true, false, false, false, false]);
    assert.deepEqual((await isFound(texts, 'qu')).filter(Boolean).length < 5, true);
    assert.equal((await isFound(texts, 'en'))[2], true, 'before a letter that turns its trigram into a hash');
    assert.deepEqual(await isFound(['anna', 'martin'], 'zz'), [false, false]);
  });

  test('ignore case, ß or ss, ligatures and full width', async () => {
    for (const [text, typed] of [
      ['Lange Straße', 'STRASSE'],
      ['STRASSE', 'straße'],
      ['\uFB01nance', 'FINANCE'],
      ['finance', '\uFB01n'],
      ['finance', '\uFB01'],
      ['\uFF21\uFF22\uFF23', 'abc'],
      ['ΟΔΟΣ', 'οδος'],
    ] as const) {
      const condition = sql<boolean>`(${matchesSearchKeys(TEAM, [typed])} and search like ${toLikePattern(typed)})`;
      assert.deepEqual(await selectFound([text], condition), [true], JSON.stringify({ text, typed }));
    }
    for (const [text, typed] of [
      ['100%', '0\uFF05x'],
      ['back\\slash', '\uFF3Cx'],
      ['under_score', 'r\uFF3Fx'],
    ] as const)
      assert.deepEqual(await selectFound([text], sql<boolean>`search like ${toLikePattern(typed)}`), [false], typed);
  });

  test('have the same pattern for ASCII from the server and the database', async () => {
    const ascii = String.fromCharCode(...Array.from({ length: 126 }, (_, at) => at + 1));
    const { rows } = await sql`select ${toLikePattern(ascii)} = search_pattern(${ascii}) as same`.execute(node.db);
    assert.deepEqual(rows, [{ same: true }]);
  });

  test('separate teams whose ids end differently', async () => {
    assert.deepEqual(await isFound(['martin'], 'mart', '0123456789abcdefghijklmnh8'), [false]);
  });

  test('match one of several spellings', async () => {
    const { rows } = await sql<{ found: boolean }>`select ${matchesSearchKeys(TEAM, ['(415) 555', '415555'])} as found
      from (select ${TEAM}::text as team_id, '4155550142'::text as search) as stored`.execute(node.db);
    assert.equal(rows[0]?.found, true);
  });

  test('of several spellings are those of one that the others contain', async () => {
    for (const [typed, digits] of [
      ['(415) 555-0142', '4155550142'],
      ['+49 30 1234567', '49301234567'],
      ['41-55', '4155'],
    ] as const) {
      assert.equal(toTsquery(TEAM, [typed, digits]), toTsquery(TEAM, [typed]));
      assert.equal(toTsquery(TEAM, [digits, typed]), toTsquery(TEAM, [typed]));
      for (const text of [typed, digits, `1${digits}1`]) {
        const condition = matchesSearchKeys(TEAM, [typed, digits]);
        assert.deepEqual(await selectFound([text], condition), [true], text);
      }
    }
    assert.match(toTsquery(TEAM, ['martin', 'anna']) ?? '', / \| /);
    assert.equal(toTsquery(TEAM, ['anna', 'anna']), toTsquery(TEAM, ['anna']));
  });

  test('of a long run are a third of its trigrams, with the first and the last', () => {
    const keys = (text: string) => toTsquery(TEAM, [text])?.match(/(?<='h4)\w+/g);
    assert.deepEqual(keys('martin'), ['mar', 'art', 'rti', 'tin']);
    assert.deepEqual(keys('michael'), ['mic', 'hae', 'ael']);
    assert.deepEqual(keys('4155550142'), ['415', '555', '014', '142']);
    assert.deepEqual(keys('christina zoe'), ['chr', 'ist', 'ina', 'zoe']);
    assert.deepEqual(keys('zoe'), ['zoe']);
  });

  for (const table of ['memberships', 'directory_entries']) {
    test(`use the index of ${table}`, async () => {
      const plan = await node.db.transaction().execute(async (trx) => {
        // On an empty table, any other plan would be cheaper.
        for (const way of ['seqscan', 'indexscan', 'indexonlyscan'])
          await sql`set local ${sql.ref(`enable_${way}`)} = off`.execute(trx);
        return sql<{ 'QUERY PLAN': string }>`explain select 1 from ${sql.table(table)}
          where ${matchesSearchKeys(TEAM, ['martin'])}`.execute(trx);
      });
      assert.match(plan.rows.map((row) => row['QUERY PLAN']).join('\n'), new RegExp(`on ${table}_by_key`));
    });
  }
});
