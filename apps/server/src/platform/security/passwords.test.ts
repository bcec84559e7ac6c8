import assert from 'node:assert/strict';
import { test } from 'vitest';
import { hashPassword, isCommonPassword, verifyPassword } from './passwords.ts';

test('a password matches only its own hash, exactly as typed', async () => {
  const stored = await hashPassword('Correct horse ä😀');
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.ok(await verifyPassword(stored, 'Correct horse ä😀'));
  for (const other of ['correct horse ä😀', 'Correct horse ä😀 ', 'Correct horse a\u0308😀', ''])
    assert.ok(!(await verifyPassword(stored, other)), other);
  assert.notEqual(await hashPassword('Correct horse ä😀'), stored);
});

test("without a valid hash, no password matches, not even the decoy's", async () => {
  for (const stored of [null, undefined, '', 'junk', '$argon2id$v=19$m=1,t=1,p=1$x$y'])
    assert.ok(!(await verifyPassword(stored, 'decoy password')));
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
    assert.deepEqual(await check(stored, 'another password'), { hashed: [false], fits: false });
  // A real hash replaces a missing one. Its own password matches, but lets no one in.
  assert.deepEqual(await check(undefined, 'decoy password'), { hashed: [true], fits: false });
});

test('many concurrent checks all complete', async () => {
  const stored = await hashPassword('one of many');
  const fits = await Promise.all(
    Array.from({ length: 12 }, (_, i) => verifyPassword(stored, i % 2 ? 'one of many' : 'x')),
  );
  assert.equal(fits.filter(Boolean).length, 6);
});

test('the 3,000 most common passwords are recognized in any case, others are not', () => {
  for (const common of ['password', 'PASSWORD', '123456789', 'qwerty123', 'iloveyou', 'football'])
    assert.ok(isCommonPassword(common), common);
  for (const fine of ['correct horse battery', 'a9!kQ2#zLp', '']) assert.ok(!isCommonPassword(fine), fine);
});
