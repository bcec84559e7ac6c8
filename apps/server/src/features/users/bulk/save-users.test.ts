import assert from 'node:assert/strict';
import { INVITATIONS_PER_NEW_TEAM } from '@steward/contract/api/limits';
import { listUsers, pickProfile } from '@steward/contract/users';
import { saveUsers } from '@steward/contract/users/multi';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { serviceToken } from '#testing/workspace/content.ts';
import { createTeamWithMembers, join, ROLES, type TestTeam, team, user } from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { listServiceTokens } from '#workspace/access/tokens.store.ts';
import { saveUsersByEmail } from './save-users.actions.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp();
});

afterAll(() => node[Symbol.asyncDispose]());

const anAddress = () => `${newId()}@example.test`;
const saveRows = (of: TestTeam, body: unknown, sent: object = {}) =>
  call(node, saveUsers, { as: of.admin, params: { teamId: of.id }, body, ...sent });

async function find(of: TestTeam, email: string) {
  const query = { search: email, deactivated_accounts: '1' };
  const { body } = await call(node, listUsers, { as: of.owner, params: { teamId: of.id }, query });
  return body.records[0];
}

describe('rows of one call', () => {
  beforeAll(async () => {
    ours = await createTeamWithMembers(node, 'Ours');
  });

  test('new addresses are invited with an email each, whether they have an account or not', async () => {
    const elsewhere = await user(node, { team: await team(node), first_name: 'Own', last_name: 'Name' });
    const [first, second] = [anAddress(), anAddress()];
    const reply = await saveRows(ours, [
      { email: ` ${first.toUpperCase()} `, first_name: ' Ann ', last_name: 'Lee', account_type: 1 },
      { email: second, account_type: 'Team User' },
      { email: elsewhere.email, first_name: 'Typed', last_name: '', account_type: '2' },
    ]);
    assert.deepEqual(reply.body, { status_code: 200, invited: 3, changed: 0, unchanged: 0, errors: [] });
    assert.partialDeepStrictEqual(await find(ours, first), {
      state: 'invited',
      first_name: 'Ann',
      account_type: 1,
      invitation: null,
    });
    assert.partialDeepStrictEqual(await find(ours, elsewhere.email), {
      state: 'invited',
      first_name: 'Typed',
      last_name: '',
      account_type: 2,
    });
    for (const email of [first, second, elsewhere.email]) {
      const mail = await node.inbox.next(email);
      assert.match(mail.text, /signup_confirm\?token=[\w-]{43}\n/);
    }
    const audit = (await auditRows(node, 'users.added_many')).at(-1);
    const ids = await Promise.all([first, second, elsewhere.email].map(async (email) => (await find(ours, email)).id));
    assert.deepEqual([audit?.details.invited_users].flat().toSorted(), ids.sort());
    assert.ok(!JSON.stringify(audit).includes('example.test'), 'no address is stored in the audit log');
  });

  test('a wrong row never stops the others, and comes back as it was sent, in order', async () => {
    const [good, twice] = [anAddress(), anAddress()];
    const long = { email: anAddress(), first_name: 'x'.repeat(101), account_type: 2 };
    const rows = [
      'text',
      null,
      [],
      7,
      {},
      { email: 'no address', account_type: 2, Note: 'kept' },
      { email: good, account_type: 2 },
      { email: twice, account_type: 2 },
      { email: twice.toUpperCase(), account_type: 1, row: 9 },
      long,
      { email: anAddress(), account_type: 3 },
      { email: anAddress(), account_type: 'constructor' },
      { email: anAddress(), first_name: { a: 1 }, account_type: 2 },
      { email: anAddress(), account_type: 'Team Owner' },
      { email: anAddress(), account_type: 'Pending Invitee' },
      { email: anAddress(), first_name: 'a\u0000b', account_type: 2 },
    ];
    const { status, body } = await saveRows(ours, rows);
    assert.equal(status, 200);
    const { errors, ...counts } = body;
    assert.deepEqual(counts, { status_code: 200, invited: 2, changed: 0, unchanged: 0 });
    const wrong = rows.map((row, at) => ({ row, at })).filter(({ at }) => at !== 6 && at !== 7);
    assert.deepEqual(
      errors.map(({ error: _, ...row }: { error: string }) => row),
      wrong.map(({ row, at }) => {
        if (typeof row !== 'object' || row === null || Array.isArray(row)) return { row: at };
        const { first_name, ...rest } = row as { first_name?: unknown };
        return typeof first_name === 'object' ? { ...rest, row: at } : { ...row, row: at };
      }),
    );
    assert.deepEqual(
      errors.map(({ error }: { error: string }) => error),
      [
        ...Array(4).fill('This is not a row of fields.'),
        'Email must be text.',
        'Email is not an email address.',
        'Duplicate email: already used in an earlier row.',
        'First Name must have at most 100 characters.',
        'Account Type must be Team Admin or Team User.',
        'Account Type must be Team Admin or Team User.',
        'First Name must be text.',
        'For a new user, choose Team Admin or Team User as the account type.',
        'For a new user, choose Team Admin or Team User as the account type.',
        'First Name contains a character that cannot be stored.',
      ],
    );
  });

  test('without an account type, users keep theirs and new ones become team users', async () => {
    const [fresh, boss] = [anAddress(), await user(node, { team: ours.id, kind: 'admin' })];
    const { body } = await saveRows(ours, [{ email: fresh }, { email: boss.email, first_name: 'Boss' }]);
    assert.deepEqual([body.invited, body.changed, body.errors], [1, 1, []]);
    assert.equal((await find(ours, fresh)).account_type, 2);
    assert.partialDeepStrictEqual(await find(ours, boss.email), { first_name: 'Boss', account_type: 1 });
    for (const account_type of ['', null])
      assert.equal((await saveRows(ours, [{ email: fresh, account_type }])).body.errors.length, 1);
  });

  test('users who are there already stay as they are if the call only adds, and an empty name alone clears nothing', async () => {
    const named = await user(node, { team: ours.id, kind: 'admin', first_name: 'Ada', last_name: 'Admin' });
    const gone = await user(node, { team: ours.id, deactivated: true });
    const rows = [named, gone, ours.owner, ours.zendesk].map(({ email }) => ({
      email,
      account_type: 2,
      first_name: '',
    }));
    const [fresh, tables] = [anAddress(), await snapshotTables(node)];
    for (const query of [{ if_exists: 'keep' }, { if_exists: 'keep', preview: '1' }]) {
      const { body } = await saveRows(ours, rows, { query });
      assert.partialDeepStrictEqual(body, { invited: 0, changed: 0, unchanged: 4, errors: [] });
      assert.deepEqual(
        body.existing.map(({ id, state }: { id: string; state: string }) => [id, state]),
        [
          [named.id, 'active'],
          [gone.id, 'deactivated'],
          [ours.owner.id, 'active'],
          [ours.zendesk.id, 'active'],
        ],
      );
    }
    assert.deepEqual(await snapshotTables(node), tables);
    const both = [{ email: fresh, account_type: 2 }, rows[0]];
    assert.partialDeepStrictEqual((await saveRows(ours, both, { query: { if_exists: 'keep' } })).body, {
      invited: 1,
      unchanged: 1,
      existing: [{ id: named.id, first_name: 'Ada', last_name: 'Admin' }],
    });
    await saveRows(ours, [{ email: named.email, first_name: '', last_name: 'Byron', account_type: 1 }]);
    assert.partialDeepStrictEqual(await find(ours, named.email), { first_name: 'Ada', last_name: 'Byron' });
    const update = { query: { if_exists: 'update' } };
    await saveRows(ours, [{ email: named.email, first_name: '', account_type: 1 }], update);
    assert.partialDeepStrictEqual(await find(ours, named.email), { first_name: '', last_name: 'Byron' });
  });

  test('names whose letters a file could not store are kept', async () => {
    const zofia = await user(node, { team: ours.id, first_name: 'Žofia 😀', last_name: 'Łęcka' });
    const row = { email: zofia.email, first_name: 'Žofia ??', last_name: '??cka' };
    const { body } = await saveRows(ours, [row], { query: { preview: '1' } });
    assert.deepEqual([body.unchanged, body.preview?.kept_names], [1, 2]);
    assert.equal((await saveRows(ours, [{ ...row, last_name: '?cka' }])).body.changed, 1);
    assert.partialDeepStrictEqual(await find(ours, zofia.email), { first_name: 'Žofia 😀', last_name: '?cka' });
  });

  test('roles and names change where a single save may change them; everything else is an error', async () => {
    const demoted = await user(node, { team: ours.id, kind: 'admin' });
    const promoted = await user(node, { team: ours.id });
    const theirs = await user(node, { team: ours.id, first_name: 'Stays' });
    await join(node, await team(node), theirs.id);
    const gone = await user(node, { team: ours.id, deactivated: true });
    const { owner, admin, zendesk, pending } = ours;
    await serviceToken(node, ours.id, { createdBy: demoted.id });
    const { body } = await saveRows(ours, [
      { email: demoted.email, account_type: 'team user' },
      { email: promoted.email, first_name: 'New', account_type: 1 },
      { email: pending.email, first_name: 'Typed', account_type: 'Pending Invitee' },
      { email: theirs.email, first_name: 'Forced', account_type: 2 },
      { email: gone.email, account_type: 2 },
      { email: owner.email, account_type: 'Team Owner' },
      { email: owner.email.toUpperCase(), account_type: 2 },
      { email: admin.email, account_type: 1 },
      { email: zendesk.email, account_type: 'Zendesk' },
      { email: ours.member.email, account_type: 'Zendesk' },
    ]);
    const { errors, ...counts } = body;
    assert.deepEqual(counts, { status_code: 200, invited: 0, changed: 3, unchanged: 3 });
    assert.deepEqual(
      errors.map(({ email, error }: { email: string; error: string }) => [email, error]),
      [
        [theirs.email, 'This person is also in other teams, so you can only change their account type.'],
        [gone.email, 'This person is deactivated.'],
        [owner.email.toUpperCase(), 'Duplicate email: already used in an earlier row.'],
        [ours.member.email, 'Only the integration adds Zendesk users.'],
      ],
    );
    assert.ok((await listServiceTokens(node.db, ours.id)).every(({ stopped_at }) => stopped_at > 0));
    assert.equal((await find(ours, demoted.email)).account_type, 2);
    assert.partialDeepStrictEqual(await find(ours, promoted.email), { account_type: 1, first_name: 'New' });
    assert.partialDeepStrictEqual(await find(ours, pending.email), { account_type: 2, first_name: 'Typed' });
    assert.deepEqual((await auditRows(node, 'users.added_many')).at(-1)?.details, {
      invited_users: [],
      made_admins: [promoted.id],
      made_users: [demoted.id],
      renamed_users: [promoted.id, pending.id],
    });
  });

  test('a preview answers the same and writes nothing', async () => {
    const rows = [
      { email: anAddress(), account_type: 2 },
      { email: ours.member.email, first_name: 'Other', account_type: 1 },
      { email: ours.owner.email, account_type: 1 },
      { email: 'x', account_type: 1 },
    ];
    const stored = pickProfile(await find(ours, ours.member.email));
    const tables = await snapshotTables(node);
    const { body } = await saveRows(ours, rows, { query: { preview: '1' } });
    const { preview, ...answer } = body;
    assert.deepEqual(await snapshotTables(node), tables);
    assert.deepEqual(preview, {
      outcomes: ['invited', 'changed', 'unchanged', 'failed'],
      before: [{ ...stored, row: 1, account_type: 2, ends_on: null }],
      kept_names: 0,
    });
    assert.deepEqual((await saveRows(ours, rows)).body, answer);
  });

  test('the number of rows is limited, and there must be one', async () => {
    const row = { email: 'x', account_type: 2 };
    for (const body of [[], Array(2001).fill(row), {}, 'x', null])
      assert.equal((await saveRows(ours, body)).status, 400, JSON.stringify(body)?.slice(0, 20));
  });

  test('deeply nested rows are errors, answered without their nested parts', async () => {
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const text = `[{"email": "x", "account_type": 2, "more": ${nested}}, ${nested}, {"__proto__": {"a": 1}, "note": "n"}]`;
    for (const more of [{}, { 'idempotency-key': newId() }]) {
      const headers = { 'content-type': 'application/json', ...more };
      const reply = await call(node, saveUsers, { as: ours.admin, params: { teamId: ours.id }, text, headers });
      assert.ok(reply.status < 500, reply.text.slice(0, 200));
    }
  });
});

