import assert from 'node:assert/strict';
import { saveProfile } from '@steward/contract/account';
import { getMe } from '@steward/contract/session';
import { listTeams } from '@steward/contract/session/teams';
import { listUsers, mapProfile, pickProfile, saveUser } from '@steward/contract/users';
import { saveUsers } from '@steward/contract/users/multi';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { serviceToken } from '#testing/workspace/content.ts';
import { createTeamWithMembers, join, signIn, type TestTeam, team, user } from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp();
  ours = await createTeamWithMembers(node, 'Ours & <b>Theirs</b>');
});

afterAll(() => node[Symbol.asyncDispose]());

const save = (body: object, as = ours.admin) => call(node, saveUser, { as, params: { teamId: ours.id }, body });
const anAddress = () => `${newId()}@example.test`;

async function find(email: string) {
  const query = { search: email, deactivated_accounts: '1' };
  const { body } = await call(node, listUsers, { as: ours.owner, params: { teamId: ours.id }, query });
  return body.records[0];
}

const lastAudit = async (action: string) => (await auditRows(node, action)).at(-1);

describe('adding a user', () => {
  test('an unknown address becomes a pending invitee who gets an email with a link', async () => {
    const email = anAddress();
    const reply = await save({ email, first_name: ' Ann ', last_name: 'Lee', account_type: 1 });
    assert.deepEqual([reply.status, reply.body], [200, { status_code: 200 }]);
    const row = await find(email);
    assert.partialDeepStrictEqual(row, { first_name: 'Ann', last_name: 'Lee', type: 1, account_type: 1, email });
    const mail = await node.inbox.next(email);
    assert.match(mail.text, /http:\/\/steward\.test\/signup_confirm\?token=[\w-]{43}\n/);
    assert.match(mail.subject, /^Some Body invited you to Ours & <b>Theirs<\/b> on Steward$/);
    assert.match(mail.text, /expires on \w+ \d+, \d{4} at .* UTC and can be used once/);
    const details = { account_type: 1 };
    assert.deepEqual(await lastAudit('users.invited'), {
      team_id: ours.id,
      actor_id: ours.admin.id,
      target: row.id,
      details,
    });
  });

  test('markup in a team name is escaped in the email, and the subject is one line', async () => {
    const email = anAddress();
    await save({ email, account_type: 2 });
    const mail = await node.inbox.next(email);
    assert.ok(mail.text.includes('“Ours & <b>Theirs</b>”'));
    assert.ok(!mail.html.includes('<b>Theirs'), mail.html);
    assert.ok(mail.html.includes('&#60;b&#62;Theirs&#60;/b&#62;'));

    const odd = await createTeamWithMembers(node, 'Line\r\nBcc: evil@example.test <img src="http://evil.example/x">');
    const other = anAddress();
    await call(node, saveUser, { as: odd.owner, params: { teamId: odd.id }, body: { email: other, account_type: 2 } });
    const second = await node.inbox.next(other);
    assert.doesNotMatch(second.subject, /[\r\n]/);
    assert.doesNotMatch(second.html, /<img/);
  });

  test('an address with an account is invited too, and the team sees what it typed', async () => {
    const who = await user(node, { first_name: 'Own', last_name: 'Name' });
    assert.equal((await save({ email: who.email, account_type: 2, first_name: 'Typed' })).status, 200);
    const row = await find(who.email);
    assert.partialDeepStrictEqual(row, { first_name: 'Typed', last_name: '', type: 1, state: 'invited' });
    assert.notEqual(row.id, who.id);
    const mail = await node.inbox.next(who.email);
    assert.match(mail.subject, /^Some Body invited you to /);
    assert.match(mail.text, /http:\/\/steward\.test\/signup_confirm\?token=/);
    assert.match(
      mail.text,
      /admins of the team can see where you are signed in, sign you out, and send you a password reset/,
    );
    const teams = (await call(node, listTeams, { as: await signIn(node, who), params: { userId: who.id } })).body;
    assert.equal(teams.length, 1);
  });

  test('a pending invitee of another team is invited to this team as well', async () => {
    const who = await user(node, { team: await team(node), pending: true });
    assert.equal((await save({ email: who.email, account_type: 2 })).status, 200);
    assert.match((await node.inbox.next(who.email)).text, /token=/);
    assert.equal((await find(who.email)).type, 1);
  });

  test('an address is one account in any case and with surrounding blanks', async () => {
    const email = anAddress();
    await save({ email, account_type: 2 });
    assert.equal((await save({ email: ` ${email.toUpperCase()} `, account_type: 1 })).status, 200);
    const rows = await node.db
      .selectFrom('memberships')
      .select('person_id')
      .where(sql`lower(email)`, '=', email)
      .execute();
    assert.equal(rows.length, 1);
    assert.equal((await find(email)).account_type, 1);
  });

  test('an address that two admins invite concurrently is one account', async () => {
    const email = anAddress();
    await using second = await startApp({ beside: node, work: false });
    const body = { email, account_type: 2 };
    const replies = await Promise.all(
      [node, second, node, second].map((on) =>
        call(on, saveUser, { as: ours.admin, params: { teamId: ours.id }, body }),
      ),
    );
    for (const reply of replies) assert.ok([200, 409].includes(reply.status), reply.text);
    assert.ok(replies.some((reply) => reply.status === 200));
    const rows = await node.db.selectFrom('memberships').select('person_id').where('email', '=', email).execute();
    assert.equal(rows.length, 1);
  });

  test('a person who is deactivated in the team is not invited; one who is in another team is', async () => {
    const gone = await user(node, { team: ours.id, deactivated: true });
    assert.equal((await save({ email: gone.email, account_type: 2 })).body.id, 'users.deactivated');
    const elsewhere = await user(node, { deactivated: true });
    assert.equal((await save({ email: elsewhere.email, account_type: 2 })).status, 200);
    assert.equal((await find(elsewhere.email)).state, 'invited');
  });
});

