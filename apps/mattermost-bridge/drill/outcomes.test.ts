// The bridge between a simulated Mattermost server and the real Steward, in one process: what becomes of orders that can't be finished.
import assert from 'node:assert/strict';
import { leaveConnection, listOrders } from '@steward/contract/connections';
import { releaseLease } from '@steward/contract/connections/connector';
import { sql } from 'kysely';
import { test } from 'vitest';
import { endConnections } from '../../server/src/features/connections/end-connections.store.ts';
import { openOrder } from '../../server/src/features/connections/orders/orders.actions.ts';
import { renewToken } from '../../server/src/features/connections/servers.store.ts';
import { inTransaction } from '../../server/src/platform/database/database.ts';
import { call } from '../../server/testing/app/call.ts';
import { startApp, type TestApp } from '../../server/testing/app/start-app.ts';
import { connectedRule, connectedServer, waitTwoDays } from '../../server/testing/workspace/connections.ts';
import { createTeamWithMembers, type TestTeam } from '../../server/testing/workspace/factories.ts';
import { createBridge, reportSetup, runRound, takeLease } from '../src/bridge.ts';
import { createMattermost } from '../src/mattermost.client.ts';
import { createSteward } from '../src/steward.client.ts';
import { type Rig, rig } from '../testing/rig.ts';

const RULE = { value: 1, duration: { count: 60, period: 'd' } } as const;

/** The bridge rehearses at most every ten minutes. */
const REHEARSAL_AGAIN_MS = 600_001;

interface Stage extends Rig {
  node: TestApp;
  /** The teams here that govern talk, and quay of another team there. */
  teams: [TestTeam, TestTeam];
  connectionId: string;
  bridge: ReturnType<typeof createBridge>;
  quay: ReturnType<Rig['at']['addChannel']>;
  pass(ms: number): void;
  /** Runs rounds until one has nothing to do. */
  settle(): Promise<void>;
  open(): Promise<void>;
  orders(of: TestTeam): Promise<Record<string, unknown>[]>;
}

/** A server whose messages are listed and have been known for two days, with a rule for each of its two teams. */
async function openStage(write: (rigged: Rig, quay: Stage['quay']) => void): Promise<Stage> {
  const node = await startApp({ work: false, listen: true, pool: 4 });
  const rigged = await rig();
  const harbor = rigged.at.addTeam('harbor');
  const quay = rigged.at.addChannel(harbor, 'quay');
  write(rigged, quay);
  const teams: Stage['teams'] = [await createTeamWithMembers(node), await createTeamWithMembers(node)];
  const [ours, theirs] = teams;
  const first = { teamId: ours.id, acceptedBy: ours.owner.id, remoteTeamId: rigged.team.id };
  const connection = await connectedServer(node, first);
  const second = { teamId: theirs.id, acceptedBy: theirs.owner.id, remoteTeamId: harbor.id, on: connection };
  const mappings = [connection, await connectedServer(node, second)];
  await connection.send(releaseLease);
  let shift = 0;
  const mattermost = createMattermost({ url: rigged.at.url, token: rigged.token });
  const bridge = createBridge({
    mattermost,
    urgent: mattermost,
    name: 'test',
    print: () => undefined,
    now: () => Date.now() + shift,
    steward: createSteward({ url: node.url, token: connection.token }),
  });
  const settle = async () => {
    await takeLease(bridge);
    await reportSetup(bridge);
    while ((await runRound(bridge)) !== 'nothing') await takeLease(bridge);
  };
  const open = async () => {
    for (const { id, teamId } of mappings)
      await inTransaction(node.db, (trx) => openOrder(trx, node.deps, { serverId: id, teamId }));
  };
  await settle();
  await waitTwoDays(node);
  await sql`update connected_teams set accepted_at = accepted_at - interval '1 day'`.execute(node.db);
  for (const mapping of mappings) await connectedRule(node, mapping, { rule: RULE });
  await open();
  const orders = async ({ id: teamId, admin }: TestTeam) =>
    (await call(node, listOrders, { as: admin, params: { teamId, connectionId: connection.id } })).body.records;
  const pass = (ms: number) => {
    shift += ms;
  };
  return {
    ...rigged,
    node,
    teams,
    connectionId: connection.id,
    bridge,
    quay,
    pass,
    settle,
    open,
    orders,
    async [Symbol.asyncDispose]() {
      await rigged[Symbol.asyncDispose]();
      await node[Symbol.asyncDispose]();
    },
  };
}

const begunLongAgo = ({ db }: TestApp) =>
  sql`update connected_permits set begun_at = begun_at - interval '11 minutes' where closed_at is null`.execute(db);

