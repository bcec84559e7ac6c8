import assert from 'node:assert/strict';
import { login, resetPassword, sendPasswordReset } from '@steward/contract/session';
import { getPasskeyOptions, loginWithPasskey } from '@steward/contract/session/passkey';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { call, type Reply, type Sending, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { freshCode, passkey, totpFactor } from '#testing/factors/factors.ts';
import { countAttempts } from '#testing/faults/count-attempts.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { deactivate, join, type TestUser, team, user } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { addLink } from '#workspace/access/sessions/links.store.ts';
import { removeMembership } from '#workspace/users/memberships.store.ts';

let node: TestApp;
let acme: string;
let owner: TestUser;

beforeAll(async () => {
  node = await startApp({ pool: 6 });
});

beforeEach(async () => {
  await sql`delete from throttles`.execute(node.db);
  acme = await team(node, 'Acme');
  owner = await user(node, { team: acme, kind: 'owner' });
  // A later owner isn't named.
  await user(node, { team: acme, kind: 'owner' });
});

afterAll(() => node[Symbol.asyncDispose]());

const signIn = ({ email, password }: TestUser, more: object = {}, sending: Sending = {}) =>
  call(node, login, { body: { login_id: email, password, ...more }, ...sending });
const leaver = () => user(node, { team: acme, deactivated: true });
const toMessage = () => `Your account is deactivated in the team Acme. Ask an owner to reactivate it: ${owner.email}.`;
const toResult = ({ status, body, setCookies }: Reply) => [status, body.id, body.message, setCookies];
const countSessions = async ({ id }: TestUser) =>
  (await node.db.selectFrom('sessions').select('id').where('person_id', '=', id).execute()).length;

describe('someone who is deactivated in their only team', () => {
  test('learns so from the right password, and whom to ask', async () => {
    const who = await leaver();
    assert.deepEqual(toResult(await signIn(who)), [403, 'session.deactivated', toMessage(), []]);
    assert.equal(await countSessions(who), 0);
    const log = await sql`select outcome from sign_ins where person_id = ${who.id}`.execute(node.db);
    assert.deepEqual(log.rows, [{ outcome: 'deactivated' }]);
    const rows = (await auditRows(node, 'session.sign_in_failed')).filter(({ target }) => target === who.id);
    assert.deepEqual(
      rows.map(({ details }) => details),
      [{ reason: 'deactivated' }],
    );
  });

  test('learns nothing with a wrong password, as with that of an unknown address', async () => {
    const who = await leaver();
    const [wrong, unknown] = [
      await signIn({ ...who, password: 'a wrong one' }),
      await signIn({ ...who, email: 'unknown@example.test' }),
    ];
    assert.equal(wrong.body.id, 'session.bad_credentials');
    assert.deepEqual(toComparable(wrong), toComparable(unknown));
    await countAttempts(node, { name: 'session.login' }, who.email, 9);
    await signIn({ ...who, password: 'a wrong one' });
    assert.deepEqual(toComparable(await signIn(who)), toComparable(unknown), 'the right one after too many wrong ones');
  });

  test('learns so only after their second factor', async () => {
    const who = await leaver();
    const { secret, recoveryCodes } = await totpFactor(node, who.id);
    assert.deepEqual(toResult(await signIn(who)).slice(0, 2), [401, 'mfa.required']);
    assert.deepEqual(toResult(await signIn(who, { token: '000000' })).slice(0, 2), [401, 'mfa.wrong']);
    const token = await freshCode(node, who.id, secret);
    assert.deepEqual(toResult(await signIn(who, { token })), [403, 'session.deactivated', toMessage(), []]);
    assert.equal((await signIn(who, { token })).body.id, 'mfa.wrong', 'a code works once');
    const [code = ''] = recoveryCodes;
    assert.equal((await signIn(who, { token: code })).body.id, 'session.deactivated');
    assert.equal((await signIn(who, { token: code })).body.id, 'mfa.wrong');
  });

  test('learns so from their passkey', async () => {
    const who = await leaver();
    const { key } = await passkey(node, who.id, 'http://steward.test');
    const { options } = (await call(node, getPasskeyOptions)).body;
    const reply = await call(node, loginWithPasskey, { body: { response: key.use(options) } });
    assert.deepEqual(toResult(reply), [403, 'session.deactivated', toMessage(), []]);
    assert.equal((await call(node, loginWithPasskey, { body: { response: key.use(options) } })).status, 401);
  });

  test('gets an email that says so in place of a reset link, and old links set no password', async () => {
    const who = await leaver();
    const link = { kind: 'reset' as const, userId: who.id, teamId: null };
    const token = await inTransaction(node.db, (trx) => addLink(trx, link));
    await call(node, sendPasswordReset, { body: { email: who.email } });
    const mail = await node.inbox.next(who.email);
    assert.equal(mail.subject, "You can't sign in to Steward at the moment");
    assert.ok(mail.text.includes(toMessage()), mail.text);
    assert.doesNotMatch(mail.text + mail.html, /token=/);
    const body = { token, new_password: 'a quite different password' };
    assert.equal((await call(node, resetPassword, { body })).body.id, 'link.invalid');
    assert.equal((await signIn({ ...who, password: body.new_password })).status, 401);
  });
});

describe('which teams are named', () => {
  test('those in which the user is deactivated, the newest three, each with its owner', async () => {
    const who = await leaver();
    const others = [];
    for (const name of ['Beta', 'Gamma', 'Delta']) {
      const id = await team(node, name);
      others.push((await user(node, { team: id, kind: 'owner' })).email);
      await join(node, id, who.id);
      await deactivate(node, id, who.id);
    }
    const [beta, gamma, delta] = others;
    assert.equal(
      (await signIn(who)).body.message,
      'Your account is deactivated in the teams Delta, Gamma, and Beta. Ask an owner to reactivate it: ' +
        `${delta} (Delta), ${gamma} (Gamma), or ${beta} (Beta).`,
    );
  });

  test('a name in an email becomes no link', async () => {
    const tricky = await team(node, 'Go to evil.example');
    const { email } = await user(node, { team: tricky, kind: 'owner' });
    const who = await user(node, { team: tricky, deactivated: true });
    await call(node, sendPasswordReset, { body: { email: who.email } });
    const { text } = await node.inbox.next(who.email);
    assert.doesNotMatch(text, /evil\.example/);
    assert.ok(text.includes(email), 'the address of the owner can be copied');
  });

  test('no owner if the team has none, and no team after the user was removed', async () => {
    const empty = await team(node, 'Empty');
    const who = await user(node, { team: empty, deactivated: true });
    const message = 'Your account is deactivated in the team Empty. Ask an owner to reactivate it.';
    assert.equal((await signIn(who)).body.message, message);
    await inTransaction(node.db, (trx) => removeMembership(trx, empty, who.id));
    const reply = await signIn(who);
    assert.deepEqual([reply.status, reply.body.id], [403, 'session.no_team']);
    assert.doesNotMatch(reply.body.message, /Empty/);
    await call(node, sendPasswordReset, { body: { email: who.email } });
    assert.match((await node.inbox.next(who.email)).text, /doesn't belong to a team anymore/);
  });
});

test('someone who is active or invited in another team signs in, and gets a reset link', async () => {
  const [active, invited] = [await leaver(), await leaver()];
  await join(node, await team(node), active.id);
  await user(node, { team: await team(node), email: invited.email, pending: true });
  for (const who of [active, invited]) {
    assert.equal((await signIn(who)).status, 200);
    await call(node, sendPasswordReset, { body: { email: who.email } });
    assert.match((await node.inbox.next(who.email)).text, /reset_password\?token=/);
  }
  await settled(node);
});
