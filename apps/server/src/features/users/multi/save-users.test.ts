import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { listUsers, pickProfile } from '@steward/contract/users';
import { saveUsers } from '@steward/contract/users/multi';
import { newId } from '#platform/database/ids.ts';
import { call, type Sending } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { createTeamWithMembers, join, team as newTeam, person, type TestTeam } from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let ours: TestTeam;

before(async () => {
  node = await startApp({ pool: 6 });
  ours = await createTeamWithMembers(node);
});

after(() => node[Symbol.asyncDispose]());

const save = (body: unknown, more: Sending = {}, as = ours.admin) =>
  call(node, saveUsers, { as, params: { teamId: ours.id }, body, ...more });
const anAddress = () => `${newId()}@example.test`;
const find = async (search: string) =>
  (await call(node, listUsers, { as: ours.owner, params: { teamId: ours.id }, query: { search } })).body.records[0];

describe('adding many users', () => {
  test('invites, changes and leaves alone, and a bad row stops no other', async () => {
    const [fresh, known] = [anAddress(), await person(node)];
    const max = await person(node, { team: ours.id, first_name: 'Max', last_name: 'M' });
    const same = await person(node, { team: ours.id, first_name: 'Same', last_name: 'S' });
    const gone = await person(node, { team: ours.id, deactivated: true });
    const elsewhere = await person(node, { team: ours.id, first_name: 'Own' });
    await join(node, await newTeam(node), elsewhere.id);
    const rows = [
      { email: fresh, first_name: 'Ann', last_name: 'Lee', account_type: 2 },
      { email: known.email, account_type: 'Team Admin' },
      { email: max.email.toUpperCase(), first_name: 'Maximilian', account_type: 1 },
      { email: same.email, first_name: 'Same', last_name: 'S', account_type: 'Team User' },
      { email: ours.owner.email, account_type: 'Team Owner' },
      { email: ours.zendesk.email, account_type: 'Zendesk' },
      { email: ours.pending.email, account_type: 'Pending Invitee' },
    ];
    const bad: [unknown, string][] = [
      [{ email: 'no address', account_type: 2, note: 'kept' }, 'email: is not an email address'],
      [{ email: anAddress(), account_type: 3 }, 'account_type: must be Team Admin or Team User'],
      [{ email: anAddress(), account_type: 'Pending Invitee' }, 'account_type: must be Team Admin or Team User'],
      [{ email: fresh, account_type: 2 }, 'email: is in an earlier row'],
      [{ email: gone.email, account_type: 2 }, 'This person is deactivated.'],
      [{ email: ours.owner.email, account_type: 2 }, 'email: is in an earlier row'],
      [{ email: ours.admin.email, account_type: 2 }, 'To change your own account, use My account.'],
      [
        { email: elsewhere.email, first_name: 'Theirs', account_type: 2 },
        'This person is also in other teams, so you can only change their account type.',
      ],
      [
        { email: anAddress(), first_name: 'x'.repeat(101), account_type: 2 },
        'first_name: must have at most 100 characters',
      ],
    ];
    const { status, body } = await save([...rows, ...bad.map(([row]) => row)]);
    assert.equal(status, 200);
    const errors = bad.map(([row, error], at) => ({ ...(row as object), error, row: rows.length + at }));
    assert.deepEqual(body, { status_code: 200, invited: 2, changed: 1, unchanged: 4, errors });
    assert.partialDeepStrictEqual(await find(fresh), { state: 'invited', first_name: 'Ann', account_type: 2 });
    assert.partialDeepStrictEqual(await find(known.email), { state: 'invited', first_name: '', account_type: 1 });
    assert.partialDeepStrictEqual(await find(max.email), { first_name: 'Maximilian', last_name: 'M', account_type: 1 });
    assert.deepEqual((await find(ours.owner.email)).roles, ['team_user', 'team_admin', 'team_owner']);
    await settled(node);
    for (const email of [fresh, known.email]) assert.equal(node.inbox.waiting(email).length, 1);
    const [audit] = (await auditRows(node, 'users.added_many')).slice(-1);
    assert.deepEqual(audit, {
      team_id: ours.id,
      actor_id: ours.admin.id,
      target: ours.id,
      details: {
        invited_users: [(await find(fresh)).id, (await find(known.email)).id].sort(),
        made_admins: [max.id],
        made_users: [],
        renamed_users: [max.id],
      },
    });
  });

  test('as a preview gives the same answer and changes nothing', async () => {
    const rows = [{ email: anAddress(), account_type: 2 }, { email: ours.member.email, account_type: 1 }, 'x'];
    const before = await snapshotTables(node);
    const preview = await save(rows, { query: { preview: '1' } });
    assert.deepEqual(await snapshotTables(node), before);
    const { preview: told, ...answer } = preview.body;
    assert.deepEqual(told?.outcomes, ['invited', 'changed', 'failed']);
    assert.deepEqual((await save(rows)).body, answer);
    await save([{ email: ours.member.email, account_type: 2 }]);
  });

  test('as a preview tells what would change, of the first 100', async () => {
    const ada = await person(node, { team: ours.id, first_name: 'Ada', last_name: 'Byron' });
    const rows = [
      { email: ours.member.email },
      { email: anAddress() },
      { email: ada.email.toUpperCase(), last_name: 'Lovelace' },
      { email: ours.pending.email, account_type: 1 },
    ];
    const { body } = await save(rows, { query: { preview: '1' } });
    assert.deepEqual(body.preview, {
      outcomes: ['unchanged', 'invited', 'changed', 'changed'],
      before: [
        { row: 2, first_name: 'Ada', last_name: 'Byron', account_type: 2 },
        { row: 3, ...pickProfile(await find(ours.pending.email)), account_type: 2 },
      ],
      kept_names: 0,
    });
    const many = await Promise.all(Array.from({ length: 101 }, () => person(node, { team: ours.id })));
    const admins = many.map(({ email }) => ({ email, account_type: 1 }));
    const { preview } = (await save(admins, { query: { preview: '1' } })).body;
    assert.equal(preview?.before.length, 100);
    assert.deepEqual(new Set(preview?.outcomes), new Set(['changed']));
  });

  test('without an account type leaves users theirs and makes new ones team users', async () => {
    const [fresh, boss] = [anAddress(), await person(node, { team: ours.id, kind: 'admin' })];
    const { body } = await save([{ email: fresh }, { email: boss.email, first_name: 'Boss' }]);
    assert.deepEqual([body.invited, body.changed, body.errors], [1, 1, []]);
    assert.equal((await find(fresh)).account_type, 2);
    assert.partialDeepStrictEqual(await find(boss.email), { first_name: 'Boss', account_type: 1 });
    const errors = (
      await save([
        { email: fresh, account_type: '' },
        { email: fresh, account_type: null },
      ])
    ).body.errors;
    assert.equal(errors.length, 2);
  });

  test('keeps names whose letters a file could not store', async () => {
    const zofia = await person(node, { team: ours.id, first_name: 'Žofia 😀', last_name: 'Łęcka' });
    const row = { email: zofia.email, first_name: 'Žofia ??', last_name: '??cka' };
    const { body } = await save([row], { query: { preview: '1' } });
    assert.deepEqual([body.unchanged, body.preview?.kept_names], [1, 2]);
    assert.equal((await save([{ ...row, last_name: '?cka' }])).body.changed, 1);
    assert.partialDeepStrictEqual(await find(zofia.email), { first_name: 'Žofia 😀', last_name: '?cka' });
  });

  test('is repeated safely, and rows that match change nothing', async () => {
    const rows = [{ email: anAddress(), account_type: 2 }];
    const headers = { 'idempotency-key': newId() };
    const first = await save(rows, { headers });
    assert.deepEqual((await save(rows, { headers })).body, first.body);
    const before = await snapshotTables(node);
    assert.deepEqual((await save(rows)).body, { status_code: 200, invited: 0, changed: 0, unchanged: 1, errors: [] });
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('takes 1 to 2,000 rows in a list', async () => {
    const before = await snapshotTables(node);
    for (const body of [[], {}, null, 'x', Array.from({ length: 2_001 }, () => ({}))])
      assert.equal((await save(body)).body.id, 'request.invalid');
    assert.deepEqual(await snapshotTables(node), before);
    const { body } = await save(Array.from({ length: 2_000 }, () => ({ email: ours.owner.email, account_type: 1 })));
    assert.deepEqual([body.unchanged, body.errors.length], [1, 1_999]);
  });

  test('answers deeply nested rows without their nested parts', async () => {
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const text = `[{"email": "x", "account_type": 2, "more": ${nested}}, ${nested}, {"__proto__": {"a": 1}, "note": "n"}]`;
    const headers = { 'content-type': 'application/json', 'idempotency-key': newId() };
    for (const more of [{}, { 'idempotency-key': '' }]) {
      const sent = { ...headers, ...more };
      if (sent['idempotency-key'] === '') Reflect.deleteProperty(sent, 'idempotency-key');
      const reply = await call(node, saveUsers, { as: ours.admin, params: { teamId: ours.id }, text, headers: sent });
      assert.ok(reply.status < 500, reply.text.slice(0, 200));
    }
  });

  test('of the same addresses at once by two teams never deadlocks', { timeout: 60_000 }, async () => {
    const theirs = await createTeamWithMembers(node);
    const rows = Array.from({ length: 60 }, () => ({ email: anAddress(), account_type: 2 }));
    const replies = await Promise.all([
      save(rows),
      call(node, saveUsers, { as: theirs.owner, params: { teamId: theirs.id }, body: rows.toReversed() }),
      save(rows.toReversed(), {}, ours.owner),
    ]);
    for (const { status, text } of replies) assert.equal(status, 200, text);
    assert.equal(replies[1]?.body.invited, 60);
    assert.equal(replies[0]?.body.invited + replies[2]?.body.invited, 60);
  });
});
