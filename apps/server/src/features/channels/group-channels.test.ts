import assert from 'node:assert/strict';
import { listPosts } from '@steward/contract/channels';
import { saveDefaultChannels } from '@steward/contract/channels/defaults';
import { listChannelGroups, previewChannelGroup, saveChannelGroup } from '@steward/contract/channels/groups';
import { deactivateUser, reactivateUser } from '@steward/contract/users/lifecycle';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { buildGroup, buildUser, scim, scimToken, type TestProvisioner, toPatch } from '#testing/peers/scim.ts';
import { channel, findGeneralChannel, type TestChannel } from '#testing/workspace/content.ts';
import { addMembers, createTeamWithMembers, type TestTeam, user } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let ours: TestTeam;
let idp: TestProvisioner;

beforeAll(async () => {
  node = await startApp({ pool: 4 });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  ours = await createTeamWithMembers(node);
  idp = await scimToken(node, ours.id, ours.owner.id);
});

const params = () => ({ teamId: ours.id });
const about = (userId: string) => ({ as: ours.owner, params: { ...params(), userId } });

async function group(name: string, memberIds: readonly string[] = [], more: object = {}): Promise<string> {
  const reply = await scim(node, idp, 'POST /Groups', { body: buildGroup(name, memberIds, more) });
  assert.equal(reply.status, 201, reply.text);
  return (reply.body as { id: string }).id;
}

async function patch(groupId: string, op: 'add' | 'remove', userId: string): Promise<void> {
  const operation =
    op === 'add' ? { op, path: 'members', value: [{ value: userId }] } : { op, path: `members[value eq "${userId}"]` };
  const reply = await scim(node, idp, `PATCH /Groups/${groupId}`, { body: toPatch(operation) });
  assert.equal(reply.status, 204, reply.text);
}

/** Saves a mapping, and waits for its job. */
async function map(groupId: string, channels: readonly TestChannel[]) {
  const body = { group_id: groupId, channel_ids: channels.map(({ id }) => id) };
  const reply = await call(node, saveChannelGroup, { as: ours.owner, params: params(), body });
  await settled(node);
  return reply;
}

/** Members of a channel with the reason for which they are in it. */
async function members({ id }: TestChannel): Promise<Record<string, string>> {
  const rows = await node.db
    .selectFrom('channel_members')
    .select(['person_id', 'reason'])
    .where('channel_id', '=', id)
    .orderBy('person_id')
    .execute();
  return Object.fromEntries(rows.map(({ person_id, reason }) => [person_id, reason]));
}

