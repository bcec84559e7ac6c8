import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listUsers, User, UserForm } from './users.ts';

const right = { email: 'a@b.cd', account_type: 2 };
const fits = (value: unknown) => UserForm.safeParse(value).success;

test('a person’s form keeps its four fields and drops all others', () => {
  const sent = {
    ...right,
    first_name: ' Ann ',
    last_name: '',
    roles: ['team_owner'],
    type: 2,
    id: 'x',
    team_id: 'y',
    delete_at: 1,
  };
  assert.deepEqual(UserForm.parse(sent), { ...right, first_name: 'Ann', last_name: '' });
});

test('address and account type are required, names are not', () => {
  assert.ok(fits(right));
  for (const bad of [
    {},
    { email: 'a@b.cd' },
    { account_type: 1 },
    { ...right, account_type: '2' },
    { ...right, account_type: 0 },
    { ...right, account_type: 3 },
    { ...right, account_type: true },
    { ...right, email: '' },
    { ...right, first_name: null },
    { ...right, last_name: 5 },
    [right],
    'x',
  ])
    assert.ok(!fits(bad), JSON.stringify(bad));
});

test('a name has at most 100 characters that can be stored', () => {
  assert.ok(fits({ ...right, first_name: 'x'.repeat(100), last_name: '<b>&"\u202e' }));
  for (const first_name of ['x'.repeat(101), 'a\0', '\ud800']) assert.ok(!fits({ ...right, first_name }));
});

test('an answer about a person drops what the schema does not name', () => {
  const person = {
    id: 'a'.repeat(26),
    first_name: '',
    last_name: '',
    email: 'a@b.cd',
    status: 'online',
    type: 2,
    roles: ['team_user'],
    account_type: 2,
    last_picture_update: 0,
    create_at: 0,
    update_at: 0,
    delete_at: 0,
    apps: {},
  };
  assert.deepEqual(User.parse({ ...person, password_hash: 'x', token_hash: 'y' }), person);
});

test('the list takes its filters as flags and ignores what it does not know', () => {
  const query = listUsers.query?.parse({
    search: 'a',
    member: '1',
    primary_owner: '0',
    password_hash: 'x',
    limit: '5',
  });
  assert.deepEqual(query, { search: 'a', member: '1', primary_owner: '0', limit: 5 });
});
