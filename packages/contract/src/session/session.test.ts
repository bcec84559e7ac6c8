import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { z } from 'zod';
import { Credentials, listStatuses, NewPassword, resetPassword, sendPasswordReset } from './session.ts';

const fits = (schema: z.ZodType | undefined, value: unknown) => schema?.safeParse(value).success;
const id = 'a'.repeat(26);

test('credentials are two texts, with a device and a second factor if somebody sends them', () => {
  const right = { login_id: 'a', password: 'b' };
  assert.ok(fits(Credentials, right) && fits(Credentials, { ...right, device_id: '', token: '', other: 1 }));
  assert.deepEqual(Credentials.parse({ ...right, roles: ['team_owner'] }), right);
  assert.equal(Credentials.parse({ ...right, password: '  b ' }).password, '  b ', 'a password is taken as typed');
  for (const bad of [
    {},
    null,
    [],
    { login_id: '', password: 'b' },
    { ...right, password: '' },
    { ...right, login_id: ['a'] },
    { ...right, password: { $ne: '' } },
    { ...right, device_id: null },
    { ...right, token: 5 },
    { ...right, password: 'x'.repeat(129) },
    { ...right, login_id: 'x'.repeat(255) },
  ])
    assert.ok(!fits(Credentials, bad), JSON.stringify(bad));
});

test('a chosen password has 8 to 128 characters and no other rule', () => {
  for (const fine of ['8 chars!', 'x'.repeat(128), '        ', 'ääääääää', '12345678'])
    assert.ok(fits(NewPassword, fine), fine);
  for (const bad of ['7 chars', 'x'.repeat(129), '', 'eight\0 x', 12345678, null])
    assert.ok(!fits(NewPassword, bad), String(bad));
});

test('a status call takes up to 100 ids', () => {
  assert.ok(fits(listStatuses.body, []) && fits(listStatuses.body, Array(100).fill(id)));
  for (const bad of [Array(101).fill(id), {}, id, [1], ['x'], [null], undefined])
    assert.ok(!fits(listStatuses.body, bad));
});

test('a reset names one address, and its link one text', () => {
  assert.ok(fits(sendPasswordReset.body, { email: 'A@b.cd' }));
  for (const email of [['a@b.cd', 'e@f.gh'], { a: 'a@b.cd' }, 'a@b.cd,e@f.gh', undefined])
    assert.ok(!fits(sendPasswordReset.body, { email }));
  assert.ok(fits(resetPassword.body, { token: 't', new_password: '8 chars!' }));
  for (const token of ['', 'x'.repeat(201), { $regex: '^a' }, ['t'], undefined])
    assert.ok(!fits(resetPassword.body, { token, new_password: '8 chars!' }));
});
