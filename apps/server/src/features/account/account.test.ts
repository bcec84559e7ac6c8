import assert from 'node:assert/strict';
import {
  changePassword,
  endOtherSessions,
  endOwnSession,
  listOwnSessions,
  saveProfile,
} from '@steward/contract/account';
import { getMe, login } from '@steward/contract/session';
import { listUsers } from '@steward/contract/users';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { countAttempts } from '#testing/faults/count-attempts.ts';
import {
  createTeamWithMembers,
  findSessionId,
  join,
  PASSWORD,
  type SignedInUser,
  signedIn,
  signIn,
  type TestTeam,
} from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { addLink, findLink } from '#workspace/access/sessions/links.store.ts';

const NEW = 'a quite different password';

let node: TestApp;
let other: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 4 });
  other = await startApp({ beside: node, work: false });
  ours = await createTeamWithMembers(node);
});

afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

const me = async (as: SignedInUser, on = node) => (await call(on, getMe, { as })).status;
const change = (as: SignedInUser, current_password = PASSWORD, new_password = NEW) =>
  call(node, changePassword, { as, body: { current_password, new_password } });
const signInWith = ({ email }: SignedInUser, password: string) =>
  call(node, login, { body: { login_id: email, password } });

describe('the own name', () => {
  test('changes in every team and in searches; other fields are ignored', async () => {
    const who = await signedIn(node, { team: ours.id });
    const theirs = await createTeamWithMembers(node);
    await join(node, theirs.id, who.id);
    const extras = { email: 'x@y.test', roles: ['team_owner'], id: newId(), type: 1, password_hash: 'x' };
    const body = { first_name: ' Zoe\u0308 ', last_name: 'New', ...extras };
    const reply = await call(node, saveProfile, { as: who, body });
    assert.partialDeepStrictEqual(reply.body, {
      id: who.id,
      first_name: 'Zo\u00eb',
      last_name: 'New',
      email: who.email,
    });
    for (const team of [ours, theirs]) {
      const sent = { as: team.owner, params: { teamId: team.id }, query: { search: 'zo\u00eb n' } };
      assert.equal((await call(node, listUsers, sent)).body.records[0].id, who.id);
    }
    const before = await snapshotTables(node, { except: ['people'] });
    assert.equal((await call(node, saveProfile, { as: who, body })).status, 200);
    assert.deepEqual(await snapshotTables(node, { except: ['people'] }), before, 'the same names are no change');
  });

  test('has at most 100 characters per part', async () => {
    for (const bad of ['x'.repeat(101), 7, null, undefined, 'a\0', ['A']])
      assert.equal(
        (await call(node, saveProfile, { as: ours.member, body: { first_name: bad, last_name: '' } })).body.id,
        'request.invalid',
        String(bad).slice(0, 10),
      );
  });
});

describe('the own password', () => {
  test('is changed with the current one, ends all other sessions and reset links, and is reported by email', async () => {
    const who = await signedIn(node);
    const elsewhere = await signIn(node, who);
    const link = await inTransaction(node.db, (trx) => addLink(trx, { kind: 'reset', userId: who.id, teamId: null }));
    const reply = await change(who);
    assert.deepEqual([reply.status, reply.body], [200, { status_code: 200, revoked: 1 }]);
    assert.deepEqual([await me(who), await me(elsewhere), await me(elsewhere, other)], [200, 401, 401]);
    assert.equal(await findLink(node.db, 'reset', link), undefined);
    assert.deepEqual([(await signInWith(who, PASSWORD)).status, (await signInWith(who, NEW)).status], [401, 200]);
    const mail = await node.inbox.next(who.email);
    assert.match(mail.subject, /^Your \w+ password was changed$/);
    assert.match(mail.text, /signed out of all other devices/);
    assert.deepEqual((await auditRows(node, 'session.password_changed')).at(-1), {
      team_id: '',
      actor_id: who.id,
      target: who.id,
      details: { sessions: 1 },
    });
  });

  test('stays as it is after a wrong current password, a common or a short one', async () => {
    const who = await signedIn(node);
    const before = await snapshotTables(node, { except: ['throttles'] });
    assert.deepEqual(
      [(await change(who, 'wrong')).status, (await change(who, 'wrong')).body.id],
      [400, 'password.wrong'],
    );
    assert.equal((await change(who, PASSWORD, 'password1')).body.id, 'password.too_common');
    for (const bad of ['seven77', 'x'.repeat(129), `${NEW}\0`, null, 12345678])
      assert.equal((await change(who, PASSWORD, bad as string)).body.id, 'request.invalid');
    assert.deepEqual(await snapshotTables(node, { except: ['throttles'] }), before);
  });

  test('can’t be guessed: ten wrong ones count as failed sign-ins and lock both ways', async () => {
    const who = await signedIn(node);
    await countAttempts(node, { name: 'session.login' }, who.email, 8);
    for (let nth = 0; nth < 2; nth += 1) assert.equal((await change(who, 'wrong')).status, 400);
    const locked = await change(who);
    assert.deepEqual([locked.status, locked.body.id], [429, 'rate.limited']);
    assert.equal((await signInWith(who, PASSWORD)).status, 401);
    assert.equal(await me(who), 200);
  });

  test('is changed once by two concurrent requests', async () => {
    const who = await signedIn(node);
    const replies = await Promise.all([change(who, PASSWORD, `${NEW} 1`), change(who, PASSWORD, `${NEW} 2`)]);
    const [done, refused] = replies.map(({ status }) => status).sort();
    assert.equal(done, 200);
    // 400 if the second one began to compare the password after the first one had changed it.
    assert.ok(refused === 401 || refused === 400, String(refused));
  });
});

describe('the own sessions', () => {
  test('are listed with the current one marked, and end one by one or all others together', async () => {
    const who = await signedIn(node);
    const [second, third] = [await signIn(node, who), await signIn(node, who)];
    const { records } = (await call(node, listOwnSessions, { as: who })).body;
    assert.equal(records.length, 3);
    assert.deepEqual(
      records.filter(({ is_current }: { is_current: boolean }) => is_current).map(({ id }: { id: string }) => id),
      [await findSessionId(node, who)],
    );
    assert.doesNotMatch(JSON.stringify(records), /token/);
    const sessionId = await findSessionId(node, second);
    assert.equal((await call(node, endOwnSession, { as: who, params: { sessionId } })).status, 200);
    assert.deepEqual([await me(second, other), await me(third, other)], [401, 200]);
    assert.equal((await call(node, endOwnSession, { as: who, params: { sessionId } })).status, 404);
    assert.deepEqual((await call(node, endOtherSessions, { as: who })).body, { status_code: 200, revoked: 1 });
    assert.deepEqual((await call(node, endOtherSessions, { as: who })).body, { status_code: 200, revoked: 0 });
    assert.deepEqual([await me(who), await me(third, other)], [200, 401]);
  });

  test('never end this one', async () => {
    const who = await signedIn(node);
    const sessionId = await findSessionId(node, who);
    const own = await call(node, endOwnSession, { as: who, params: { sessionId } });
    assert.deepEqual([own.status, own.body.id], [400, 'users.own_account']);
    assert.equal(await me(who), 200);
  });
});
