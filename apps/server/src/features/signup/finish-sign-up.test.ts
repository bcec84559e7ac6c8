import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { login } from '@steward/contract/session';
import { sql } from 'kysely';
import { newId } from '#platform/database/ids.ts';
import { call, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { channel, findGeneralChannel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, PASSWORD, person, type TestTeam } from '#testing/workspace/factories.ts';
import { checkLink, createSignUp, finishLink, invitee } from '#testing/workspace/signup.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let team: TestTeam;

before(async () => {
  node = await startApp({ pool: 8 });
  team = await createTeamWithMembers(node, 'Acme');
});

after(() => node[Symbol.asyncDispose]());

const someone = () => `${newId()}@example.test`;
const signIn = (login_id: string) => call(node, login, { body: { login_id, password: PASSWORD } });

async function refusal() {
  const reply = await finishLink(node, 'A'.repeat(43));
  assert.deepEqual([reply.status, reply.body.id], [400, 'signup.link_invalid']);
  return toComparable(reply);
}

async function getPeople(teamName: string) {
  const { rows } = await sql<{ email: string; type: number; roles: string[] }>`select p.email, p.type, m.roles
    from teams t join memberships m on m.team_id = t.id join people p on p.id = m.person_id
    where t.display_name = ${teamName} order by p.email`.execute(node.db);
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
    const people = await getPeople(team_name);
    assert.deepEqual(
      people.filter(({ email }) => email === owner_email),
      [{ email: owner_email, type: 2, roles: ['team_user', 'team_admin', 'team_owner'] }],
    );
    assert.deepEqual(
      people.filter(({ email }) => email !== owner_email),
      invitees.map((email) => ({ email, type: 1, roles: ['team_user'] })),
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

  test('adds existing accounts to the team, emails every invitee once, and skips accounts that can’t sign in', async () => {
    const [fresh, pending, known] = [someone(), await person(node, { pending: true }), await person(node)];
    const outside = [
      await person(node, { deactivated: true }),
      team.zendesk,
      await person(node, { pending: true, deactivated: true }),
    ];
    const invitees = [fresh, ...[pending, known, ...outside].map(({ email }) => email)];
    const { token, owner_email, team_name } = await createSignUp(node, { invitees, checked: true });
    assert.equal((await finishLink(node, token)).status, 200);
    const came = (await getPeople(team_name)).map(({ email }) => email);
    assert.deepEqual(came, [owner_email, fresh, pending.email, known.email].toSorted());
    assert.deepEqual((await auditRows(node, 'signup.finished')).at(-1)?.details, { invited: 3 });
    await settled(node);
    const subjects = (email: string) => node.inbox.waiting(email).map(({ subject }) => subject);
    for (const email of [fresh, pending.email])
      assert.deepEqual(subjects(email), [`Ada Lovelace invited you to ${team_name} on Steward`]);
    assert.deepEqual(subjects(known.email), [`You've been added to ${team_name} on Steward`]);
    for (const { email } of outside) assert.deepEqual(subjects(email), []);
  });

  test('turns a pending invitee into an account, in the default channels of the team that invited them', async () => {
    const who = await invitee(node, team.id, { first_name: 'G', last_name: 'H' });
    const [open, archived] = [await channel(node, team.id), await channel(node, team.id, { deleteAt: 9 })];
    for (const { id, name } of [open, archived])
      await sql`insert into default_channels values (${team.id}, ${id}, ${name})`.execute(node.db);
    const { token, team_name } = await createSignUp(node, { owner_email: who.email, checked: true });
    assert.equal((await finishLink(node, token)).status, 200);
    const account = (await signIn(who.email)).body;
    assert.partialDeepStrictEqual(account, { id: who.id, first_name: 'Ada', last_name: 'Lovelace', type: 2 });
    const joined = await node.db
      .selectFrom('channel_members')
      .select('channel_id')
      .where('person_id', '=', who.id)
      .execute();
    assert.deepEqual(joined, [{ channel_id: open.id }]);
    const { rows } = await sql<{ name: string; key: string; roles: string[] }>`select t.display_name as name,
      m.name_key as key, m.roles from memberships m join teams t on t.id = m.team_id where m.person_id = ${who.id}
      order by cardinality(m.roles)`.execute(node.db);
    assert.deepEqual(rows, [
      { name: 'Acme', key: 'ada lovelace', roles: ['team_user'] },
      { name: team_name, key: 'ada lovelace', roles: ['team_user', 'team_admin', 'team_owner'] },
    ]);
    assert.deepEqual(
      toComparable(await checkLink(node, who.token)),
      await refusal(),
      'the invitation can’t be used any longer',
    );
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

  test('is refused if the owner has got an account since the check, which then creates the team', async () => {
    const owner_email = someone();
    const { token, team_name } = await createSignUp(node, { owner_email, checked: true });
    await person(node, { email: owner_email });
    const before = await snapshotTables(node);
    assert.deepEqual(
      toComparable(await finishLink(node, token, { password: 'another password', password2: 'another password' })),
      await refusal(),
    );
    assert.deepEqual(await snapshotTables(node), before);
    assert.equal((await checkLink(node, token)).body.mode, '1');
    assert.equal((await getPeople(team_name)).length, 1);
    assert.equal((await signIn(owner_email)).status, 200, 'with their existing password');
  });

  test('removes the lock from failed attempts before there was an account', async () => {
    const { token, owner_email } = await createSignUp(node, { checked: true });
    for (let nth = 0; nth < 11; nth += 1)
      await call(node, login, { body: { login_id: owner_email, password: 'a wrong guess' } });
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