describe('a mapped group', () => {
  test('adds its members to its channels, and removes whom it had added, by the next change of the provider', async () => {
    const open = await channel(node, ours.id);
    const id = await group('Engineering', [ours.member.id]);
    await map(id, [open]);
    assert.deepEqual(await members(open), { [ours.member.id]: 'group' });
    await patch(id, 'add', ours.admin.id);
    assert.deepEqual(await members(open), { [ours.member.id]: 'group', [ours.admin.id]: 'group' });
    await patch(id, 'remove', ours.member.id);
    assert.deepEqual(await members(open), { [ours.admin.id]: 'group' });
    assert.equal((await scim(node, idp, `DELETE /Groups/${id}`)).status, 204);
    assert.deepEqual(await members(open), {});
    const rows = (await auditRows(node, 'channels.groups_applied')).filter(({ team_id }) => team_id === ours.id);
    assert.deepEqual(
      rows.map(({ details }) => [details.group_id, details.joined, details.removed]),
      [
        ['', 1, 0],
        [id, 1, 0],
        [id, 0, 1],
        [id, 0, 1],
      ],
    );
  });

  test('leaves those in a channel whom a person, a default channel or another group has put there', async () => {
    const [byPerson, byDefault, byOther] = [
      await channel(node, ours.id, { members: [ours.member.id] }),
      await channel(node, ours.id),
      await channel(node, ours.id),
    ];
    const id = await group('Engineering', [ours.member.id]);
    await map(id, [byPerson, byDefault, byOther]);
    await map(await group('All staff', [ours.member.id]), [byOther]);
    const general = await findGeneralChannel(node, ours.id);
    const defaults = { default_channels: [general.id, byDefault.id], add_existing: true };
    await call(node, saveDefaultChannels, { as: ours.owner, params: params(), body: defaults });
    await settled(node);
    await patch(id, 'remove', ours.member.id);
    assert.deepEqual((await members(byPerson))[ours.member.id], 'person');
    assert.deepEqual((await members(byDefault))[ours.member.id], 'default');
    assert.deepEqual((await members(byOther))[ours.member.id], 'group');
  });

  test('reaches people when they become members: by invitation, single sign-on or reactivation', async () => {
    const open = await channel(node, ours.id);
    const reply = await scim(node, idp, 'POST /Users', { body: buildUser('ada@example.test') });
    const { id: invited } = reply.body as { id: string };
    const id = await group('Engineering', [invited, ours.member.id]);
    await call(node, deactivateUser, about(ours.member.id));
    await map(id, [open]);
    assert.deepEqual(await members(open), {}, 'neither an invitation nor a deactivated member joins');
    await call(node, reactivateUser, about(ours.member.id));
    assert.deepEqual(await members(open), { [ours.member.id]: 'group' });
  });

  test('keeps a deactivated member in its channels, unless they leave the group', async () => {
    const open = await channel(node, ours.id);
    const id = await group('Engineering', [ours.member.id]);
    await map(id, [open]);
    await call(node, deactivateUser, about(ours.member.id));
    assert.deepEqual(await members(open), { [ours.member.id]: 'group' });
    await patch(id, 'remove', ours.member.id);
    assert.deepEqual(await members(open), {});
  });

  test('announces in a private channel who joined, without an author', async () => {
    const secret = await channel(node, ours.id, { type: 'P', members: [ours.owner.id] });
    const open = await channel(node, ours.id, { members: [ours.owner.id] });
    const id = await group('Engineering', [ours.member.id, ours.admin.id]);
    await map(id, [secret, open]);
    const posts = async (channelId: string) => {
      const { body } = await call(node, listPosts, { as: ours.owner, params: { channelId } });
      return body.order.map((post: string) => [body.posts[post].user_id, body.posts[post].message]);
    };
    const [[author, text], ...more] = await posts(secret.id);
    assert.deepEqual([author, more], ['', []]);
    assert.match(text, /^.+ and .+ joined because of a group of the identity provider\.$/);
    assert.deepEqual(await posts(open.id), []);
  });

  test('adds nobody to an archived channel, but removes who leaves the group', async () => {
    const [gone, open] = [await channel(node, ours.id), await channel(node, ours.id)];
    const id = await group('Engineering', [ours.member.id]);
    await map(id, [gone, open]);
    await node.db.updateTable('channels').set({ delete_at: 1 }).where('id', '=', gone.id).execute();
    await patch(id, 'add', ours.admin.id);
    assert.deepEqual(
      [Object.keys(await members(gone)), Object.keys(await members(open)).length],
      [[ours.member.id], 2],
    );
    const { body } = await call(node, listChannelGroups, { as: ours.owner, params: params() });
    const archived = body.records[0].channels.filter((each: { archived: boolean }) => each.archived);
    assert.deepEqual([archived.length, archived[0].channel_id], [1, gone.id]);
    assert.equal((await map(id, [gone])).status, 200, 'an archived channel that is mapped already may stay');
    assert.equal((await map(await group('Sales'), [gone])).body.id, 'channels.not_of_team');
    await patch(id, 'remove', ours.member.id);
    assert.deepEqual(await members(gone), {});
  });
});

