import assert from 'node:assert/strict';
import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { endpoints } from '@steward/contract/api/endpoints';
import { addPost, getChannel, getChannelMember, listPosts } from '@steward/contract/channels';
import { listTeamChannels, previewDefaultChannels, saveDefaultChannels } from '@steward/contract/channels/defaults';
import { getFileInfo } from '@steward/contract/files';
import { listStatuses } from '@steward/contract/session';
import { listTeamMembers, listTeams } from '@steward/contract/session/teams';
import { listUsers, revokeSessions, saveUser } from '@steward/contract/users';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, type Sending, send, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { prepareRequest } from '#testing/authorization/audited-changes.ts';
import { channel, file, findGeneralChannel, message, serviceToken } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam, user } from '#testing/workspace/factories.ts';
import { snapshotTables } from '#testing/workspace/snapshot-tables.ts';

/** Calls of a user about their own membership, which say that there is none. They check ids first. */
const OF_OWN_MEMBERSHIP = ['answerInvitation', 'leaveTeam', 'linkOwnAccount'];
const MALFORMED = ['x', 'a'.repeat(26), "' or 1=1", '\0'];

let node: TestApp;
let ours: TestTeam;
let twin: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false });
  [ours, twin] = [await createTeamWithMembers(node, 'Twin'), await createTeamWithMembers(node, 'Twin')];
});

afterAll(() => node[Symbol.asyncDispose]());

