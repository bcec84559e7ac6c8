import assert from 'node:assert/strict';
import { login } from '@steward/contract/session';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { countAttempts } from '#testing/faults/count-attempts.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { findGeneralChannel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, PASSWORD, type TestTeam, user } from '#testing/workspace/factories.ts';
import { checkLink, createSignUp, finishLink, invitee } from '#testing/workspace/signup.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { memberState } from '#workspace/users/members.store.ts';

let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 8 });
  team = await createTeamWithMembers(node, 'Acme');
});

afterAll(() => node[Symbol.asyncDispose]());

const someone = () => `${newId()}@example.test`;
const signIn = (login_id: string) => call(node, login, { body: { login_id, password: PASSWORD } });

async function refusal() {
  const reply = await finishLink(node, 'A'.repeat(43));
  assert.deepEqual([reply.status, reply.body.id], [400, 'signup.link_invalid']);
  return toComparable(reply);
}

async function getUsers(teamName: string) {
  const { rows } = await sql<{ email: string; state: string; roles: string[] }>`
    select coalesce(m.email, p.email) as email, ${memberState} as state, m.roles
    from teams t join memberships m on m.team_id = t.id left join people p on p.id = m.person_id
    where t.display_name = ${teamName} order by 1`.execute(node.db);
  return rows;
}

describe('finishing a sign-up', () => {
  test('creates the owner, the team with general and the invitations, without signing in', async () => {
    const invitees = [someone(), someone()].toSorted();
    const { token, owner_email, team_name } = await createSignUp(node, { invitees, checked: true });
    const reply = await finishLink(node, token, { first: ' Ame\u0301lie ', last: 'Lovelace' });
    assert.deepEqual([reply.status, reply.body, reply.setCookies], [200, { status_code: 200 }, []]);
    const who = (await signIn(owner_email)).body;
    assert.partialDeepStrictEqual(who, { first_name: 'Amélie', last_name: 'Lovelace', type: 2, account_type: 1 });
    const users = await getUsers(team_name);
    assert.deepEqual(
      users.filter(({ email }) => email === owner_email),
      [{ email: owner_email, state: 'active', roles: ['team_user', 'team_admin', 'team_owner'] }],
    );
    assert.deepEqual(
      users.filter(({ email }) => email !== owner_email),
      invitees.map((email) => ({ email, state: 'invited', roles: ['team_user'] })),
    );
    const row = await node.db
      .selectFrom('signups')
      .selectAll()
      .where('owner_email', '=', owner_email)
      .executeTakeFirst();
    assert.ok(row?.used_at && row.team_id);
    assert.deepEqual(row.invitees, []);
    assert.equal((await findGeneralChannel(node, row.team_id)).type, 'O');
    assert.deepEqual((await auditRows(node, 'signup.finished')).at(-1), {
      team_id: row.team_id,
      actor_id: who.id,
      target: who.id,
      details: { invited: 2 },
    });
    for (const email of invitees)
      assert.match((await node.inbox.next(email)).text, /http:\/\/steward\.test\/signup_confirm\?token=[\w-]{43}\n/);
  });

  test('invites every address once, whether it has an account or not', async () => {
    const [fresh, pending, known] = [someone(), await user(node, { pending: true }), await user(node)];
    const gone = await user(node, { deactivated: true });
    const invitees = [fresh, pending.email, known.email, gone.email];
    const { token, owner_email, team_name } = await createSignUp(node, { invitees, checked: true });
    assert.equal((await finishLink(node, token)).status, 200);
    const came = await getUsers(team_name);
    assert.deepEqual(
      came.filter(({ state }) => state === 'invited').map(({ email }) => email),
      invitees.toSorted(),
    );
    assert.deepEqual(
      came.filter(({ state }) => state !== 'invited').map(({ email }) => email),
      [owner_email],
    );
    await settled(node);
    for (const email of invitees)
      assert.deepEqual(
        node.inbox.waiting(email).map(({ subject }) => subject),
        [`Ada Lovelace invited you to ${team_name} on Steward`],
      );
  });

  test('creates the account of an address that others have invited, and leaves their invitations open', async () => {
    const who = await invitee(node, team.id, { first_name: 'G', last_name: 'H' });
    const { token, team_name } = await createSignUp(node, { owner_email: who.email, checked: true });
    assert.equal((await finishLink(node, token)).status, 200);
    const account = (await signIn(who.email)).body;
    assert.partialDeepStrictEqual(account, { first_name: 'Ada', last_name: 'Lovelace', type: 2 });
    assert.notEqual(account.id, who.id);
    const { rows } = await sql<{ name: string; key: string }>`select t.display_name as name, m.name_key as key
      from memberships m join teams t on t.id = m.team_id where m.person_id in (${who.id}, ${account.id})
      order by cardinality(m.roles)`.execute(node.db);
    assert.deepEqual(rows, [
      { name: 'Acme', key: 'g h' },
      { name: team_name, key: 'ada lovelace' },
    ]);
    assert.equal((await checkLink(node, who.token)).body.mode, '1', 'the invitation waits for them');
  });

  test('ends the owner’s other sign-ups for a team of that name, and no others', async () => {
    const { token, owner_email, team_name } = await createSignUp(node, { checked: true });
    const same = await createSignUp(node, { owner_email, team_name: team_name.toLowerCase(), checked: true });
    const other = await createSignUp(node, { owner_email, checked: true });
    const stranger = await createSignUp(node, { team_name, checked: true });
    assert.equal((await finishLink(node, token)).status, 200);
    assert.deepEqual(toComparable(await finishLink(node, same.token)), await refusal());
    assert.deepEqual(toComparable(await checkLink(node, same.token)), await refusal());
    assert.equal((await checkLink(node, other.token)).body.mode, '1');
    assert.equal((await finishLink(node, stranger.token)).status, 200);
  });

  test('works once, after the check, and only with its own link', async () => {
    const [checked, unchecked] = [await createSignUp(node, { checked: true }), await createSignUp(node)];
    const before = await snapshotTables(node);
    assert.deepEqual(toComparable(await finishLink(node, unchecked.token)), await refusal());
    assert.deepEqual(await snapshotTables(node), before);
    assert.equal((await finishLink(node, checked.token)).status, 200);
    const done = await snapshotTables(node);
    assert.deepEqual(toComparable(await finishLink(node, checked.token)), await refusal());
    assert.deepEqual(toComparable(await finishLink(node, unchecked.token)), await refusal());
    assert.deepEqual(await snapshotTables(node), done);
  });

  test('works until the last minute of its 24 hours', async () => {
    const { token, owner_email } = await createSignUp(node, { checked: true });
    const later = (text: string) =>
      sql`update signups set expires_at = expires_at - ${text}::interval where owner_email = ${owner_email}`.execute(
        node.db,
      );
    await later('23 hours 59 minutes');
    assert.equal((await checkLink(node, token)).status, 200);
    await later('1 minute');
    assert.deepEqual(toComparable(await finishLink(node, token)), await refusal());
    await later('-1 minute');
    assert.equal((await finishLink(node, token)).status, 200);
  });

  test('is refused if the owner has got an account since the check, whose sign-in then creates the team', async () => {
    const owner_email = someone();
    const { token, team_name } = await createSignUp(node, { owner_email, checked: true });
    await user(node, { email: owner_email, team: null });
    const before = await snapshotTables(node);
    assert.deepEqual(
      toComparable(await finishLink(node, token, { password: 'another password', password2: 'another password' })),
      await refusal(),
    );
    assert.deepEqual(await snapshotTables(node), before);
    assert.equal((await checkLink(node, token)).body.mode, '1');
    assert.equal((await signIn(owner_email)).status, 200, 'with their existing password');
    assert.equal((await getUsers(team_name)).length, 1);
  });

  test('removes the lock from failed attempts before there was an account', async () => {
    const { token, owner_email } = await createSignUp(node, { checked: true });
    await countAttempts(node, { name: 'session.login' }, owner_email, 10);
    assert.equal((await finishLink(node, token)).status, 200);
    assert.equal((await signIn(owner_email)).status, 200);
  });
});

