import assert from 'node:assert/strict';
import { changePassword } from '@steward/contract/account';
import { checkEmailLink, confirmEmail, requestEmailChange } from '@steward/contract/account/email';
import { listOwnInvitations } from '@steward/contract/account/memberships';
import { getMe, login } from '@steward/contract/session';
import { listUsers, revokeSessions } from '@steward/contract/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { countAttempts } from '#testing/faults/count-attempts.ts';
import { extractMailToken } from '#testing/peers/inbox.ts';
import {
  createTeamWithMembers,
  deactivate,
  invite,
  PASSWORD,
  type SignedInUser,
  signedIn,
  signIn,
  type TestTeam,
} from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { addLink, findLink } from '#workspace/access/sessions/links.store.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 6 });
  ours = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const fresh = () => `${newId()}@example.test`;
const member = () => signedIn(node, { team: ours.id });
const request = (as: SignedInUser, email: string, password = PASSWORD) =>
  call(node, requestEmailChange, { as, body: { email, password } });
const confirm = (as: SignedInUser, token: string) => call(node, confirmEmail, { as, body: { token } });
const getEmail = async (as: SignedInUser) => (await call(node, getMe, { as })).body.email;

async function requestToken(as: SignedInUser, email: string): Promise<string> {
  assert.equal((await request(as, email)).status, 200);
  return extractMailToken(await node.inbox.next(email));
}

describe('a new email address', () => {
  test('is confirmed by its link; the old one gets a notice before and after, and the session stays', async () => {
    const who = await member();
    const email = fresh();
    const reset = await inTransaction(node.db, (trx) => addLink(trx, { kind: 'reset', userId: who.id, teamId: null }));
    const reply = await request(who, ` ${email.toUpperCase()} `);
    assert.deepEqual(reply.body, { status_code: 200 });
    const mail = await node.inbox.next(email);
    assert.match(mail.text, /\/confirm_email\?token=/);
    assert.match(
      (await node.inbox.next(who.email)).text,
      new RegExp(`change the email address of your account to ${email}`),
    );
    assert.equal(await getEmail(who), who.email);

    assert.match(mail.text, new RegExp(`the account of Some Body \\(${who.email}\\)`));
    const confirmed = await confirm(who, extractMailToken(mail));
    assert.deepEqual(confirmed.body, { status_code: 200, email });
    assert.match((await node.inbox.next(who.email)).text, new RegExp(`is now ${email}`));
    assert.equal(await getEmail(who), email);
    assert.equal(await findLink(node.db, 'reset', reset), undefined);
    const logIn = (login_id: string) => call(node, login, { body: { login_id, password: PASSWORD } });
    assert.equal((await logIn(email)).status, 200);
    assert.equal((await logIn(who.email)).status, 401);
    const found = await call(node, listUsers, {
      as: ours.admin,
      params: { teamId: ours.id },
      query: { search: email },
    });
    assert.deepEqual(
      found.body.records.map(({ id }: { id: string }) => id),
      [who.id],
    );
  });

  test('is recorded without the addresses', async () => {
    const who = await member();
    await confirm(who, await requestToken(who, fresh()));
    const event = { team_id: '', actor_id: who.id, target: who.id };
    assert.deepEqual((await auditRows(node, 'session.email_requested')).at(-1), {
      ...event,
      details: { limited: false },
    });
    assert.deepEqual((await auditRows(node, 'session.email_changed')).at(-1), { ...event, details: {} });
  });

  test('needs the password, and a wrong one changes nothing', async () => {
    const who = await member();
    const before = await snapshotTables(node, { except: ['throttles'] });
    const reply = await request(who, fresh(), 'a wrong one');
    assert.deepEqual([reply.status, reply.body.id], [400, 'password.wrong']);
    assert.deepEqual(await snapshotTables(node, { except: ['throttles'] }), before);
    await countAttempts(node, { name: 'session.login' }, who.email, 9);
    assert.equal((await request(who, fresh(), 'a wrong one')).status, 400);
    assert.equal((await request(who, fresh())).status, 429);
  });

  test('that has an account gets a notice, and the answer and what is stored are the same', async () => {
    const [who, taken] = [await member(), await member()];
    const replies = [await request(who, taken.email), await request(who, fresh())].map(toComparable);
    assert.deepEqual(replies[0], replies[1]);
    const notice = await node.inbox.next(taken.email);
    assert.doesNotMatch(notice.text, /token=/);
    assert.doesNotMatch(notice.text, new RegExp(who.email));
    const kinds = await node.db.selectFrom('mails').select('kind').where('recipient', '=', taken.email).execute();
    assert.deepEqual(kinds, [{ kind: 'session.email_link' }]);
  });

  test('is refused where it is malformed, or is the own one', async () => {
    const who = await member();
    for (const email of [who.email, 'no address', 'ａ@example.test', '', 'a@b.test\r\nBcc: c@d.test']) {
      const reply = await request(who, email);
      assert.deepEqual([reply.status, reply.body.id], [400, 'request.invalid'], email);
    }
  });

  test('is refused to someone who is only invited, and could not sign in with it', async () => {
    const invited = await signedIn(node, { team: null });
    await invite(node, { teamId: ours.id, email: invited.email });
    const reply = await request(invited, fresh());
    assert.deepEqual([reply.status, reply.body.id], [409, 'email.needs_team']);
    const leaver = await member();
    const token = await requestToken(leaver, fresh());
    await deactivate(node, ours.id, leaver.id);
    const back = await signIn(node, leaver);
    assert.equal((await confirm(back, token)).body.id, 'email.needs_team');
    assert.equal((await confirm(back, token)).body.id, 'email.needs_team', 'the refusal changed nothing');
  });

  test('can be requested ten times an hour, and gets three emails', async () => {
    const [who, email] = [await member(), fresh()];
    for (let attempt = 0; attempt < 4; attempt += 1) assert.equal((await request(who, email)).status, 200);
    await countAttempts(node, { name: 'session.email_request' }, who.id, 9);
    assert.equal((await request(who, email)).status, 200);
    assert.equal((await request(who, fresh())).status, 429);
    const { rows } = await sql`select 1 from mails where recipient = ${email}`.execute(node.db);
    assert.equal(rows.length, 3);
  });
});

