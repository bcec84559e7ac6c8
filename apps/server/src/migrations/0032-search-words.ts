import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** One fold for searched text and for sort keys. */
export const searchWords: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

/** Combining marks of Latin, Greek, Cyrillic, Hebrew and Arabic, variation selectors, and characters without width. */
const UNSEEN = String.raw`[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061c\u0640\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]`;
/** Chinese, Japanese and Korean characters. */
const CJK = String.raw`\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\U00020000-\U0003ffff`;

/** Letters that have no decomposition, apostrophes and hyphens, each above the character that replaces it. */
const LETTERS = ['łøđðħıŧŋɓɗƙƴəǝɨƒς’‘ʼʻʹ′‐‑‒–—−', "loddhitnbdkyeeifσ''''''------"] as const;
/** The digits 0 of scripts that are in use beside the full-width and mathematical ones, which NFKD turns into ASCII. */
const ZEROS = [...'٠۰०০੦૦୦௦౦೦൦෦๐໐༠၀០᠐'];
const DIGITS = ZEROS.map((zero) =>
  String.fromCodePoint(...Array.from({ length: 10 }, (_, digit) => (zero.codePointAt(0) ?? 0) + digit)),
);

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
const isAscii = (text: string) => `octet_length(${text}) = length(${text})`;

// Nodes of the previous version keep calling these functions while an upgrade is rolled out, so the names stay.
const STATEMENTS = [
  // The sort key of a name: lower case, without marks. The collation is explicit, because "C" lowercases ASCII only.
  `create function fold_letters(value text) returns text language plpgsql immutable parallel safe strict as $$
    begin
      if ${isAscii('value')} then return lower(value collate "default"); end if;
      value := lower(regexp_replace(normalize(replace(value, '´', ''''), nfkd), '${UNSEEN}', '', 'g') collate "default");
      value := translate(value, ${LETTERS.map(quote).join(', ')});
      value := replace(replace(replace(replace(value, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
      if ${isAscii('value')} then return value; end if;
      return translate(normalize(value, nfkc), '${DIGITS.join('')}', '${'0123456789'.repeat(DIGITS.length)}');
    end $$`,

  // Searched text: without what people leave out or write differently. Fields are on lines of their own. A line of two CJK
  // short words, such as a name, is found in both orders without the blank. Other characters than ASCII become capital letters, two for
  // each byte, because it depends on the database's locale whether an index of trigrams contains them.
  `create or replace function search_fold(value text) returns text language plpgsql immutable parallel safe strict as $$
    begin
      value := translate(fold_letters(value), '''\`-()+/·・', '');
      if value ~ '[0-9][ .]+[0-9]' then value := regexp_replace(value, '([0-9])[ .]+(?=[0-9])', '\\1', 'g'); end if;
      if ${isAscii('value')} then return value; end if;
      value := regexp_replace(value, '^([${CJK}]{1,20}) +([${CJK}]{1,20})$', '\\1\\2\\1', 'gn');
      value := regexp_replace(value, '([${CJK}]) +(?=[${CJK}])', '\\1', 'g');
      return (select string_agg(case when ${isAscii('c')} then c
          else translate(encode(convert_to(c, 'UTF8'), 'hex'), '0123456789abcdef', 'ABCDEFGHIJKLMNOP') end, '' order by at)
        from unnest(string_to_array(value, null)) with ordinality as characters (c, at));
    end $$`,

  // Capital letters mark text that is folded already, as in a backup: writers store lower case.
  `create or replace function fold_membership_search() returns trigger language plpgsql as $$
    begin
      new.name_key := fold_letters(new.name_key);
      if new.search !~ '[A-Z]' then new.search := search_fold(new.search); end if;
      return new;
    end $$`,

  "alter table directory_entries alter column name_key drop expression, alter column name_key set default ''",
  `create or replace function fold_entry_search() returns trigger language plpgsql as $$
    begin
      new.name_key := fold_letters(new.name);
      new.search := search_fold(concat_ws(e'\\n', new.name, new.email, new.phone_number, new.sms));
      return new;
    end $$`,
];
