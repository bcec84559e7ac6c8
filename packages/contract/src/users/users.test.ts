import assert from 'node:assert/strict';
import { test } from 'vitest';
import { listUsers, User, UserForm } from './users.ts';

const valid = { email: 'a@b.cd', account_type: 2 };
const fits = (value: unknown) => UserForm.safeParse(value).success;

test('the form keeps its four fields and drops all others', () => {
  const sent = {
    ...valid,
    first_name: ' Ann ',
    last_name: '',
    roles: ['team_owner'],
    type: 2,
    id: 'x',
    team_id: 'y',
    delete_at: 1,
  };
  assert.deepEqual(UserForm.parse(sent), { ...valid, first_name: 'Ann', last_name: '' });
});

test('email and account type are required, names are optional', () => {
  assert.ok(fits(valid));
  for (const bad of [
    {},
    { email: 'a@b.cd' },
    { account_type: 1 },
    { ...valid, account_type: '2' },
    { ...valid, account_type: 0 },
    { ...valid, account_type: 3 },
    { ...valid, account_type: true },
    { ...valid, email: '' },
    { ...valid, first_name: null },
    { ...valid, last_name: 5 },
    [valid],
    'x',
  ])
    assert.ok(!fits(bad), JSON.stringify(bad));
});

test('a name has at most 100 characters, and only ones that can be stored', () => {
  assert.ok(fits({ ...valid, first_name: 'x'.repeat(100), last_name: '<b>&"\u202e' }));
  for (const first_name of ['x'.repeat(101), 'a\0', '\ud800']) assert.ok(!fits({ ...valid, first_name }));
});

test('a response drops fields that the schema does not have', () => {
  const person = { id: 'a'.repeat(26), email: 'a@b.cd' };
  assert.deepEqual(User.partial().parse({ ...person, password_hash: 'x', token_hash: 'y' }), person);
});

test('the list has its filters as flags and ignores unknown parameters', () => {
  const query = listUsers.query?.parse({
    search: 'a',
    member: '1',
    primary_owner: '0',
    password_hash: 'x',
    limit: '5',
  });
  assert.deepEqual(query, { search: 'a', member: '1', primary_owner: '0', limit: 5 });
});
