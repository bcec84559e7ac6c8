import assert from 'node:assert/strict';
import { getChannel, getChannelMember } from '@steward/contract/channels';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { channel, findGeneralChannel, type TestChannel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, deactivate, signedIn, type TestTeam, user } from '#testing/workspace/factories.ts';

let node: TestApp;
let ours: TestTeam;
let twin: TestTeam;
let general: TestChannel;

beforeAll(async () => {
  node = await startApp({ work: false });
  [ours, twin] = [await createTeamWithMembers(node), await createTeamWithMembers(node)];
  general = await findGeneralChannel(node, ours.id);
});

afterAll(() => node[Symbol.asyncDispose]());

const fetchChannel = (as: { cookie: string }, channelId: string) =>
  call(node, getChannel, { as, params: { channelId } });
const member = (as: { cookie: string }, channelId: string, userId: string) =>
  call(node, getChannelMember, { as, params: { channelId, userId } });

describe('a channel', () => {
  test('is returned in Mattermost’s format', async () => {
    const { body } = await fetchChannel(ours.member, general.id);
    assert.ok(body.create_at > 0);
    assert.deepEqual(body, {
      id: general.id,
      create_at: body.create_at,
      update_at: body.create_at,
      delete_at: 0,
      team_id: ours.id,
      type: 'O',
      display_name: 'General',
      name: 'general',
      header: '',
      purpose: '',
      last_post_at: 0,
      creator_id: '',
      compliance_access: [],
    });
  });

  test('that is archived has a delete_at and can still be read', async () => {
    const archived = await channel(node, ours.id, { members: [ours.member.id], deleteAt: 99 });
    assert.equal((await fetchChannel(ours.member, archived.id)).body.delete_at, 99);
  });

  test('is closed to an owner who became a Zendesk user', async () => {
    const desk = await signedIn(node, { team: ours.id, kind: 'owner' });
    assert.equal((await fetchChannel(desk, general.id)).status, 200);
    await node.db
      .updateTable('memberships')
      .set({ roles: ['team_user', 'team_owner', 'zendesk'] })
      .where('person_id', '=', desk.id)
      .execute();
    assert.equal((await fetchChannel(desk, general.id)).status, 403);
  });
});

describe('membership of a channel', () => {
  test('is returned for members, and for the caller as me', async () => {
    const kept = await channel(node, ours.id, { members: [ours.member.id] });
    const expected = {
      channel_id: kept.id,
      user_id: ours.member.id,
      roles: 'channel_user',
      last_update_at: Date.UTC(2024, 0, 1, 12),
    };
    assert.deepEqual((await member(ours.admin, kept.id, ours.member.id)).body, expected);
    assert.deepEqual((await member(ours.member, kept.id, 'me')).body, expected);
    // An admin may read a public channel without being a member.
    assert.equal((await member(ours.admin, kept.id, 'me')).status, 404);
  });

  test('of general includes every member of the team', async () => {
    const { status, body } = await member(ours.member, general.id, ours.admin.id);
    assert.equal(status, 200);
    assert.ok(body.last_update_at > 0);
  });

  test('excludes pending and deactivated users, former members and Zendesk users', async () => {
    const gone = await user(node, { team: ours.id });
    const members = [gone.id, ours.zendesk.id, twin.member.id];
    const kept = await channel(node, ours.id, { members });
    assert.equal((await member(ours.admin, kept.id, gone.id)).status, 200);
    await deactivate(node, ours.id, gone.id);
    const unknown = toComparable(await member(ours.admin, kept.id, newId()));
    assert.equal(unknown.status, 404);
    for (const id of [...members, ours.pending.id, 'x', '\0']) {
      assert.deepEqual(toComparable(await member(ours.admin, kept.id, id)), unknown);
      assert.deepEqual(toComparable(await member(ours.admin, general.id, id)), unknown);
    }
  });
});