describe('a mapping', () => {
  test('is shown with its effect before it is saved, and the effect is what then happens', async () => {
    const [first, second] = [await channel(node, ours.id), await channel(node, ours.id)];
    const id = await group('Engineering', [ours.member.id, ours.admin.id, ours.owner.id], { externalId: 'g-1' });
    await call(node, deactivateUser, about(ours.member.id));
    const preview = async (channels: readonly TestChannel[]) => {
      const body = { group_id: id, channel_ids: channels.map((each) => each.id) };
      const { body: effect } = await call(node, previewChannelGroup, { as: ours.owner, params: params(), body });
      return new Map(
        effect.channels.map((each: { channel_id: string; joining: number; leaving: number }) => [
          each.channel_id,
          [each.joining, each.leaving],
        ]),
      );
    };
    assert.deepEqual(await preview([first]), new Map([[first.id, [2, 0]]]));
    const { body } = await map(id, [first]);
    assert.partialDeepStrictEqual(body, { id, name: 'Engineering', external_id: 'g-1', members: 3 });
    assert.equal(Object.keys(await members(first)).length, 2);
    assert.deepEqual(
      await preview([second]),
      new Map([
        [first.id, [0, 2]],
        [second.id, [2, 0]],
      ]),
    );
    await map(id, [second]);
    assert.deepEqual([Object.keys(await members(first)).length, Object.keys(await members(second)).length], [0, 2]);
    const { body: list } = await call(node, listChannelGroups, { as: ours.owner, params: params() });
    assert.partialDeepStrictEqual(list.run, { state: 'done', joined: 2, removed: 2 });
  });

  test('that is saved again unchanged does nothing', async () => {
    const open = await channel(node, ours.id);
    const id = await group('Engineering', [ours.member.id]);
    await map(id, [open]);
    await map(id, [open]);
    const rows = (await auditRows(node, 'channels.group_saved')).filter(({ team_id }) => team_id === ours.id);
    assert.deepEqual(
      rows.map(({ details }) => [details.name, details.before, details.after]),
      [['Engineering', [], [open.id]]],
    );
  });

  test('that changes while its job is running is applied from the beginning', async () => {
    const [first, second] = [await channel(node, ours.id), await channel(node, ours.id)];
    await addMembers(node, ours.id, 500);
    const many = await node.db.selectFrom('memberships').select('person_id').where('team_id', '=', ours.id).execute();
    const id = await group(
      'All staff',
      many.map(({ person_id }) => person_id),
    );
    const save = (channels: readonly TestChannel[]) =>
      call(node, saveChannelGroup, {
        as: ours.owner,
        params: params(),
        body: { group_id: id, channel_ids: channels.map((each) => each.id) },
      });
    const replies = await Promise.all([save([first]), save([second]), save([first, second])]);
    replies.push(await save([second]));
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    await settled(node);
    assert.deepEqual([Object.keys(await members(first)).length, Object.keys(await members(second)).length], [0, 503]);
  });
});

test('channels follow groups through random changes', async () => {
  const random = createRandom(20_261_127);
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
  const channels = await Promise.all(
    (['O', 'P', 'O', 'P'] as const).map((type) => channel(node, ours.id, { type, members: [ours.owner.id] })),
  );
  const users = await Promise.all(Array.from({ length: 6 }, () => user(node, { team: ours.id })));
  const groups = [await group('A'), await group('B'), await group('C')];
  const model = {
    members: new Map(groups.map((id) => [id, new Set<string>()])),
    mapped: new Map(groups.map((id) => [id, new Set<TestChannel>()])),
    deactivated: new Set<string>(),
    joined: new Map(channels.map((each) => [each, new Set<string>()])),
  };
  /** Applies a change to these users: joining needs an active member, leaving doesn't. */
  const apply = (ids: readonly string[]) => {
    for (const each of channels) {
      for (const id of ids) {
        const isIn = groups.some((one) => model.members.get(one)?.has(id) && model.mapped.get(one)?.has(each));
        if (!isIn) model.joined.get(each)?.delete(id);
        else if (!model.deactivated.has(id)) model.joined.get(each)?.add(id);
      }
    }
  };
  for (let step = 0; step < 30; step += 1) {
    const [one, { id: userId }, each] = [pick(groups), pick(users), pick(channels)];
    const action = pick(['add', 'add', 'remove', 'map', 'map', 'unmap', 'deactivate', 'reactivate'] as const);
    const mapped = model.mapped.get(one) as Set<TestChannel>;
    if (action === 'add' || action === 'remove') {
      await patch(one, action, userId);
      if (action === 'add') model.members.get(one)?.add(userId);
      else model.members.get(one)?.delete(userId);
      apply([userId]);
    } else if (action === 'map' || action === 'unmap') {
      if (action === 'map') mapped.add(each);
      else mapped.delete(each);
      assert.equal((await map(one, [...mapped])).status, 200);
      apply(users.map(({ id }) => id));
    } else {
      await call(node, action === 'deactivate' ? deactivateUser : reactivateUser, about(userId));
      if (action === 'deactivate') model.deactivated.add(userId);
      else if (model.deactivated.delete(userId)) apply([userId]);
    }
    for (const [at, shown] of model.joined) {
      const { [ours.owner.id]: own, ...rest } = await members(at);
      assert.deepEqual([own, Object.keys(rest)], ['person', [...shown].sort()], `step ${step}: ${action}`);
    }
  }
});

/** A sequence of numbers from 0 to 1 that a seed determines. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
