import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getChannel, getChannelMember } from '@steward/contract/channels';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { channel, findGeneralChannel, type TestChannel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, person, signedIn, type TestTeam } from '#testing/workspace/factories.ts';
import { saveDeactivated } from '#workspace/people/people.store.ts';

let node: TestApp;
let ours: TestTeam;
let twin: TestTeam;
let general: TestChannel;

before(async () => {
  node = await startApp({ work: false });
  [ours, twin] = [await createTeamWithMembers(node), await createTeamWithMembers(node)];
  general = await findGeneralChannel(node, ours.id);
});

after(() => node[Symbol.asyncDispose]());

const look = (as: { cookie: string }, channelId: string) => call(node, getChannel, { as, params: { channelId } });
const member = (as: { cookie: string }, channelId: string, userId: string) =>
  call(node, getChannelMember, { as, params: { channelId, userId } });

describe('a channel', () => {
  test('is answered in Mattermost’s shape', async () => {
    const { body } = await look(ours.member, general.id);
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
    });
  });

  test('that is archived says so, and can still be looked at', async () => {
    const archived = await channel(node, ours.id, { members: [ours.member.id], deleteAt: 99 });
    assert.equal((await look(ours.member, archived.id)).body.delete_at, 99);
  });

  test('of another team is as unknown as one that does not exist, whatever its kind and however odd the id', async () => {
    const own = await findGeneralChannel(node, twin.id);
    const kept = await channel(node, twin.id, { type: 'P', members: [twin.member.id, ours.owner.id] });
    const unknown = toComparable(await look(ours.owner, newId()));
    assert.equal(unknown.status, 404);
    for (const id of [own.id, kept.id, 'x', '\0', "' or 1=1"])
      assert.deepEqual(toComparable(await look(ours.owner, id)), unknown, id);
  });

  test('is closed to who has left its team, though they had joined it', async () => {
    const kept = await channel(node, ours.id, { type: 'P', members: [twin.member.id] });
    assert.equal((await look(twin.member, kept.id)).status, 404);
  });

  test('is closed to an owner who became the help desk’s account', async () => {
    const desk = await signedIn(node, { team: ours.id, kind: 'owner' });
    assert.equal((await look(desk, general.id)).status, 200);
    await node.db
      .updateTable('memberships')
      .set({ roles: ['team_user', 'team_owner', 'zendesk'] })
      .where('person_id', '=', desk.id)
      .execute();
    assert.equal((await look(desk, general.id)).status, 403);
  });
});

describe('membership of a channel', () => {
  test('is told about those who joined, and about oneself as me', async () => {
    const kept = await channel(node, ours.id, { type: 'P', members: [ours.member.id] });
    const expected = {
      channel_id: kept.id,
      user_id: ours.member.id,
      roles: 'channel_user',
      last_update_at: Date.UTC(2024, 0, 1, 12),
    };
    assert.deepEqual((await member(ours.admin, kept.id, ours.member.id)).body, expected);
    assert.deepEqual((await member(ours.member, kept.id, 'me')).body, expected);
    // An admin may look, and has not joined for that.
    assert.equal((await member(ours.admin, kept.id, 'me')).status, 404);
  });

  test('of general is everybody’s who belongs to the team', async () => {
    const { status, body } = await member(ours.member, general.id, ours.admin.id);
    assert.equal(status, 200);
    assert.ok(body.last_update_at > 0);
  });

  test('is no one’s who cannot sign in, was removed, or is the help desk’s account', async () => {
    const gone = await person(node, { team: ours.id });
    const members = [gone.id, ours.zendesk.id, ours.pending.id, twin.member.id];
    const kept = await channel(node, ours.id, { type: 'P', members });
    assert.equal((await member(ours.admin, kept.id, gone.id)).status, 200);
    await inTransaction(node.db, (trx) => saveDeactivated(trx, gone.id, true));
    const unknown = toComparable(await member(ours.admin, kept.id, newId()));
    assert.equal(unknown.status, 404);
    for (const id of [...members, 'x', '\0']) {
      assert.deepEqual(toComparable(await member(ours.admin, kept.id, id)), unknown);
      assert.deepEqual(toComparable(await member(ours.admin, general.id, id)), unknown);
    }
  });
});