describe('the wall between teams', () => {
  test('every call about a foreign team answers exactly what it answers about a team that does not exist', async () => {
    const general = await findGeneralChannel(node, twin.id);
    const world = { node, teamId: twin.id, member: twin.member, general };
    const requests: [AnyEndpoint, Sending][] = [];
    for (const endpoint of endpoints.filter(({ path }) => path.includes(':teamId')))
      requests.push([endpoint, (await prepareRequest(endpoint.name, world)).request]);
    const service = await serviceToken(node, ours.id);
    const before = await snapshotTables(node, { except: ['presence'] });
    for (const [endpoint, { params, headers = {}, ...request }] of requests) {
      const own = { as: ours.owner, headers: { ...headers, ...('authorization' in headers && service.headers) } };
      const attempt = (teamId: string, more: Sending = {}) =>
        call(node, endpoint, { ...request, ...own, params: { ...params, teamId }, ...more });
      const foreign = toComparable(await attempt(twin.id));
      const isGuarded = !OF_OWN_MEMBERSHIP.includes(endpoint.name);
      assert.equal(foreign.status, isGuarded ? 403 : 404, endpoint.name);
      for (const unknown of [newId(), ...(isGuarded ? MALFORMED : [])])
        assert.deepEqual(toComparable(await attempt(unknown)), foreign, endpoint.name);
      if (isGuarded && endpoint.body)
        assert.deepEqual(toComparable(await attempt(twin.id, { body: 'not even an object' })), foreign, endpoint.name);
    }
    assert.deepEqual(await snapshotTables(node, { except: ['presence'] }), before);
  });

  test('a member of the team, a stranger and a Zendesk user are refused in the same words', async () => {
    const replies = [ours.member, twin.owner, ours.zendesk].map((as) =>
      call(node, listUsers, { as, params: { teamId: ours.id } }),
    );
    const [first, ...others] = (await Promise.all(replies)).map(toComparable);
    for (const other of others) assert.deepEqual(other, first);
  });

  test("another team's user is as unknown as a nonexistent one, and stays signed in", async () => {
    const revoke = (userId: string) =>
      call(node, revokeSessions, { as: ours.owner, params: { teamId: ours.id, userId } });
    const foreign = await revoke(twin.member.id);
    assert.equal(foreign.status, 404);
    for (const unknown of [newId(), 'x', '%00', '..%2f'])
      assert.deepEqual(toComparable(await revoke(unknown)), toComparable(foreign));
    const still = await call(node, listTeams, { as: twin.member, params: { userId: twin.member.id } });
    assert.equal(still.status, 200);
  });

  test('ids of the other team in the body are ignored: only the path says which team', async () => {
    const email = `${newId()}@example.test`;
    const body = {
      email,
      account_type: 2,
      team_id: twin.id,
      teamId: twin.id,
      id: twin.owner.id,
      user_id: twin.owner.id,
    };
    const twinBefore = (await call(node, listUsers, { as: twin.owner, params: { teamId: twin.id } })).body.records;
    const reply = await call(node, saveUser, { as: ours.owner, params: { teamId: ours.id }, body });
    assert.equal(reply.status, 200);
    const twinAfter = (await call(node, listUsers, { as: twin.owner, params: { teamId: twin.id } })).body.records;
    assert.deepEqual(twinAfter, twinBefore);
  });

  test('ids of the other team in the query change nothing about whose people are listed', async () => {
    const query = { team_id: twin.id, teamId: twin.id };
    const { body } = await call(node, listUsers, { as: ours.owner, params: { teamId: ours.id }, query });
    const ids = body.records.map((row: { id: string }) => row.id);
    assert.ok(ids.includes(ours.member.id));
    for (const foreign of [twin.owner, twin.admin, twin.member]) assert.ok(!ids.includes(foreign.id));
  });

  test('a last_key of the other team is refused, with the same filters and the same names', async () => {
    await Promise.all([user(node, { team: ours.id }), user(node, { team: twin.id })]);
    const first = await call(node, listUsers, { as: twin.owner, params: { teamId: twin.id }, query: { limit: '2' } });
    const query = { limit: '2', last_key: first.body.last_key };
    assert.equal((await call(node, listUsers, { as: twin.owner, params: { teamId: twin.id }, query })).status, 200);
    const reply = await call(node, listUsers, { as: ours.owner, params: { teamId: ours.id }, query });
    assert.equal(reply.status, 400);
    assert.match(reply.body.message, /^last_key/);
  });

  test('statuses of people without a common team are left out, as if they did not exist', async () => {
    const body = [ours.member.id, twin.member.id, newId()];
    const reply = await call(node, listStatuses, { as: ours.owner, body });
    assert.deepEqual(
      reply.body.map((status: { user_id: string }) => status.user_id),
      [ours.member.id],
    );
  });

  test('teams and memberships of another user are refused like those of a nonexistent one', async () => {
    for (const endpoint of [listTeams, listTeamMembers]) {
      const ask = (userId: string) => call(node, endpoint, { as: ours.owner, params: { userId } });
      const foreign = toComparable(await ask(twin.owner.id));
      assert.deepEqual(toComparable(await ask(newId())), foreign);
      assert.deepEqual(toComparable(await ask('x')), foreign);
      assert.deepEqual(toComparable(await ask(ours.member.id)), foreign);
    }
  });

  test('a foreign channel, its members, posts and files are as unknown as those that do not exist', async () => {
    const [own, foreign] = [await findGeneralChannel(node, ours.id), await findGeneralChannel(node, twin.id)];
    const useTwin = {
      post: await message(node, twin.id, { channel: foreign }),
      file: (await file(node, twin.id, { channel: foreign, userId: ours.owner.id })).id,
    };
    const before = await snapshotTables(node, { except: ['presence'] });
    const as = ours.owner;
    const inChannel = (channelId: string) => [
      call(node, getChannel, { as, params: { channelId } }),
      call(node, getChannelMember, { as, params: { channelId, userId: 'me' } }),
      call(node, listPosts, { as, params: { channelId } }),
      call(node, addPost, { as, body: { channel_id: channelId, message: 'Good morning' } }),
    ];
    const [theirs, nobodys] = await Promise.all([foreign.id, newId()].map((id) => Promise.all(inChannel(id))));
    assert.deepEqual(theirs?.map(toComparable), nobodys?.map(toComparable));
    assert.deepEqual(
      theirs?.map(({ status }) => status),
      [404, 404, 404, 404],
    );
    /** Calls of the own team that name something of the other → the same about nothing at all. */
    const attempts = [
      (_: string, userId: string) => call(node, getChannelMember, { as, params: { channelId: own.id, userId } }),
      (post: string) => call(node, listPosts, { as, params: { channelId: own.id }, query: { before: post } }),
      (post: string) => call(node, addPost, { as, body: { channel_id: own.id, message: 'x', root_id: post } }),
      (id: string) => call(node, addPost, { as, body: { channel_id: own.id, message: 'x', file_ids: [id] } }),
      (fileId: string) => call(node, getFileInfo, { as, params: { fileId } }),
      (id: string) => send(node, { url: `/api/v4/files/${id}`, headers: { cookie: as.cookie } }),
    ];
    for (const [at, attempt] of attempts.entries()) {
      const id = at < 3 ? useTwin.post : useTwin.file;
      assert.deepEqual(
        toComparable(await attempt(id, twin.member.id)),
        toComparable(await attempt(newId(), newId())),
        String(at),
      );
    }
    assert.deepEqual(await snapshotTables(node, { except: ['presence'] }), before);
  });

  test('channels of another team are not listed, and as default channels they are as unknown as nonexistent ones', async () => {
    const params = { teamId: ours.id };
    const [own, general] = [await findGeneralChannel(node, ours.id), await findGeneralChannel(node, twin.id)];
    // A channel membership of a user who left the team.
    const joined = await channel(node, twin.id, { type: 'P', members: [ours.owner.id] });
    const offered = (await call(node, listTeamChannels, { as: ours.owner, params })).body;
    const ids = offered.map(({ id }: { id: string }) => id);
    assert.ok(ids.includes(own.id) && !ids.includes(general.id) && !ids.includes(joined.id));
    const before = await snapshotTables(node, { except: ['presence'] });
    for (const endpoint of [saveDefaultChannels, previewDefaultChannels]) {
      const choose = async (...chosen: string[]) =>
        toComparable(await call(node, endpoint, { as: ours.owner, params, body: { default_channels: chosen } }));
      const unknown = await choose(own.id, newId());
      assert.equal(unknown.status, 400);
      for (const foreign of [general, joined]) assert.deepEqual(await choose(own.id, foreign.id), unknown);
      assert.deepEqual(await choose(general.id), await choose(newId()));
    }
    assert.deepEqual(await snapshotTables(node, { except: ['presence'] }), before);
  });

  test("the picture of another team's user is as unknown as a nonexistent one", async () => {
    const look = (id: string) =>
      send(node, { url: `/api/v4/users/${id}/image`, headers: { cookie: ours.member.cookie } });
    assert.equal((await look(ours.owner.id)).status, 200);
    assert.deepEqual(toComparable(await look(twin.owner.id)), toComparable(await look(newId())));
    assert.equal((await look(twin.owner.id)).status, 404);
  });
});