describe('adding an address that the team has already', () => {
  const keep = (email: string) => save({ email, account_type: 2, first_name: '', last_name: '', if_exists: 'keep' });

  test('changes nothing and answers who it is, whatever their role and state', async () => {
    const admin = await user(node, { team: ours.id, kind: 'admin', first_name: 'Ada', last_name: 'Admin' });
    await serviceToken(node, ours.id, { createdBy: admin.id });
    const gone = await user(node, { team: ours.id, deactivated: true });
    const owner = await user(node, { team: ours.id, kind: 'owner' });
    const invited = await user(node, { team: ours.id, pending: true });
    const before = await snapshotTables(node);
    const { status, body } = await keep(` ${admin.email.toUpperCase()}`);
    const profile = { ...mapProfile(() => ''), first_name: 'Ada', last_name: 'Admin' };
    const existing = { ...profile, id: admin.id, email: admin.email, state: 'active' };
    assert.deepEqual([status, body], [200, { status_code: 200, existing }]);
    for (const [email, state] of [
      [gone.email, 'deactivated'],
      [owner.email, 'active'],
      [invited.email, 'invited'],
      [ours.zendesk.email, 'active'],
      [ours.admin.email, 'active'],
    ] as const)
      assert.partialDeepStrictEqual((await keep(email)).body, { status_code: 200, existing: { email, state } });
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('invites an address that only another team has', async () => {
    const who = await user(node, { team: await team(node) });
    assert.deepEqual((await keep(who.email)).body, { status_code: 200 });
    assert.equal((await find(who.email)).state, 'invited');
  });

  test('is refused for an unknown value of if_exists', async () => {
    const reply = await save({ email: anAddress(), account_type: 2, if_exists: 'replace' });
    assert.equal(reply.status, 400);
    assert.match(reply.body.message, /^if_exists/);
  });
});

describe('editing a user', () => {
  test('changes names and account type, and writes the old and new values to the audit log', async () => {
    const who = await user(node, { team: ours.id, first_name: 'Before', last_name: 'Same' });
    assert.equal((await save({ email: who.email, first_name: 'After', account_type: 1 })).status, 200);
    assert.partialDeepStrictEqual(await find(who.email), { first_name: 'After', last_name: 'Same', account_type: 1 });
    const details = {
      renamed: true,
      before: { roles: ['team_user'] },
      after: { roles: ['team_user', 'team_admin'] },
    };
    assert.deepEqual(await lastAudit('users.edited'), {
      team_id: ours.id,
      actor_id: ours.admin.id,
      target: who.id,
      details,
    });
    await settled(node);
    assert.deepEqual(node.inbox.waiting(who.email), []);
  });

  test('an empty name clears the stored one only in an edit, and an absent one never does', async () => {
    const who = await user(node, { team: ours.id, first_name: 'First', last_name: 'Last' });
    await save({ email: who.email, first_name: '', last_name: ' ', account_type: 1 });
    assert.partialDeepStrictEqual(await find(who.email), { first_name: 'First', last_name: 'Last', account_type: 1 });
    await save({ email: who.email, first_name: '', account_type: 1, if_exists: 'update' });
    assert.partialDeepStrictEqual(await find(who.email), { first_name: '', last_name: 'Last', account_type: 1 });
  });

  test('saving the stored values changes nothing and writes no audit row', async () => {
    const who = await user(node, { team: ours.id, first_name: 'A', last_name: 'B' });
    const before = await snapshotTables(node);
    assert.equal((await save({ email: who.email, first_name: 'A', last_name: 'B', account_type: 2 })).status, 200);
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('the account type of a user of several teams changes only in this team, and the name not at all', async () => {
    const elsewhere = await team(node);
    const who = await user(node, { team: ours.id, first_name: 'Mine' });
    await join(node, elsewhere, who.id, 'member');
    const renamed = await save({ email: who.email, first_name: 'Theirs', account_type: 1 });
    assert.equal(renamed.body.id, 'users.name_is_theirs');
    assert.equal((await save({ email: who.email, first_name: 'Mine', account_type: 1 })).status, 200);
    const rows = await node.db
      .selectFrom('memberships')
      .select(['team_id', 'roles'])
      .where('person_id', '=', who.id)
      .execute();
    const rolesIn = (id: string) => rows.find((row) => row.team_id === id)?.roles;
    assert.deepEqual([rolesIn(ours.id), rolesIn(elsewhere)], [['team_user', 'team_admin'], ['team_user']]);
  });

  test('users can’t edit themselves here', async () => {
    const admin = await signIn(node, await user(node, { team: ours.id, kind: 'admin' }));
    const before = await snapshotTables(node);
    for (const as of [admin, ours.owner]) {
      const reply = await save({ email: as.email, account_type: 2 }, as);
      assert.deepEqual([reply.status, reply.body.id], [400, 'users.own_account']);
      assert.equal(reply.body.message, 'To change your own account, use My account.');
    }
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('a pending invitee has the names and the account type that the team types', async () => {
    const email = anAddress();
    const elsewhere = await user(node, { email });
    await save({ email, first_name: 'A', last_name: 'B', account_type: 2 });
    const { id } = await find(email);
    assert.equal((await save({ email, first_name: 'Zoe\u0308', account_type: 1 })).status, 200);
    assert.partialDeepStrictEqual(await find(email), { id, first_name: 'Zo\u00eb', last_name: 'B', account_type: 1 });
    assert.equal((await find('zo\u00eb b')).id, id);
    const row = await node.db.selectFrom('people').select('first_name').where('id', '=', elsewhere.id).execute();
    assert.deepEqual(row, [{ first_name: 'Some' }]);
    await settled(node);
    assert.equal(node.inbox.waiting(email).length, 1, 'editing sends no second email');
  });
});

describe('the form of a user', () => {
  test('gives only the roles of its account type', async () => {
    const email = anAddress();
    const id = newId();
    const extras = {
      roles: ['team_owner', 'zendesk'],
      type: 2,
      id,
      team_id: newId(),
      delete_at: 5,
      password: 'x',
      apps: { a: true },
    };
    assert.equal((await save({ email, account_type: 2, status: 'online', ...extras })).status, 200);
    const row = await find(email);
    assert.deepEqual([row.roles, row.type, row.delete_at, row.apps], [['team_user'], 1, 0, {}]);
    assert.notEqual(row.id, id);
  });

  test('is refused with the field name for a wrong type or value, without any change', async () => {
    const email = anAddress();
    const before = await snapshotTables(node);
    const bad: [object, RegExp][] = [
      [{ email, account_type: '1' }, /^account_type/],
      [{ email }, /^account_type/],
      [{ account_type: 2 }, /^email: is required$/],
      [{ email: 'no address', account_type: 2 }, /^email: is not an email address$/],
      [{ email: [email], account_type: 2 }, /^email: must be a string$/],
      [{ email, account_type: 2, first_name: 7 }, /^first_name: must be a string$/],
      [{ email, account_type: 2, last_name: 'x'.repeat(101) }, /^last_name: must have at most 100 characters$/],
      [[], /object/],
    ];
    for (const [body, message] of bad) {
      const reply = await save(body);
      assert.equal(reply.status, 400, JSON.stringify(body));
      assert.equal(reply.body.id, 'request.invalid');
      assert.match(reply.body.message, message);
    }
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('keeps unusual names exactly, except for surrounding blanks', async () => {
    for (const first_name of [
      '<script>alert(1)</script>',
      '=1+1',
      '\u202eevil',
      '{{7*7}}',
      "Robert'); drop table people;--",
    ]) {
      const email = anAddress();
      assert.equal((await save({ email, first_name, account_type: 2 })).status, 200);
      assert.equal((await find(email)).first_name, first_name);
    }
  });
});

describe('every field of a profile is stored and listed', () => {
  const profile = (word: string) => mapProfile((name) => `${word} ${name}`);

  test('for an invitation, and for users who are changed one by one, together or by themselves', async () => {
    const email = anAddress();
    await save({ email, ...profile('Invited'), account_type: 2 });
    assert.deepEqual(pickProfile(await find(email)), profile('Invited'));
    const body = [
      { email, ...profile('Several') },
      { email: ours.member.email, ...profile('Several') },
    ];
    const query = { if_exists: 'update' } as const;
    const reply = await call(node, saveUsers, { as: ours.admin, params: { teamId: ours.id }, query, body });
    assert.equal(reply.body.changed, 2, reply.text);
    for (const address of [email, ours.member.email])
      assert.deepEqual(pickProfile(await find(address)), profile('Several'));
    await save({ email: ours.member.email, ...profile('One'), account_type: 2 });
    assert.deepEqual(pickProfile(await find(ours.member.email)), profile('One'));
    const names = { first_name: 'Own', last_name: 'Name' };
    await call(node, saveProfile, { as: ours.member, body: names });
    const own = { ...profile('One'), ...names };
    assert.deepEqual(pickProfile(await find(ours.member.email)), own);
    assert.deepEqual(pickProfile((await call(node, getMe, { as: ours.member })).body), own);
  });
});
