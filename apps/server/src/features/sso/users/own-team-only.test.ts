import assert from 'node:assert/strict';
import { listOwnSessions } from '@steward/contract/account';
import { answerInvitation, leaveTeam, listOwnInvitations } from '@steward/contract/account/memberships';
import { getMe, sendPasswordReset } from '@steward/contract/session';
import { listTeamMembers, listTeams } from '@steward/contract/session/teams';
import { exportOwnData } from '@steward/contract/users/privacy';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { replaceConnection } from '#testing/sso/sso.ts';
import { invite, join, type SignedInUser, signedIn, team, user } from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false });
});
afterAll(() => node[Symbol.asyncDispose]());

/** A session that the provider of the team made. */
async function atProvider(teamId: string, kind: 'member' | 'admin' = 'member'): Promise<SignedInUser> {
  const who = await signedIn(node, { team: teamId, kind });
  const connectionId = await replaceConnection(node, teamId);
  await sql`update sessions set method = 'sso', team_id = ${teamId}, connection_id = ${connectionId}
    where person_id = ${who.id}`.execute(node.db);
  return who;
}

describe('a session of one team’s provider', () => {
  test('case 31: neither sees nor answers invitations to other teams', async () => {
    const [own, other] = [await team(node), await team(node)];
    const who = await atProvider(own);
    await invite(node, { teamId: other, email: who.email, kind: 'admin' });
    assert.deepEqual((await call(node, listOwnInvitations, { as: who })).body.records, []);
    const before = await snapshotTables(node);
    for (const accept of [true, false])
      assert.equal(
        (await call(node, answerInvitation, { as: who, params: { teamId: other }, body: { accept } })).status,
        404,
      );
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('sees the teams, roles and members of its own team alone, and leaves no other', async () => {
    const [own, other] = [await team(node), await team(node)];
    const who = await atProvider(own);
    await join(node, other, who.id, 'admin');
    const params = { userId: who.id };
    assert.deepEqual(
      (await call(node, listTeams, { as: who, params })).body.map(({ id }: { id: string }) => id),
      [own],
    );
    const members = (await call(node, listTeamMembers, { as: who, params })).body;
    assert.deepEqual(
      members.map(({ team_id }: { team_id: string }) => team_id),
      [own],
    );
    assert.deepEqual((await call(node, getMe, { as: who })).body.roles, ['team_user']);
    assert.equal((await call(node, leaveTeam, { as: who, params: { teamId: other } })).status, 403);
    assert.equal((await call(node, exportOwnData, { as: who })).body.id, 'session.team_only');
  });

  test('lists no session of another team', async () => {
    const [own, other] = [await team(node), await team(node)];
    const who = await atProvider(own);
    await join(node, other, who.id);
    await sql`insert into sessions (id, person_id, token_hash, method, team_id)
      values ('other', ${who.id}, 'other', 'sso', ${other})`.execute(node.db);
    assert.equal((await call(node, listOwnSessions, { as: who })).body.records.length, 1);
  });

  test('sends a password reset for no other team', async () => {
    const [own, other] = [await team(node), await team(node)];
    const who = await atProvider(own, 'admin');
    await join(node, other, who.id, 'admin');
    const target = await user(node, { team: other });
    assert.equal((await call(node, sendPasswordReset, { as: who, body: { email: target.email } })).status, 200);
    assert.partialDeepStrictEqual((await auditRows(node, 'session.reset_requested')).at(-1), {
      team_id: '',
      target: null,
    });
  });
});
