import assert from 'node:assert/strict';
import { hash } from '@node-rs/argon2';
import { test } from 'vitest';
import { hashPassword, isTooCommon, verifyPassword } from './passwords.ts';

test('a password matches only its own hash, with its case and blanks', async () => {
  const stored = await hashPassword('Correct horse ä😀');
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.equal(await verifyPassword(stored, 'Correct horse ä😀'), 'right');
  for (const other of ['correct horse ä😀', 'Correct horse ä😀 ', 'Correct horse a😀', ''])
    assert.equal(await verifyPassword(stored, other), 'wrong', other);
  assert.notEqual(await hashPassword('Correct horse ä😀'), stored);
});

/** A hash with these settings is quick to check, because it names them. */
const QUICK = { memoryCost: 8, timeCost: 1 };

/** The same password from different keyboards and systems. */
const FORMS = [
  'Ünïcode 한글 ２',
  'U\u0308ni\u0308code \u1112\u1161\u11ab\u1100\u1173\u11af 2',
  'Ｕ\u0308nïcode\u00a0한글 2',
];

test('a password matches in every form that keyboards send', async () => {
  for (const chosen of FORMS) {
    const stored = await hashPassword(chosen);
    for (const typed of FORMS) assert.equal(await verifyPassword(stored, typed), 'right', `${chosen} ${typed}`);
  }
});

test('a hash from before passwords were normalized matches as it was typed, and is outdated', async () => {
  for (const chosen of FORMS) {
    const stored = await hash(chosen, QUICK);
    for (const typed of FORMS)
      assert.equal(await verifyPassword(stored, typed), typed === chosen ? 'outdated' : 'wrong', `${chosen} ${typed}`);
  }
  assert.equal(await verifyPassword(await hash('normalized ä', QUICK), 'normalized ä'), 'right');
});

test("without a valid hash, no password matches, not even the decoy's", async () => {
  for (const stored of [null, undefined, '', 'junk', '$argon2id$v=19$m=1,t=1,p=1$x$y'])
    assert.equal(await verifyPassword(stored, 'decoy password'), 'wrong');
});

test('a password is hashed whether or not there is an account, so that the time does not reveal one', async () => {
  const check = async (stored: string | null | undefined, password: string) => {
    const hashed: unknown[] = [];
    const run = async <T>(work: () => Promise<T>): Promise<T> => {
      const result = await work();
      hashed.push(result);
      return result;
    };
    const fits = await verifyPassword(stored, password, { run, leave: () => undefined });
    return { hashed, fits };
  };
  for (const stored of [await hashPassword('a password'), null, undefined])
    for (const password of ['another password', 'anothe\u0301r password'])
      assert.deepEqual(await check(stored, password), { hashed: [undefined], fits: 'wrong' });
  // A real hash replaces a missing one. Its own password matches, but lets no one in.
  assert.deepEqual(await check(undefined, 'decoy password'), { hashed: ['decoy password'], fits: 'wrong' });
});

test('many concurrent checks all complete', async () => {
  const stored = await hashPassword('one of many');
  const fits = await Promise.all(
    Array.from({ length: 12 }, (_, i) => verifyPassword(stored, i % 2 ? 'one of many' : 'x')),
  );
  assert.equal(fits.filter((check) => check === 'right').length, 6);
});

test('the 3,000 most common passwords are recognized in any case, others are not', async () => {
  for (const common of ['password', 'PASSWORD', 'ｐａｓｓｗｏｒｄ', '123456789', 'qwerty123', 'iloveyou', 'football'])
    assert.ok(await isTooCommon(common), common);
  for (const fine of ['correct horse battery', 'a9!kQ2#zLp', '']) assert.ok(!(await isTooCommon(fine)), fine);
});
