import assert from 'node:assert/strict';
import { getMe, listStatuses, sendPasswordReset } from '@steward/contract/session';
import { revokeSessions } from '@steward/contract/users';
import { listSessions, revokeSession, type Session } from '@steward/contract/users/sessions';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { addSession } from '#testing/sessions/sessions.ts';
import {
  createTeamWithMembers,
  findSessionId,
  join,
  type SignedInUser,
  signedIn,
  signIn,
  type TestTeam,
  team,
  user,
} from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables, TRACES } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let other: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp();
  other = await startApp({ beside: node, work: false });
  ours = await createTeamWithMembers(node);
});

afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

const list = (userId: string, as: { cookie: string } = ours.admin) =>
  call(node, listSessions, { as, params: { teamId: ours.id, userId } });

const end = (userId: string, session_id: unknown, as: { cookie: string } = ours.admin) =>
  call(node, revokeSession, { as, params: { teamId: ours.id, userId }, body: { session_id } });

const status = async (on: TestApp, as: SignedInUser) => (await call(on, getMe, { as })).status;

const getIds = (records: Session[]) => records.map(({ id }) => id);

describe('the sessions of a person', () => {
  test('are listed with device, address and times, last used first, without secrets', async () => {
    const who = await user(node, { team: ours.id });
    const [first, second] = [await signIn(node, who), await signIn(node, who)];
    const phone = { deviceId: 'd', userAgent: 'Mozilla/5.0 (iPhone) Safari/605', address: '2001:db8::7' };
    await addSession(node, { userId: who.id, ...phone });
    await sql`update sessions set active_at = now() - interval '10 minutes', created_at = now() - interval '2 hours'
      where id = ${await findSessionId(node, first)}`.execute(node.db);
    const { body, text } = await list(who.id);
    assert.deepEqual(
      body.records.map(({ device, address, is_current }: Session) => [device, address, is_current]),
      [
        ['Safari on iOS', '2001:db8::7', false],
        ['Firefox on Linux', '192.0.2.7', false],
        ['Firefox on Linux', '192.0.2.7', false],
      ],
    );
    const oldest = body.records.at(-1);
    assert.equal(oldest.id, await findSessionId(node, first));
    assert.equal(oldest.last_seen_at - oldest.created_at, 110 * 60_000);
    for (const { token } of [first, second]) assert.ok(!text.includes(token));
    assert.deepEqual(Object.keys(oldest).sort(), [
      'address',
      'created_at',
      'device',
      'id',
      'is_current',
      'last_seen_at',
    ]);
  });

  test('are only active ones, neither idle nor too old, of this person', async () => {
    const who = await user(node, { team: ours.id });
    const [idle, old, live] = [await signIn(node, who), await signIn(node, who), await signIn(node, who)];
    await sql`update sessions set active_at = now() - interval '61 minutes'
      where id = ${await findSessionId(node, idle)}`.execute(node.db);
    await sql`update sessions set created_at = now() - interval '25 hours'
      where id = ${await findSessionId(node, old)}`.execute(node.db);
    assert.deepEqual(getIds((await list(who.id)).body.records), [await findSessionId(node, live)]);
    assert.equal((await end(who.id, await findSessionId(node, idle))).status, 404, 'it had expired');
    const params = { teamId: ours.id, userId: who.id };
    const reply = await call(node, revokeSessions, { as: ours.admin, params });
    assert.deepEqual([reply.body.revoked, reply.body.devices.length], [1, 1], 'the response lists the active ones');
    assert.deepEqual((await list(who.id)).body.records, []);
  });

  test('are at most twenty, and the caller’s current one is marked', async () => {
    const admin = await signedIn(node, { team: ours.id, kind: 'admin' });
    for (let i = 0; i < 20; i += 1) await signIn(node, admin);
    const latest = await signIn(node, admin);
    const { records } = (await list(admin.id, latest)).body as { records: Session[] };
    assert.equal(records.length, 20);
    assert.deepEqual(getIds(records.filter(({ is_current }) => is_current)), [await findSessionId(node, latest)]);
  });
});