test('equal concurrent calls on several nodes, in opposite orders, never deadlock and invite each address once', async () => {
  const both = await createTeamWithMembers(node);
  const invited = Array.from({ length: 300 }, (_, at) => ({ email: `same-${at}@example.test`, account_type: 2 }));
  const members = await Promise.all(Array.from({ length: 30 }, () => user(node, { team: both.id })));
  const rows = [...invited, ...members.map(({ email }) => ({ email, account_type: 1 }))];
  const caller = { userId: both.owner.id, roles: ROLES.owner };
  // The test avoids the call: a node processes only one at a time.
  const add = (these: object[]) =>
    node.db.transaction().execute((trx) => saveUsersByEmail(trx, node.deps, { teamId: both.id, caller, rows: these }));
  const answers = (await Promise.all([add(rows), add(rows.toReversed()), add(rows)])).map(({ answer }) => answer);
  const sum = (key: 'invited' | 'changed' | 'unchanged') => answers.reduce((total, counts) => total + counts[key], 0);
  assert.deepEqual([sum('invited'), sum('changed'), sum('unchanged')], [300, 30, 660]);
});

test('the same addresses invited by two teams concurrently, in opposite orders, never deadlock', async () => {
  const teams = await Promise.all([createTeamWithMembers(node), createTeamWithMembers(node)]);
  const rows = Array.from({ length: 100 }, () => ({ email: anAddress(), account_type: 2 }));
  const changes = await Promise.all(
    teams.map(({ id: teamId, owner }, at) => {
      const caller = { userId: owner.id, roles: ROLES.owner };
      const these = at === 0 ? rows : rows.toReversed();
      return inTransaction(node.db, (trx) => saveUsersByEmail(trx, node.deps, { teamId, caller, rows: these }));
    }),
  );
  assert.deepEqual(
    changes.map(({ answer }) => answer.invited),
    [100, 100],
  );
});

test('beyond the daily limit of the team, the last rows are invited without an email', async () => {
  const fresh = await createTeamWithMembers(node);
  const rows = Array.from({ length: INVITATIONS_PER_NEW_TEAM + 5 }, () => ({ email: anAddress(), account_type: 2 }));
  await sql`update teams set create_at = ${Date.now()} where id = ${fresh.id}`.execute(node.db);
  const { body } = await saveRows(fresh, rows);
  assert.deepEqual(body, { status_code: 200, invited: rows.length, changed: 0, unchanged: 0, errors: [] });
  const { rows: limited } = await sql<{ email: string }>`select email from memberships
    where team_id = ${fresh.id} and invitation_limited`.execute(node.db);
  const last = rows.slice(INVITATIONS_PER_NEW_TEAM).map(({ email }) => email);
  assert.deepEqual(limited.map(({ email }) => email).sort(), last.sort());
});
