import assert from 'node:assert/strict';
import { brotliDecompressSync } from 'node:zlib';
import { API_BASE } from '@steward/contract/api/endpoint';
import { type ListedUser, listUsers, mapProfile } from '@steward/contract/users';
import { toAccountType } from '@steward/contract/users/roles';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { ROLES, type SignedInUser, signedIn, team, type UserOptions, user } from '#testing/workspace/factories.ts';
import { getAbilities } from '../users.policy.ts';

// These tests compare the records of the list with the rows of its tables.

const NAMES = [
  '"quoted" \\ back/slash',
  'tab\tand\nnewline',
  '\u0001\u001f\u2028',
  'Zoë Ñandú',
  '漢字 かな',
  '👩‍👩‍👧 😀',
  '‮rtl',
  '{"a":1}',
];
const KINDS: UserOptions[] = [
  ...NAMES.map((name) => ({ first_name: name, last_name: name })),
  { kind: 'owner' },
  { kind: 'admin' },
  { kind: 'zendesk' },
  { pending: true, first_name: 'Pia "', last_name: '漢' },
  { pending: true, first_name: '', last_name: '', kind: 'admin' },
  { deactivated: true, kind: 'admin' },
  { first_name: '', last_name: '' },
];

let node: TestApp;
let teamId: string;
let owner: SignedInUser;

beforeAll(async () => {
  node = await startApp({ work: false });
  teamId = await team(node);
  owner = await signedIn(node, { team: teamId, kind: 'owner' });
  const added = [];
  for (const options of KINDS) added.push(await user(node, { team: teamId, ...options }));
  const [first, second, third] = added as [SignedInUser, SignedInUser, SignedInUser];
  // These are the largest exact integer of JavaScript, times, apps, and a chosen presence.
  await sql`update people set create_at = 9007199254740991, update_at = 1, apps = '{"chat": true, "no\\"tes": false}'
    where id = ${first.id}`.execute(node.db);
  await sql`update memberships set last_active_at = 1700000000001, invited_at = 1600000000001
    where person_id in (${first.id}, ${second.id})`.execute(node.db);
  await sql`insert into presence (person_id, status, manual, last_activity_at) values
    (${second.id}, 'dnd', true, 0), (${third.id}, 'offline', false, ${Date.now()})`.execute(node.db);
  await sql`update memberships set invitation_limited = true where team_id = ${teamId} and email is not null`.execute(
    node.db,
  );
});

afterAll(() => node[Symbol.asyncDispose]());

async function listAll(query: Record<string, string>): Promise<{ body: unknown; records: ListedUser[] }> {
  const { status, body, text } = await call(node, listUsers, {
    as: owner,
    params: { teamId },
    query: { deactivated_accounts: '1', ...query },
  });
  assert.equal(status, 200, text);
  return { body, records: body.records };
}

/** The expected records, from plain columns. */
async function expectedUsers(): Promise<Omit<ListedUser, 'status'>[]> {
  const members = await node.db.selectFrom('memberships').selectAll().where('team_id', '=', teamId).execute();
  const users = await node.db.selectFrom('people').selectAll().execute();
  return members.map((member) => {
    const account = users.find(({ id }) => id === member.person_id);
    const roles =
      ROLES[
        Object.keys(ROLES).find(
          (kind) => ROLES[kind as keyof typeof ROLES].join() === member.roles.join(),
        ) as keyof typeof ROLES
      ];
    const isInvited = member.email !== null;
    const state = isInvited ? 'invited' : member.deactivated ? 'deactivated' : 'active';
    return {
      id: member.person_id,
      ...mapProfile((name) => member[name] ?? account?.[name] ?? ''),
      email: member.email ?? account?.email ?? '',
      type: isInvited ? 1 : 2,
      roles: [...roles],
      account_type: toAccountType(roles),
      last_picture_update: account?.last_picture_update ?? member.create_at,
      create_at: account?.create_at ?? member.create_at,
      update_at: account?.update_at ?? member.create_at,
      delete_at: member.deactivated_at ?? 0,
      apps: (account?.apps ?? {}) as Record<string, boolean>,
      state,
      joined_at: isInvited ? null : member.create_at,
      invited_at: member.invited_at,
      last_active_at: member.last_active_at,
      ends_on: null,
      invitation: member.invitation_limited ? 'limited' : null,
      ...getAbilities({ id: member.person_id, roles, state }, { userId: owner.id, roles: ROLES.owner }),
    } satisfies Omit<ListedUser, 'status'>;
  });
}

test('every record is what the tables hold, to the last character and digit, in every order and by search', async () => {
  const expected = new Map((await expectedUsers()).map((user) => [user.id, user]));
  const page = [{ sort: 'name' }, { sort: 'joined' }, { sort: 'last_active', order: 'desc' }, { search: '@' }];
  for (const query of [...page, ...page.map((one) => ({ ...one, limit: '2000' }))] as Record<string, string>[]) {
    const { records } = await listAll(query);
    assert.equal(records.length, KINDS.length + 1);
    for (const { status: _, ...record } of records) assert.deepEqual(record, expected.get(record.id));
  }
});

test('a large page is what a small one is', async () => {
  for (const query of [{}, { sort: 'last_active' }, { inactive_days: '1', sort: 'last_active' }, { pending: '1' }])
    assert.deepEqual(
      (await listAll({ ...query, limit: '2000' } as Record<string, string>)).body,
      (await listAll(query as Record<string, string>)).body,
    );
});

test('presence is the one that a person chose, or follows from their last activity', async () => {
  const { records } = await listAll({});
  const getStatus = (name: string | undefined) => records.find(({ first_name }) => first_name === name)?.status;
  assert.deepEqual([getStatus(NAMES[0]), getStatus(NAMES[1]), getStatus(NAMES[2])], ['offline', 'dnd', 'online']);
});

test('no record has a field that the contract lacks, and none lacks one', async () => {
  for (const query of [{}, { sort: 'joined' }, { search: '@' }, { limit: '2' }, { pending: '1', primary_owner: '1' }]) {
    const { body } = await listAll(query as Record<string, string>);
    assert.deepEqual(listUsers.answer.parse(body), body);
    const large = await listAll({ ...(query as Record<string, string>), limit: '2000' });
    assert.deepEqual(listUsers.answer.parse(large.body), large.body);
  }
});

test('a compressed page is the same', async () => {
  const url = `${API_BASE}${listUsers.path.replace(':teamId', teamId)}?deactivated_accounts=1`;
  const { rawPayload, headers } = await node.app.inject({
    url,
    headers: { cookie: owner.cookie, 'accept-encoding': 'br' },
  });
  assert.equal(headers['content-encoding'], 'br');
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  assert.deepEqual(JSON.parse(brotliDecompressSync(rawPayload).toString()).records, (await listAll({})).records);
});
