import assert from 'node:assert/strict';
import { listAuditEvents } from '@steward/contract/audit';
import { addEntries, listEntries } from '@steward/contract/directory';
import { getAttention } from '@steward/contract/home';
import { getRetentionAges, getRetentionForecast } from '@steward/contract/retention/foresight';
import { getMe, logout } from '@steward/contract/session';
import { listUsers, saveUser } from '@steward/contract/users';
import { afterAll, beforeAll, test } from 'vitest';
import { call, type Reply, send } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { type Cluster, WITHOUT_PROGRAMS } from '#testing/database/system-postgres.ts';
import {
  ask,
  type ReplicatedPostgres,
  startReplicatedPostgres,
  untilReplayed,
} from '#testing/system/replicated-postgres.ts';
import { describeUnless } from '#testing/system/unless.ts';
import { createTeamWithMembers, signIn, type TestTeam } from '#testing/workspace/factories.ts';

describeUnless(WITHOUT_PROGRAMS, 'with DATABASE_REPLICA_URL', () => {
  let servers: ReplicatedPostgres;
  let standby: Cluster;
  let node: TestApp;
  let team: TestTeam;

  beforeAll(async () => {
    servers = await startReplicatedPostgres();
    standby = await servers.addReplica('standby');
    const connection = { connectionString: servers.primary.url };
    const database = { url: servers.primary.url, connection, [Symbol.asyncDispose]: async () => {} };
    node = await startApp({
      database: { ...database, replica: { connectionString: standby.url } },
      pool: 4,
      env: { METRICS_TOKEN: 'a-token-for-metrics' },
    });
    team = await createTeamWithMembers(node);
    await untilUsed();
  });

  afterAll(async () => {
    await node?.[Symbol.asyncDispose]();
    await servers?.[Symbol.asyncDispose]();
  });

  /** Waits until the server knows a position of the primary that the replica has. */
  async function untilUsed(): Promise<void> {
    const count = () => node.deps.replica.countReads?.()[0]?.count ?? 0;
    const before = count();
    while (count() === before) await call(node, listAuditEvents, { as: team.admin, params: { teamId: team.id } });
  }

  /** Runs while the replica replays nothing, within the five seconds for which it is still used. */
  async function whilePaused(work: () => Promise<void>): Promise<void> {
    await untilReplayed(servers.primary, standby);
    await untilUsed();
    await ask(standby, 'select pg_wal_replay_pause()');
    try {
      await work();
    } finally {
      await ask(standby, 'select pg_wal_replay_resume()');
    }
  }

  const names = ({ body }: Reply): string[] =>
    body.records.map((row: { name?: string; email?: string }) => row.name ?? row.email);

  test('exports and the audit log are read from it, and pages that people look at are not', async () => {
    const params = { teamId: team.id };
    const as = team.admin;
    await whilePaused(async () => {
      assert.equal((await call(node, addEntries, { as, params, body: [{ name: 'New' }] })).status, 200);
      const saved = await call(node, saveUser, { as, params, body: { email: 'new@example.test', account_type: 2 } });
      assert.equal(saved.status, 200);
      const [page, all] = [{ limit: '100' }, { limit: '200' }];
      assert.ok(names(await call(node, listEntries, { as, params, query: page })).includes('New'));
      assert.ok(!names(await call(node, listEntries, { as, params, query: all })).includes('New'));
      assert.match((await call(node, listUsers, { as, params, query: page })).text, /new@example\.test/);
      assert.doesNotMatch((await call(node, listUsers, { as, params, query: all })).text, /new@example\.test/);
      assert.doesNotMatch((await call(node, listAuditEvents, { as, params })).text, /directory\.added/);
    });
    await untilReplayed(servers.primary, standby);
    assert.match((await call(node, listAuditEvents, { as, params })).text, /directory\.added/);
  });

  test('ages, forecasts and what needs attention are counted on it', async () => {
    const params = { teamId: team.id };
    const as = team.admin;
    const before = node.deps.replica.countReads?.()[0]?.count ?? 0;
    for (const [endpoint, query] of [
      [getRetentionAges, { setting: 'public_channels' }],
      [getRetentionForecast, { days: '7' }],
      [getAttention, {}],
    ] as const) {
      const reply = await call(node, endpoint, { as, params, query });
      assert.equal(reply.status, 200, reply.text);
    }
    assert.equal((node.deps.replica.countReads?.()[0]?.count ?? 0) - before, 3);
  });

  test('an ended session is refused at once, even by a call that reads from it', async () => {
    const again = await signIn(node, team.admin);
    const params = { teamId: team.id };
    await whilePaused(async () => {
      assert.equal((await call(node, listAuditEvents, { as: again, params })).status, 200);
      assert.equal((await call(node, logout, { as: again })).status, 200);
      assert.equal((await call(node, listAuditEvents, { as: again, params })).status, 401);
      assert.equal((await call(node, getMe, { as: again })).status, 401);
    });
  });

  test('while it is away, every call works, and metrics count which server answered', async () => {
    await standby.stop('immediate');
    const params = { teamId: team.id };
    for (const [endpoint, query] of [
      [listEntries, { limit: '200' }],
      [listUsers, { limit: '200' }],
      [listAuditEvents, {}],
      [getRetentionForecast, { days: '8' }],
    ] as const) {
      const reply = await call(node, endpoint, { as: team.admin, params, query });
      assert.equal(reply.status, 200, reply.text);
    }
    const { text } = await send(node, { url: '/metrics', headers: { authorization: 'Bearer a-token-for-metrics' } });
    assert.match(text, /^replica_reads\{state="primary"\} [1-9]/m);
    standby = await servers.startAgain('standby');
    await untilReplayed(servers.primary, standby);
    await untilUsed();
  });
});