describe('revoking one session', () => {
  test('takes effect at the next request on every node, and other sessions keep working', async () => {
    const who = await user(node, { team: ours.id });
    const [gone, kept] = [await signIn(node, who), await signIn(node, who)];
    for (const as of [gone, kept]) assert.deepEqual([await status(node, as), await status(other, as)], [200, 200]);
    const reply = await end(who.id, await findSessionId(node, gone));
    assert.equal(reply.body.revoked, 1);
    assert.partialDeepStrictEqual(reply.body.devices, [{ device: 'Firefox on Linux', address: '192.0.2.7' }]);
    assert.deepEqual([await status(other, gone), await status(node, gone)], [401, 401]);
    assert.equal((await call(other, listStatuses, { as: gone, body: [] })).status, 401);
    assert.deepEqual([await status(other, kept), await status(node, kept)], [200, 200]);
    const rows = (await auditRows(node, 'users.session_revoked')).filter((row) => row.target === who.id);
    const details = { before: reply.body.devices[0] };
    assert.deepEqual(rows, [{ team_id: ours.id, actor_id: ours.admin.id, target: who.id, details }]);
  });

  test('keeps password reset links', async () => {
    const who = await signedIn(node, { team: ours.id });
    await call(node, sendPasswordReset, { body: { email: who.email } });
    await node.inbox.next(who.email);
    assert.equal((await end(who.id, await findSessionId(node, who))).status, 200);
    const links = await node.db.selectFrom('links').select('kind').where('person_id', '=', who.id).execute();
    assert.deepEqual(links, [{ kind: 'reset' }]);
  });

  test('by two admins concurrently ends it once; the other gets a 404', async () => {
    const who = await signedIn(node, { team: ours.id });
    const id = await findSessionId(node, who);
    const params = { teamId: ours.id, userId: who.id };
    const replies = await Promise.all([
      end(who.id, id, ours.admin),
      call(other, revokeSession, { as: ours.owner, params, body: { session_id: id } }),
    ]);
    assert.deepEqual(replies.map((reply) => reply.status).sort(), [200, 404]);
    const rows = (await auditRows(node, 'users.session_revoked')).filter((row) => row.target === who.id);
    assert.equal(rows.length, 1);
  });

  test('is allowed for another session of the caller, not for the current one', async () => {
    const admin = await signedIn(node, { team: ours.id, kind: 'admin' });
    const elsewhere = await signIn(node, admin);
    const refused = await end(admin.id, await findSessionId(node, admin), admin);
    assert.deepEqual([refused.status, refused.body.id], [400, 'users.own_account']);
    assert.equal((await end(admin.id, await findSessionId(node, elsewhere), admin)).status, 200);
    assert.deepEqual([await status(node, admin), await status(node, elsewhere)], [200, 401]);
  });
});

describe('refused sessions', () => {
  test('a session of another person gets the same response as an unknown one', async () => {
    const [target, bystander] = [await signedIn(node, { team: ours.id }), await signedIn(node, { team: ours.id })];
    const stranger = await signedIn(node, { team: await team(node) });
    const unknown = toComparable(await end(target.id, newId()));
    assert.equal(unknown.status, 404);
    for (const who of [bystander, stranger])
      assert.deepEqual(toComparable(await end(target.id, await findSessionId(node, who))), unknown);
    assert.deepEqual(toComparable(await end(stranger.id, await findSessionId(node, stranger))), unknown);
    for (const who of [target, bystander, stranger]) assert.equal(await status(node, who), 200);
  });

  test('pending invitees, Zendesk users and users of other teams are refused as for all sessions', async () => {
    const stranger = await signedIn(node, { team: await team(node) });
    const before = await snapshotTables(node, { except: TRACES });
    const cases: [string, number, string][] = [
      [ours.pending.id, 403, 'users.pending_has_no_sessions'],
      [ours.zendesk.id, 403, 'users.zendesk_has_no_actions'],
      [stranger.id, 404, 'record.not_found'],
    ];
    for (const [id, code, refusal] of cases) {
      for (const reply of [await list(id), await end(id, newId())])
        assert.deepEqual([reply.status, reply.body.id], [code, refusal]);
    }
    for (const wrong of [undefined, 1, '', 'x', ours.admin.token, [newId()]])
      assert.equal((await end(ours.member.id, wrong)).body.id, 'request.invalid');
    assert.deepEqual(await snapshotTables(node, { except: TRACES }), before);
  });

  test('a person of two teams is listed in both, and a demoted admin can no longer list', async () => {
    const admin = await signedIn(node, { team: ours.id, kind: 'admin' });
    const elsewhere = await createTeamWithMembers(node);
    await join(node, elsewhere.id, admin.id);
    const params = { teamId: elsewhere.id, userId: admin.id };
    assert.equal((await call(node, listSessions, { as: elsewhere.admin, params })).body.records.length, 1);
    assert.equal((await call(node, listSessions, { as: admin, params })).status, 403);
  });
});