describe('the form', () => {
  test('needs two equal passwords that aren’t too common; a mistake doesn’t consume the link', async () => {
    const { token } = await createSignUp(node, { checked: true });
    const ids = async (given: object, of = token) => (await finishLink(node, of, given)).body.id;
    const before = await snapshotTables(node);
    assert.equal(await ids({ password2: `${PASSWORD} ` }), 'signup.passwords_differ');
    assert.equal(await ids({ password2: '' }), 'signup.passwords_differ');
    assert.equal((await finishLink(node, token, { password2: 'x' })).body.message, 'Passwords must be matching. ');
    assert.equal(await ids({ password: 'PassWord1', password2: 'PassWord1' }), 'password.too_common');
    assert.equal(await ids({ password: 'password1', password2: 'x' }), 'signup.passwords_differ');
    for (const bad of ['seven77', 'x'.repeat(129), `${PASSWORD}\0`, 12345678, null, [PASSWORD], { $ne: 1 }])
      assert.equal(await ids({ password: bad, password2: bad }), 'request.invalid', String(bad));
    // A wrong password reveals nothing about the link.
    assert.equal(await ids({ password2: 'x' }, 'A'.repeat(43)), 'signup.passwords_differ');
    assert.equal(await ids({ password: 'password1', password2: 'password1' }, 'A'.repeat(43)), 'password.too_common');
    assert.deepEqual(await snapshotTables(node), before);
    assert.equal((await finishLink(node, token)).status, 200);
  });

  test('needs names that aren’t blank, of at most 100 characters', async () => {
    const { token } = await createSignUp(node, { checked: true });
    for (const field of ['first', 'last'])
      for (const bad of ['', ' \t', 'x'.repeat(101), 'A\0', '\ud800', 7, null, undefined, ['Ada'], { $ne: 1 }]) {
        const { body } = await finishLink(node, token, { [field]: bad });
        assert.equal(body.id, 'request.invalid', `${field}: ${bad}`);
        assert.match(body.message, new RegExp(`^${field}: `));
      }
    const { status } = await finishLink(node, token, {
      first: '<b>{{7*7}}',
      last: 'x'.repeat(100),
      roles: ['zendesk'],
      type: 1,
    });
    assert.equal(status, 200);
  });
});
