import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { z } from 'zod';
import { NewPassword, Password, RepeatedPassword } from './passwords.ts';
import { Credentials, listStatuses, resetPassword, sendPasswordReset } from './session.ts';

const fits = (schema: z.ZodType | undefined, value: unknown) => schema?.safeParse(value).success;
const id = 'a'.repeat(26);

test('credentials are two strings, with an optional device and second factor', () => {
  const valid = { login_id: 'a', password: 'b' };
  assert.ok(fits(Credentials, valid) && fits(Credentials, { ...valid, device_id: '', token: '', other: 1 }));
  assert.deepEqual(Credentials.parse({ ...valid, roles: ['team_owner'] }), valid);
  assert.equal(Credentials.parse({ ...valid, password: '  b ' }).password, '  b ', 'the blanks of a password count');
  for (const bad of [
    {},
    null,
    [],
    { login_id: '', password: 'b' },
    { ...valid, password: '' },
    { ...valid, login_id: ['a'] },
    { ...valid, password: { $ne: '' } },
    { ...valid, device_id: null },
    { ...valid, token: 5 },
    { ...valid, password: 'x'.repeat(129) },
    { ...valid, login_id: 'x'.repeat(255) },
  ])
    assert.ok(!fits(Credentials, bad), JSON.stringify(bad));
});

test('a chosen password has 8 to 128 characters and no other rule', () => {
  for (const fine of ['8 chars!', 'x'.repeat(128), '        ', 'ääääääää', '12345678'])
    assert.ok(fits(NewPassword, fine), fine);
  for (const bad of ['7 chars', 'x'.repeat(129), '', 'eight\0 x', 12345678, null])
    assert.ok(!fits(NewPassword, bad), String(bad));
});

test('the length of a password is that of its normalized form', () => {
  const decomposed = 'e\u0302\u0301';
  assert.ok(fits(NewPassword, decomposed.repeat(128)) && fits(Password, decomposed.repeat(128)));
  assert.equal(NewPassword.parse(decomposed.repeat(8)), 'ế'.repeat(8));
  assert.ok(!fits(NewPassword, decomposed.repeat(7)), 'seven letters as 21 characters');
  assert.ok(!fits(NewPassword, decomposed.repeat(129)) && !fits(Password, decomposed.repeat(129)));
  assert.ok(!fits(NewPassword, 'ﷺ'.repeat(8)), '144 characters when normalized');
  assert.ok(fits(Password, 'ﷺ'.repeat(8)), 'it may have been chosen before passwords were normalized');
  assert.equal(Password.parse(decomposed), decomposed);
  assert.equal(RepeatedPassword.parse(decomposed.repeat(8)), NewPassword.parse('ế'.repeat(8)));
});

test('a status call accepts up to 100 ids', () => {
  assert.ok(fits(listStatuses.body, []) && fits(listStatuses.body, Array(100).fill(id)));
  for (const bad of [Array(101).fill(id), {}, id, [1], ['x'], [null], undefined])
    assert.ok(!fits(listStatuses.body, bad));
});

test('a reset request has one email address, and its link is one string', () => {
  assert.ok(fits(sendPasswordReset.body, { email: 'A@b.cd' }));
  for (const email of [['a@b.cd', 'e@f.gh'], { a: 'a@b.cd' }, 'a@b.cd,e@f.gh', undefined])
    assert.ok(!fits(sendPasswordReset.body, { email }));
  assert.ok(fits(resetPassword.body, { token: 't', new_password: '8 chars!' }));
  for (const token of ['', 'x'.repeat(201), { $regex: '^a' }, ['t'], undefined])
    assert.ok(!fits(resetPassword.body, { token, new_password: '8 chars!' }));
});
