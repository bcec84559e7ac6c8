import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { channel, findGeneralChannel, type TestChannel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, join, type TestTeam, user } from '#testing/workspace/factories.ts';
import { joinDefaultChannels } from './channels.store.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  ours = await createTeamWithMembers(node);
});

const makeDefault = async (teamId: string, ...channels: { id: string }[]) => {
  const rows = channels.map(({ id }) => ({ team_id: teamId, channel_id: id, channel_name: 'A name' }));
  await node.db.insertInto('default_channels').values(rows).execute();
};
const joinAll = (userId: string, teamId = ours.id) =>
  inTransaction(node.db, (trx) => joinDefaultChannels(trx, userId, teamId));
const joinedBy = async (userId: string) => {
  const { rows } = await sql<{ id: string; at: number }>`select channel_id as id, create_at as at from channel_members
    where person_id = ${userId}`.execute(node.db);
  return rows;
};
const getIds = async (userId: string) => new Set((await joinedBy(userId)).map(({ id }) => id));
const toIdSet = (...channels: TestChannel[]) => new Set(channels.map(({ id }) => id));

describe('a new member of a team', () => {
  test('joins its open default channels, public and private, and no others', async () => {
    const [open, secret] = [await channel(node, ours.id), await channel(node, ours.id, { type: 'P' })];
    const archived = await channel(node, ours.id, { deleteAt: 9 });
    const direct = await channel(node, ours.id, { type: 'D', members: [ours.owner.id] });
    await channel(node, ours.id);
    await makeDefault(ours.id, open, secret, archived, direct, await findGeneralChannel(node, ours.id), {
      id: newId(),
    });
    await joinAll(ours.member.id);
    assert.deepEqual(await getIds(ours.member.id), toIdSet(open, secret));
    assert.deepEqual(await getIds(ours.admin.id), new Set());
  });

  test('keeps existing memberships with their dates', async () => {
    const [old, fresh] = [
      await channel(node, ours.id, { members: [ours.member.id] }),
      await channel(node, ours.id, { members: [ours.owner.id] }),
    ];
    const own = await channel(node, ours.id, { members: [ours.member.id] });
    await makeDefault(ours.id, old, fresh);
    const before = await joinedBy(ours.member.id);
    for (let time = 0; time < 2; time += 1) await joinAll(ours.member.id);
    const after = await joinedBy(ours.member.id);
    for (const row of before) assert.ok(after.some(({ id, at }) => id === row.id && at === row.at));
    assert.deepEqual(await getIds(ours.member.id), toIdSet(old, fresh, own));
  });

  test('joins nothing as a Zendesk user or in other teams', async () => {
    const twin = await createTeamWithMembers(node);
    await makeDefault(ours.id, await channel(node, ours.id));
    await makeDefault(twin.id, await channel(node, twin.id));
    await joinAll(ours.zendesk.id);
    await joinAll((await user(node)).id);
    await joinAll(ours.member.id, twin.id);
    for (const { id } of [ours.zendesk, ours.member]) assert.deepEqual(await getIds(id), new Set());
  });

  test('joins the channels of the given team, and of no other of their teams', async () => {
    const twin = await createTeamWithMembers(node);
    const [own, other] = [await channel(node, ours.id), await channel(node, twin.id)];
    await makeDefault(ours.id, own);
    await makeDefault(twin.id, other);
    await join(node, twin.id, ours.admin.id);
    await joinAll(ours.admin.id, twin.id);
    assert.deepEqual(await getIds(ours.admin.id), toIdSet(other));
  });
});
