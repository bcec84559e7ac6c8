import assert from 'node:assert/strict';
import { answerInvitation } from '@steward/contract/account/memberships';
import { savePreferences } from '@steward/contract/account/preferences';
import { saveNoteRetention } from '@steward/contract/retention';
import { login } from '@steward/contract/session';
import { addToken } from '@steward/contract/tokens';
import { saveUser } from '@steward/contract/users';
import { setOwner } from '@steward/contract/users/lifecycle';
import { saveUsers } from '@steward/contract/users/multi';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { call, type Sending } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import {
  createTeamWithMembers,
  deactivate,
  invite,
  PASSWORD,
  type SignedInUser,
  signedIn,
  type TestTeam,
} from '#testing/workspace/factories.ts';

let node: TestApp;
let ours: TestTeam;
/** Another owner, and an admin who was deactivated. */
let second: SignedInUser;
let former: SignedInUser;

beforeAll(async () => {
  node = await startApp();
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  ours = await createTeamWithMembers(node, 'Acme example.com');
  second = await signedIn(node, { team: ours.id, kind: 'owner' });
  former = await signedIn(node, { team: ours.id, kind: 'admin' });
  await deactivate(node, ours.id, former.id);
  await invite(node, { teamId: ours.id, email: 'invited@example.test', kind: 'owner' });
  await createTeamWithMembers(node);
});

const asAdmin = (rest: Sending = {}): Sending => ({ as: ours.admin, params: { teamId: ours.id }, ...rest });
const mute = (as: SignedInUser, emails: object) => call(node, savePreferences, { as, body: { emails } });

/** Addresses that were sent this kind of email about the team, in order. */
async function recipients(kind: string): Promise<string[]> {
  const mails = node.db.selectFrom('mails').select('recipient').where('team_id', '=', ours.id);
  return (await mails.where('kind', '=', kind).execute()).map(({ recipient }) => recipient).sort();
}
const emails = (...users: { email: string }[]) => users.map(({ email }) => email).sort();

describe('owners and admins get one email, sent by the change itself', () => {
  test('about a new admin, all but the two of them', async () => {
    const body = { email: ours.member.email, account_type: 1 };
    for (const _ of ['once', 'and again']) assert.equal((await call(node, saveUser, asAdmin({ body }))).status, 200);
    assert.deepEqual(await recipients('notices.new_admin'), emails(ours.owner, second));
    const { subject, text } = await node.inbox.next(ours.owner.email);
    assert.equal(subject, 'Acme example.com: new admin');
    assert.match(text, /Some Body made Some Body an admin of “Acme example\.\u2060com”\./);
    assert.match(text, /You can turn these emails off under My account/);
    assert.match(text, /\/users\/users/);
  });

  test('about several new admins, in one email', async () => {
    const users = await Promise.all([1, 2].map(() => signedIn(node, { team: ours.id, first_name: 'New' })));
    const body = users.map(({ email }) => ({ email, account_type: 1 }));
    assert.equal((await call(node, saveUsers, asAdmin({ body, query: { preview: '1' } }))).status, 200);
    assert.deepEqual(await recipients('notices.new_admin'), []);
    assert.equal((await call(node, saveUsers, asAdmin({ body }))).body.changed, 2);
    assert.deepEqual(await recipients('notices.new_admin'), emails(ours.owner, second));
    assert.match((await node.inbox.next(second.email)).text, /made New Body and New Body admins of/);
  });

  test('about an invited admin only when they accept, and not about a member', async () => {
    const [ada, max] = [await signedIn(node), await signedIn(node)];
    for (const [{ email }, account_type] of [
      [ada, 1],
      [max, 2],
    ] as const)
      await call(node, saveUser, asAdmin({ body: { email, account_type } }));
    assert.deepEqual(await recipients('notices.new_admin'), []);
    for (const as of [max, ada])
      await call(node, answerInvitation, { as, params: { teamId: ours.id }, body: { accept: true } });
    assert.deepEqual(await recipients('notices.new_admin'), emails(ours.owner, ours.admin, second));
    assert.match((await node.inbox.next(ours.admin.email)).text, /accepted an invitation and is now an admin/);
  });

  test('about a new owner, whatever they switched off, and not about one who stops', async () => {
    await mute(second, { new_admin: false });
    const params = { teamId: ours.id, userId: ours.member.id };
    for (const owner of [true, true, false])
      assert.equal((await call(node, setOwner, { as: ours.owner, params, body: { owner } })).status, 200);
    assert.deepEqual(await recipients('notices.new_owner'), emails(ours.admin, second));
    assert.doesNotMatch((await node.inbox.next(second.email)).text, /turn these emails off/);
  });

  test('about a new service token, except those who switched it off', async () => {
    await mute(second, { new_token: false });
    await sql`update teams set admins_may_create_tokens = true where id = ${ours.id}`.execute(node.db);
    const sending = asAdmin({ body: { name: 'Chat www.evil.example' }, headers: { 'idempotency-key': ours.id } });
    for (const _ of ['once', 'and again']) assert.equal((await call(node, addToken, sending)).status, 200);
    assert.deepEqual(await recipients('notices.new_token'), emails(ours.owner));
    const { text } = await node.inbox.next(ours.owner.email);
    assert.ok(!text.includes('www.evil.example') && text.includes('service token “Chat www.'));
  });

  test('about a rule that deletes more: owners, and admins but the one who saved it', async () => {
    const other = await signedIn(node, { team: ours.id, kind: 'admin' });
    const body = { archived_notes: { value: 1, duration: { count: 1, period: 'y' } } };
    assert.equal((await call(node, saveNoteRetention, asAdmin({ body }))).status, 200);
    assert.deepEqual(await recipients('retention.rules_changed'), emails(ours.owner, second, other));
    await mute(second, { retention: false });
    const kept = { archived_notes: { value: 0 } };
    assert.equal((await call(node, saveNoteRetention, asAdmin({ body: kept }))).status, 200);
    assert.deepEqual(await recipients('retention.rules_changed'), emails(ours.owner, ours.owner, second, other));
  });
});

