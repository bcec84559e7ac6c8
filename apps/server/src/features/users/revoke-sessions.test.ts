import assert from 'node:assert/strict';
import { getChannel } from '@steward/contract/channels';
import { reauthenticate } from '@steward/contract/factors/factors';
import { getMe } from '@steward/contract/session';
import { listUsers, revokeSessions } from '@steward/contract/users';
import { listSessions, revokeSession } from '@steward/contract/users/sessions';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { findGeneralChannel } from '#testing/workspace/content.ts';
import {
  createTeamWithMembers,
  join,
  type SignedInUser,
  signedIn,
  signIn,
  type TestTeam,
  user,
} from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false });
  ours = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const revoke = (userId: string, as = ours.admin) =>
  call(node, revokeSessions, { as, params: { teamId: ours.id, userId } });

describe('revoking all sessions', () => {
  test('returns the number and the devices, and writes one audit row', async () => {
    const who = await user(node, { team: ours.id });
    const sessions = [await signIn(node, who), await signIn(node, who)];
    const reply = await revoke(who.id);
    assert.equal(reply.body.revoked, 2);
    assert.partialDeepStrictEqual(reply.body.devices[0], { device: 'Firefox on Linux', address: '192.0.2.7' });
    for (const { token } of sessions) assert.ok(!reply.text.includes(token));
    const rows = (await auditRows(node, 'users.sessions_revoked')).filter((row) => row.target === who.id);
    const before = reply.body.devices;
    const details = { sessions: 2, links: 0, before };
    assert.deepEqual(rows, [{ team_id: ours.id, actor_id: ours.admin.id, target: who.id, details }]);
    assert.equal((await revoke(who.id)).body.revoked, 0, 'repeating it is no error');
  });

  test('an admin may do it to an owner', async () => {
    const owner = await signedIn(node, { team: ours.id, kind: 'owner' });
    assert.equal((await revoke(owner.id)).status, 200);
    assert.equal((await call(node, getMe, { as: owner })).status, 401);
  });

  test('of an account with other teams closes this team to them until a new proof, and leaves the others open (case 28)', async () => {
    const theirs = await createTeamWithMembers(node);
    const who = await signedIn(node, { team: ours.id, kind: 'admin' });
    await join(node, theirs.id, who.id, 'admin');
    const sso = { teamId: ours.id, connectionId: 'c'.repeat(26) };
    const [bound, foreign] = [
      await signIn(node, who, { sso }),
      await signIn(node, who, { sso: { ...sso, teamId: theirs.id } }),
    ];
    const list = async (as: SignedInUser, teamId: string) => {
      const { status, body } = await call(node, listUsers, { as, params: { teamId } });
      return body.id ?? status;
    };
    const { id: general } = await findGeneralChannel(node, ours.id);
    const read = async () => (await call(node, getChannel, { as: who, params: { channelId: general } })).body.id;
    const params = { teamId: ours.id, userId: who.id };
    const seen = async () => (await call(node, listSessions, { as: ours.admin, params })).body.records.length;
    assert.equal(await seen(), 2, 'a session of the other team alone is none of this one’s business');
    assert.equal((await revoke(who.id)).body.revoked, 2);
    assert.equal(await seen(), 0);
    assert.deepEqual([await list(who, ours.id), await list(who, theirs.id)], ['session.reauth_required', 200]);
    assert.equal(await read(), 'session.reauth_required');
    assert.deepEqual([await list(bound, ours.id), await list(foreign, theirs.id)], ['session.required', 200]);
    assert.equal((await revoke(who.id)).body.revoked, 0, 'repeating it is no error');
    assert.equal((await call(node, reauthenticate, { as: who, body: { password: who.password } })).status, 200);
    assert.deepEqual([await list(who, ours.id), await read()], [200, general]);
    const [session] = (await call(node, listSessions, { as: ours.admin, params })).body.records;
    const one = await call(node, revokeSession, { as: ours.admin, params, body: { session_id: session.id } });
    assert.equal(one.body.revoked, 1);
    assert.deepEqual([await list(who, ours.id), await list(who, theirs.id)], ['session.reauth_required', 200]);
  });

  test('of a deactivated user succeeds and revokes nothing', async () => {
    const deactivated = await user(node, { team: ours.id, deactivated: true });
    const before = await snapshotTables(node, { except: ['audit_events'] });
    const { status, body } = await revoke(deactivated.id);
    assert.deepEqual([status, body], [200, { status_code: 200, revoked: 0, devices: [] }]);
    assert.deepEqual(await snapshotTables(node, { except: ['audit_events'] }), before);
  });

  test('is refused for pending invitees and oneself, and changes nothing', async () => {
    const before = await snapshotTables(node);
    for (const [id, status, refusal] of [
      [ours.pending.id, 403, 'users.pending_has_no_sessions'],
      [ours.admin.id, 400, 'users.own_account'],
    ] as const) {
      const reply = await revoke(id);
      assert.deepEqual([reply.status, reply.body.id], [status, refusal]);
    }
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('needs no body, and acts on the path alone when there is one', async () => {
    const [who, other] = [await signedIn(node, { team: ours.id }), await signedIn(node, { team: ours.id })];
    const params = { teamId: ours.id, userId: who.id };
    const reply = await call(node, revokeSessions, {
      as: ours.admin,
      params,
      body: { userId: other.id, user_id: other.id },
    });
    assert.equal(reply.status, 200);
    assert.equal((await call(node, getMe, { as: other })).status, 200);
    assert.equal((await call(node, getMe, { as: who })).status, 401);
  });
});
