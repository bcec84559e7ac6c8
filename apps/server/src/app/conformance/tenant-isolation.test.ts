import assert from 'node:assert/strict';
import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { listAuditEvents } from '@steward/contract/audit';
import { addPost, getChannel, getChannelMember, listPosts } from '@steward/contract/channels';
import {
  getChannelJoin,
  getDefaultChannels,
  listTeamChannels,
  previewDefaultChannels,
  saveDefaultChannels,
} from '@steward/contract/channels/defaults';
import { listChannelGroups, previewChannelGroup, saveChannelGroup } from '@steward/contract/channels/groups';
import * as connections from '@steward/contract/connections';
import { getFileInfo } from '@steward/contract/files';
import {
  getAttention,
  getIntegrationsSummary,
  getPeopleSummary,
  getRetentionSummary,
  getSignInSummary,
  getStorageSummary,
} from '@steward/contract/home';
import {
  connectIntegration,
  disableIntegration,
  getIntegration,
  listIntegrations,
  previewTemplate,
  saveIntegration,
  testIntegration,
} from '@steward/contract/integrations';
import { getDelivery, listDeliveries, redeliver, redeliverFailed } from '@steward/contract/integrations/deliveries';
import { listStatuses } from '@steward/contract/session';
import { listTeamMembers, listTeams } from '@steward/contract/session/teams';
import { addToken, listTokens, removeToken } from '@steward/contract/tokens';
import { listUsers, revokeSessions, saveUser } from '@steward/contract/users';
import {
  confirmInactivityNight,
  getInactivity,
  previewInactivity,
  removeInactivityException,
  reportActivity,
  saveInactivity,
  saveInactivityException,
  undoInactivityNight,
} from '@steward/contract/users/inactivity';
import { addInvitationLink, listInvitationLinks, revokeInvitationLink } from '@steward/contract/users/invitation-links';
import { listSessions, revokeSession } from '@steward/contract/users/sessions';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { toIntegrationId } from '#features/integrations/providers/registry.ts';
import { addGroup } from '#features/scim/groups/groups.store.ts';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call, send, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { filledServer } from '#testing/workspace/connections.ts';
import { channel, file, findGeneralChannel, ingest, message, serviceToken } from '#testing/workspace/content.ts';
import { createTeamWithMembers, findSessionId, type TestTeam, user } from '#testing/workspace/factories.ts';
import { TOKEN_LOGIN } from '#testing/workspace/helpdesk.ts';
import { inactivityNight } from '#testing/workspace/inactivity.ts';
import { failedDelivery } from '#testing/workspace/integrations.ts';
import { snapshotTables } from '#testing/workspace/snapshot-tables.ts';

const ABOUT_HELP_DESK: readonly AnyEndpoint[] = [
  connectIntegration,
  getIntegration,
  saveIntegration,
  disableIntegration,
  previewTemplate,
  testIntegration,
  listDeliveries,
  redeliverFailed,
];

const KEEP_ALL = { public_channels: { value: 0 }, private_channels: { value: 0 } };