describe('the link of an email change', () => {
  test('works once, not after 24 hours, and is stored as a hash', async () => {
    const who = await member();
    const token = await requestToken(who, fresh());
    const { rows } = await sql<{
      row: string;
    }>`select to_jsonb(l)::text as row from links l where person_id = ${who.id}`.execute(node.db);
    assert.ok(rows.length === 1 && !rows[0]?.row.includes(token));
    assert.equal((await confirm(who, token)).status, 200);
    assert.equal((await confirm(who, token)).body.id, 'link.used');
    const late = await requestToken(who, fresh());
    await sql`update links set expires_at = expires_at - interval '24 hours' where person_id = ${who.id}`.execute(
      node.db,
    );
    assert.equal((await confirm(who, late)).body.id, 'link.expired');
  });

  test('ends with a newer request, also for a taken address', async () => {
    const who = await member();
    const first = await requestToken(who, fresh());
    const second = await requestToken(who, fresh());
    assert.equal((await confirm(who, first)).body.id, 'link.replaced');
    await request(who, ours.owner.email);
    assert.equal((await confirm(who, second)).body.id, 'link.replaced');
    assert.equal((await call(node, checkEmailLink, { as: who, body: { token: first } })).body.id, 'link.replaced');
    assert.equal(await getEmail(who), who.email);
  });

  test('ends with a new password, and when an admin signs the user out', async () => {
    const who = await member();
    const first = await requestToken(who, fresh());
    const body = { current_password: PASSWORD, new_password: 'a quite different password' };
    assert.equal((await call(node, changePassword, { as: who, body })).status, 200);
    assert.equal((await confirm(who, first)).body.id, 'link.invalid');
    const other = await member();
    const second = await requestToken(other, fresh());
    const params = { teamId: ours.id, userId: other.id };
    assert.equal((await call(node, revokeSessions, { as: ours.admin, params })).status, 200);
    assert.equal((await confirm(await signIn(node, other), second)).body.id, 'link.invalid');
  });

  test('of several users for the same address has one winner, and the others keep theirs', async () => {
    const email = fresh();
    const users = await Promise.all([member(), member(), member()]);
    const tokens: string[] = [];
    for (const who of users) tokens.push(await requestToken(who, email));
    const replies = await Promise.all(users.map((who, nth) => confirm(who, tokens[nth] ?? '')));
    assert.deepEqual(replies.map(({ body }) => body.id ?? 'changed').sort(), ['changed', 'email.taken', 'email.taken']);
    const addresses = await Promise.all(users.map(getEmail));
    assert.equal(addresses.filter((address) => address === email).length, 1);
    assert.equal(addresses.filter((address) => users.some((who) => who.email === address)).length, 2);
  });

  test('opens nothing but itself: other links don’t confirm, and it resets no password', async () => {
    const who = await member();
    const reset = await inTransaction(node.db, (trx) => addLink(trx, { kind: 'reset', userId: who.id, teamId: null }));
    assert.equal((await confirm(who, reset)).body.id, 'link.invalid');
    const token = await requestToken(who, fresh());
    assert.equal(await findLink(node.db, 'reset', token), undefined);
  });
});

describe('a link in the mailbox of someone else', () => {
  test('gives their address, and the invitation to it, to no other account, whoever opens it', async () => {
    const theirs = fresh();
    const invitation = await createTeamWithMembers(node);
    await invite(node, { teamId: invitation.id, email: theirs, kind: 'admin' });
    const attacker = await member();
    const token = await requestToken(attacker, theirs);
    const reader = await member();
    const before = await snapshotTables(node);
    const signedOut = await call(node, confirmEmail, { body: { token } });
    assert.deepEqual([signedOut.status, signedOut.body.id], [401, 'session.required']);
    assert.equal((await call(node, checkEmailLink, { body: { token } })).status, 401);
    const refused = await confirm(reader, token);
    assert.deepEqual([refused.status, refused.body.id], [403, 'email.other_account']);
    assert.deepEqual(await snapshotTables(node), before);
    assert.deepEqual((await call(node, listOwnInvitations, { as: attacker })).body.records, []);
  });

  test('says whose account it is, and whose session this is', async () => {
    const [who, reader, email] = [await member(), await member(), fresh()];
    const token = await requestToken(who, email);
    const check = (as: SignedInUser) => call(node, checkEmailLink, { as, body: { token } });
    const account = { name: 'Some Body', email: who.email };
    assert.deepEqual((await check(who)).body, { account, email, signed_in_as: null });
    assert.deepEqual((await check(reader)).body, {
      account,
      email,
      signed_in_as: { name: 'Some Body', email: reader.email },
    });
    assert.equal((await call(node, checkEmailLink, { as: who, body: { token: 'x' } })).body.id, 'link.invalid');
  });

  test('isn’t confirmed from a session of a team’s single sign-on', async () => {
    const [who, email] = [await member(), fresh()];
    const token = await requestToken(who, email);
    await sql`update sessions set method = 'sso', team_id = ${ours.id} where person_id = ${who.id}`.execute(node.db);
    assert.equal((await confirm(who, token)).body.id, 'session.team_only');
  });
});