describe('a sign-in from a new address', () => {
  const signIn = (who: SignedInUser, from: string) =>
    call(node, login, {
      body: { login_id: who.email, password: PASSWORD },
      from,
      headers: { 'user-agent': 'Firefox/1 (Linux)' },
    });
  const age = (who: SignedInUser) =>
    sql`update people set create_at = create_at - 90000000 where id = ${who.id}`.execute(node.db);
  const sent = async (who: SignedInUser) =>
    (await sql`select 1 from mails where kind = 'session.new_device' and recipient = ${who.email}`.execute(node.db))
      .rows.length;

  test('is sent to an owner or admin, once per network', async () => {
    await age(ours.admin);
    for (const from of ['192.0.2.1', '192.0.2.1', '192.0.2.2'])
      assert.equal((await signIn(ours.admin, from)).status, 200);
    assert.equal(await sent(ours.admin), 2);
    const { text } = await node.inbox.next(ours.admin.email);
    assert.match(text, /Firefox on Linux from 192\.0\.2\.1, on /);
  });

  test('is not sent for a browser that signed in before, wherever it is', async () => {
    const who = await signedIn(node, { team: ours.id, kind: 'admin' });
    await age(who);
    const { setCookies } = await signIn(who, '192.0.2.11');
    const cookie = setCookies.map((line) => line.split(';')[0]).join('; ');
    const body = { login_id: who.email, password: PASSWORD };
    assert.equal((await call(node, login, { body, from: '192.0.2.12', as: { cookie } })).status, 200);
    assert.equal(await sent(who), 1);
    assert.equal((await signIn(who, '192.0.2.13')).status, 200, 'another browser');
    assert.equal(await sent(who), 2);
  });

  test('is not sent to a member or a former admin, after a wrong password, or on the first day', async () => {
    for (const who of [ours.member, former]) await age(who);
    for (const who of [ours.member, former, ours.owner]) await signIn(who, '192.0.2.3');
    await age(ours.owner);
    const body = { login_id: ours.owner.email, password: 'a wrong one' };
    await call(node, login, { body, from: '192.0.2.4' });
    for (const who of [ours.member, former, ours.owner]) assert.equal(await sent(who), 0);
  });
});