const ABOUT_CONNECTIONS: readonly [AnyEndpoint, unknown][] = [
  [connections.listConnections, undefined],
  [connections.acceptConnection, undefined],
  [connections.leaveConnection, undefined],
  [connections.pauseConnection, { paused: true }],
  [connections.listConnectedUsers, undefined],
  [connections.askConnectedServer, { action: 'revoke_sessions', user_ids: ['ada'] }],
  [connections.inviteConnectedUser, { email: 'ada@chat.test' }],
  [connections.unlinkConnectedUser, undefined],
  [connections.listConnectedChannels, undefined],
  [connections.saveConnectedDefaults, { channel_ids: ['general'] }],
  [connections.getConnectedRules, undefined],
  [connections.saveConnectedRules, KEEP_ALL],
  [connections.previewConnectedRules, KEEP_ALL],
  [connections.listOrders, undefined],
  [connections.stopOrder, undefined],
  [connections.listOrderRows, undefined],
];

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
    const [own, theirs] = [await serviceToken(node, ours.id), await serviceToken(node, twin.id)];
    const deliveryId = await failedDelivery(node, twin.id, await findGeneralChannel(node, twin.id));
    const integrationId = toIntegrationId(twin.id, 'zendesk');
    const body = { email: twin.member.email, account_type: 1 };
    const defaults = { default_channels: [(await findGeneralChannel(node, twin.id)).id], add_existing: true };
    const theirGroup = { teamId: twin.id, displayName: 'Engineering', externalId: null };
    const group_id = await inTransaction(node.db, (trx) => addGroup(trx, theirGroup));
    const mapping = { group_id, channel_ids: [] };
    const chat = await filledServer(node, { teamId: twin.id, acceptedBy: twin.owner.id, ready: true });
    const theirOrder = { connectionId: chat.id, orderId: chat.orderId };
    const session = { session_id: await findSessionId(node, twin.member) };
    const inactivity = { is_on: true, source: 'reports', days: 90, skips_held: true, skips_provisioned: true };
    const night = await inactivityNight(node, twin.id, 'done');
    const before = await snapshotTables(node, { except: ['presence'] });
    const attempts = [
      (teamId: string) => call(node, listUsers, { as: ours.owner, params: { teamId } }),
      (teamId: string) => call(node, saveUser, { as: ours.owner, params: { teamId }, body }),
      (teamId: string) => call(node, saveUser, { as: ours.owner, params: { teamId }, body: 'not even an object' }),
      (teamId: string) => call(node, revokeSessions, { as: ours.owner, params: { teamId, userId: twin.member.id } }),
      (teamId: string) => call(node, revokeSessions, { as: ours.owner, params: { teamId, userId: newId() } }),
      ...[
        getAttention,
        getPeopleSummary,
        getSignInSummary,
        getStorageSummary,
        getRetentionSummary,
        getIntegrationsSummary,
      ].map((endpoint) => (teamId: string) => call(node, endpoint, { as: ours.owner, params: { teamId } })),
      (teamId: string) => call(node, listSessions, { as: ours.owner, params: { teamId, userId: twin.member.id } }),
      (teamId: string) =>
        call(node, revokeSession, { as: ours.owner, params: { teamId, userId: twin.member.id }, body: session }),
      (teamId: string) => call(node, listAuditEvents, { as: ours.owner, params: { teamId } }),
      (teamId: string) => call(node, listTokens, { as: ours.owner, params: { teamId } }),
      (teamId: string) => call(node, addToken, { as: ours.owner, params: { teamId }, body: { name: 'Chat' } }),
      (teamId: string) => call(node, removeToken, { as: ours.owner, params: { teamId, tokenId: theirs.id } }),
      (teamId: string) => call(node, listInvitationLinks, { as: ours.owner, params: { teamId } }),
      (teamId: string) =>
        call(node, addInvitationLink, { as: ours.owner, params: { teamId }, body: { hours: 1, max_uses: 1 } }),
      (teamId: string) => call(node, revokeInvitationLink, { as: ours.owner, params: { teamId, linkId: newId() } }),
      ...[saveInactivity, previewInactivity].map(
        (endpoint) => (teamId: string) =>
          call(node, endpoint, { as: ours.owner, params: { teamId }, body: inactivity }),
      ),
      (teamId: string) => call(node, getInactivity, { as: ours.owner, params: { teamId } }),
      (teamId: string) =>
        call(node, saveInactivityException, {
          ...{ as: ours.owner, params: { teamId } },
          body: { user_id: twin.member.id, reason: 'Sabbatical' },
        }),
      (teamId: string) =>
        call(node, removeInactivityException, { as: ours.owner, params: { teamId, userId: twin.member.id } }),
      ...[confirmInactivityNight, undoInactivityNight].map(
        (endpoint) => (teamId: string) => call(node, endpoint, { as: ours.owner, params: { teamId, night } }),
      ),
      (teamId: string) =>
        call(node, reportActivity, { params: { teamId }, headers: own.headers, body: { activity: [] } }),
      (teamId: string) => call(node, listTeamChannels, { as: ours.owner, params: { teamId } }),
      (teamId: string) => call(node, getDefaultChannels, { as: ours.owner, params: { teamId } }),
      (teamId: string) => call(node, saveDefaultChannels, { as: ours.owner, params: { teamId }, body: defaults }),
      (teamId: string) => call(node, previewDefaultChannels, { as: ours.owner, params: { teamId }, body: defaults }),
      (teamId: string) => call(node, listChannelGroups, { as: ours.owner, params: { teamId } }),
      (teamId: string) => call(node, saveChannelGroup, { as: ours.owner, params: { teamId }, body: mapping }),
      (teamId: string) => call(node, previewChannelGroup, { as: ours.owner, params: { teamId }, body: mapping }),
      (teamId: string) => call(node, getChannelJoin, { as: ours.owner, params: { teamId } }),
      ...ABOUT_CONNECTIONS.map(
        ([endpoint, body]) =>
          (teamId: string) =>
            call(node, endpoint, { as: ours.owner, params: { teamId, ...theirOrder }, body }),
      ),
      (teamId: string) => call(node, listIntegrations, { as: ours.owner, params: { teamId } }),
      ...ABOUT_HELP_DESK.map((endpoint) => (teamId: string) => {
        const params = { teamId, integrationId: toIntegrationId(twin.id, 'zendesk') };
        return call(node, endpoint, { as: ours.owner, params, ...(endpoint.body && { body: TOKEN_LOGIN }) });
      }),
      (teamId: string) => call(node, getDelivery, { as: ours.owner, params: { teamId, integrationId, deliveryId } }),
      (teamId: string) => call(node, redeliver, { as: ours.owner, params: { teamId, integrationId, deliveryId } }),
      (teamId: string) => ingest(node, { ...own, teamId }, [{ kind: 'note', external_id: 'n', created_at: 1 }]),
    ];
    for (const attempt of attempts) {
      const foreign = toComparable(await attempt(twin.id));
      assert.equal(foreign.status, 403);
      for (const unknown of [newId(), 'x', 'a'.repeat(26), "' or 1=1", '\0'])
        assert.deepEqual(toComparable(await attempt(unknown)), foreign);
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
