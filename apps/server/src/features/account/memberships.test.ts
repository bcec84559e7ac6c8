import assert from 'node:assert/strict';
import { answerInvitation, leaveTeam, listOwnInvitations } from '@steward/contract/account/memberships';
import { getMe } from '@steward/contract/session';
import { listTeams } from '@steward/contract/session/teams';
import { listUsers, saveUser } from '@steward/contract/users';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { isOfThisRun } from '#testing/system/this-run.ts';
import { channel } from '#testing/workspace/content.ts';
import {
  createTeamWithMembers,
  deactivate,
  invite,
  type SignedInUser,
  signedIn,
  type TestTeam,
  user,
} from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 6 });
  ours = await createTeamWithMembers(node, 'Acme');
});

afterAll(() => node[Symbol.asyncDispose]());

const invitations = async (as: SignedInUser) => (await call(node, listOwnInvitations, { as })).body.records;
const answer = (as: SignedInUser, accept: boolean, teamId = ours.id) =>
  call(node, answerInvitation, { as, params: { teamId }, body: { accept } });
const leave = (as: SignedInUser, teamId = ours.id) => call(node, leaveTeam, { as, params: { teamId } });
const teamsOf = async (as: SignedInUser) =>
  (await call(node, listTeams, { as, params: { userId: as.id } })).body.map(({ id }: { id: string }) => id);
const listed = async (search: string) =>
  (await call(node, listUsers, { as: ours.owner, params: { teamId: ours.id }, query: { search } })).body.records;

describe('an invitation to one’s address', () => {
  test('is listed with the team, the inviter and the account type, whatever case it was typed in', async () => {
    const who = await signedIn(node);
    const body = { email: who.email.toUpperCase(), account_type: 1 as const };
    assert.equal((await call(node, saveUser, { as: ours.admin, params: { teamId: ours.id }, body })).status, 200);
    const [found, ...others] = await invitations(who);
    assert.deepEqual(others, []);
    assert.partialDeepStrictEqual(found, {
      team_id: ours.id,
      team_name: 'Acme',
      invited_by: 'Some Body',
      account_type: 1,
    });
    assert.ok(isOfThisRun(found.invited_at));
    assert.deepEqual(await invitations(ours.member), []);
  });

  test('makes the account a member with its own name, the invited role and the default channels', async () => {
    const fresh = await createTeamWithMembers(node);
    const { id: channelId, name } = await channel(node, fresh.id, { type: 'P' });
    await node.db
      .insertInto('default_channels')
      .values({ team_id: fresh.id, channel_id: channelId, channel_name: name })
      .execute();
    const who = await signedIn(node, { first_name: 'Own', last_name: 'Name' });
    const invitationId = await invite(node, { teamId: fresh.id, email: who.email, kind: 'admin', first_name: 'Typed' });
    assert.equal((await answer(who, true, fresh.id)).status, 200);
    const query = { search: who.email };
    const { records } = (await call(node, listUsers, { as: fresh.owner, params: { teamId: fresh.id }, query })).body;
    assert.partialDeepStrictEqual(records, [{ id: who.id, first_name: 'Own', state: 'active', account_type: 1 }]);
    assert.equal((await call(node, listUsers, { as: who, params: { teamId: fresh.id } })).status, 200);
    const joined = await node.db
      .selectFrom('channel_members')
      .select('channel_id')
      .where('person_id', '=', who.id)
      .execute();
    assert.deepEqual(joined, [{ channel_id: channelId }]);
    assert.deepEqual((await auditRows(node, 'signup.invitation_accepted')).at(-1), {
      team_id: fresh.id,
      actor_id: who.id,
      target: who.id,
      details: { invitation_id: invitationId },
    });
    assert.deepEqual(await invitations(who), []);
    assert.equal((await answer(who, true, fresh.id)).status, 404);
  });

  test('can be declined, and the team learns no more than that', async () => {
    const who = await signedIn(node);
    const invitationId = await invite(node, { teamId: ours.id, email: who.email });
    assert.equal((await answer(who, false)).status, 200);
    assert.deepEqual(await listed(who.email), []);
    assert.deepEqual((await auditRows(node, 'users.invitation_declined')).at(-1), {
      team_id: ours.id,
      actor_id: null,
      target: invitationId,
      details: {},
    });
    assert.equal((await answer(who, false)).status, 404);
  });

  test('is answered once by several concurrent requests', async () => {
    const who = await signedIn(node);
    await invite(node, { teamId: ours.id, email: who.email });
    const replies = await Promise.all(Array.from({ length: 8 }, (_, nth) => answer(who, nth % 2 === 0)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(7).fill(404)]);
  });

  test('of a team that has deactivated them is refused', async () => {
    const who = await signedIn(node, { team: ours.id });
    await deactivate(node, ours.id, who.id);
    const renamed = `${newId()}@example.test`;
    await invite(node, { teamId: ours.id, email: renamed });
    await node.db.updateTable('people').set({ email: renamed }).where('id', '=', who.id).execute();
    const before = await snapshotTables(node);
    assert.equal((await answer(who, true)).body.id, 'users.deactivated');
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('of a team they already belong to disappears when it is accepted', async () => {
    const who = await signedIn(node, { team: ours.id });
    const renamed = `${newId()}@example.test`;
    await invite(node, { teamId: ours.id, email: renamed });
    await node.db.updateTable('people').set({ email: renamed }).where('id', '=', who.id).execute();
    assert.equal((await answer(who, true)).status, 200);
    assert.deepEqual(await invitations(who), []);
    assert.deepEqual(await teamsOf(who), [ours.id]);
  });
});

describe('leaving a team', () => {
  test('ends the membership and its channels; the session continues, and a second time there is no such team', async () => {
    const who = await signedIn(node, { team: ours.id });
    await channel(node, ours.id, { type: 'P', members: [who.id] });
    assert.equal((await leave(who)).status, 200);
    assert.deepEqual(await teamsOf(who), []);
    assert.equal((await call(node, getMe, { as: who })).status, 200);
    const left = await node.db
      .selectFrom('channel_members')
      .select('channel_id')
      .where('person_id', '=', who.id)
      .execute();
    assert.deepEqual(left, []);
    assert.equal((await auditRows(node, 'users.left')).at(-1)?.target, who.id);
    assert.equal((await leave(who)).status, 404);
  });

  test('is refused to the last owner, and to a deactivated person', async () => {
    const fresh = await createTeamWithMembers(node);
    const gone = await signedIn(node, { team: fresh.id, deactivated: true });
    const before = await snapshotTables(node);
    assert.deepEqual((await leave(fresh.owner, fresh.id)).body.id, 'users.last_owner');
    assert.equal((await leave(gone, fresh.id)).status, 404);
    assert.deepEqual(await snapshotTables(node), before);
    await user(node, { team: fresh.id, kind: 'owner' });
    assert.equal((await leave(fresh.owner, fresh.id)).status, 200);
  });
});