test('a server that answers 200 and does nothing, forever, holds up neither the order nor the other team', async () => {
  await using stage = await openStage(({ old, at, ada, longAgo }, quay) => {
    old({ message: 'stuck' });
    old();
    longAgo(() => at.post(quay, ada));
  });
  const { at, node, teams, talk, quay } = stage;
  const stuck = [...at.world.posts.inChannel(talk.id)].find(({ message }) => message === 'stuck')!;
  at.fault({ method: 'DELETE', path: new RegExp(stuck.id), status: 200 });
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await stage.settle();
    stage.pass(30_001);
    if (attempt === 3) await begunLongAgo(node);
  }
  await stage.settle();
  const left = (channel: string) => [...at.world.posts.inChannel(channel)].filter(({ type }) => type === '');
  assert.deepEqual([left(talk.id).map(({ id }) => id), left(quay.id)], [[stuck.id], []]);
  assert.partialDeepStrictEqual(await stage.orders(teams[0]), [{ state: 'done', gone: 1, kept_by: { residue: 1 } }]);
  assert.partialDeepStrictEqual(await stage.orders(teams[1]), [{ state: 'done', gone: 1 }]);
  at.world.faults.splice(0);
  await stage.open();
  stage.pass(REHEARSAL_AGAIN_MS);
  await stage.settle();
  assert.deepEqual(left(talk.id), [], 'the next order deletes what the last one kept');
});

test('after a team left in the middle of a permit, what is gone is gone and the rest is kept', async () => {
  await using stage = await openStage(({ old }) => {
    for (let count = 0; count < 5; count += 1) old();
  });
  const { at, node, teams, talk, connectionId } = stage;
  let deletions = 0;
  at.world.killAt = ({ channel_id }, kill) => {
    if (channel_id === talk.id && kill === 'done') deletions += 1;
    return deletions === 3;
  };
  await stage.settle();
  assert.ok(at.world.isDown);
  at.restart();
  const [ours] = teams;
  await call(node, leaveConnection, { as: ours.owner, params: { teamId: ours.id, connectionId } });
  stage.pass(30_001);
  await stage.settle();
  assert.equal([...at.world.posts.inChannel(talk.id)].filter(({ type }) => type === '').length, 2);
  assert.partialDeepStrictEqual(await stage.orders(ours), [{ state: 'stopped', gone: 3, kept_by: { changed: 2 } }]);
});

test('after Steward was restored from a backup, an order that was open is over and everything is listed again first', async () => {
  await using stage = await openStage(({ old }) => {
    for (let count = 0; count < 3; count += 1) old();
  });
  const { at, node, teams, talk, connectionId, bridge } = stage;
  at.world.killAt = ({ channel_id }, kill) => channel_id === talk.id && kill === 'done';
  await stage.settle();
  assert.ok(at.world.isDown);
  at.restart();
  await inTransaction(node.db, endConnections);
  await assert.rejects(takeLease(bridge), /token/);
  const token = await inTransaction(node.db, (trx) => renewToken(trx, connectionId));
  bridge.steward = createSteward({ url: node.url, token: token ?? '' });
  Object.assign(bridge, { listedScope: undefined });
  const before = at.counts().posts;
  await stage.open();
  assert.partialDeepStrictEqual(await stage.orders(teams[0]), [{ state: 'stopped', gone: 0 }]);
  stage.pass(REHEARSAL_AGAIN_MS);
  await stage.settle();
  assert.equal(at.counts().posts, before, 'nothing is continued');
  await stage.open();
  await stage.settle();
  assert.partialDeepStrictEqual((await stage.orders(teams[0]))[0], { state: 'done', rows: 2, gone: 2 });
});

test('a server that was restored from a backup gets its messages listed as new, and they wait a day', async () => {
  await using stage = await openStage(({ old }) => void old());
  const { at, node, teams, talk } = stage;
  const [post] = [...at.world.posts.inChannel(talk.id)].filter(({ type }) => type === '');
  await stage.settle();
  assert.partialDeepStrictEqual(await stage.orders(teams[0]), [{ state: 'done', gone: 1 }]);
  at.world.posts.insert(post!);
  await sql`update connected_channels set listed_at = listed_at - interval '7 days'`.execute(node.db);
  await stage.settle();
  await stage.open();
  assert.equal((await stage.orders(teams[0])).length, 1);
  await waitTwoDays(node);
  await stage.open();
  assert.partialDeepStrictEqual((await stage.orders(teams[0]))[0], { state: 'open', rows: 1 });
});
