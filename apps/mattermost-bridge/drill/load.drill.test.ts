// The bridge and Steward as programs of their own beside a simulated server with many messages: what is listed, what is deleted, and
// how much memory that takes.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { releaseLease } from '@steward/contract/connections/connector';
import { sql } from 'kysely';
import { openOrder } from '../../server/src/features/connections/orders/orders.actions.ts';
import { inTransaction } from '../../server/src/platform/database/database.ts';
import { type KillableServer, killableServer } from '../../server/testing/app/killable-server.ts';
import { startApp, type TestApp } from '../../server/testing/app/start-app.ts';
import { testUnless } from '../../server/testing/system/unless.ts';
import {
  connectedRule,
  connectedServer,
  type TestConnection,
  waitTwoDays,
} from '../../server/testing/workspace/connections.ts';
import { createTeamWithMembers } from '../../server/testing/workspace/factories.ts';
import { type Rig, rig } from '../testing/rig.ts';
import { type LoadContent, writeContent } from './load-content.ts';

/** CI has few messages. LOAD_MESSAGES=1000000 LOAD_CHANNELS=2000 TEST_TIME_SCALE=20 are those of a large server. */
const MESSAGES = Number(process.env.LOAD_MESSAGES ?? 4_000);
const CHANNELS = Number(process.env.LOAD_CHANNELS ?? 50);
const LARGEST = Number(process.env.LOAD_LARGEST ?? MESSAGES * 0.3);
const RULE = { value: 1, duration: { count: 365, period: 'd' } } as const;
/** As `npm run bridge` starts it. */
const BRIDGE = ['--max-semi-space-size=8', join(import.meta.dirname, '../src/main.ts')];
const PATIENCE_MS = 600_000;
const SAMPLE_MS = 250;
/**
 * Memory that the second half of some work may take more than the first. The ids of half a million messages would take as much, and
 * V8 takes half of it until it is warm.
 */
const MARGIN_MIB = 96;

const missing = process.platform === 'linux' ? undefined : 'memory of processes is read from /proc';

testUnless(
  missing,
  `of ${MESSAGES} messages, the mirror has all and an order deletes exactly those that are due`,
  async () => {
    await using rigged = await rig();
    const content = writeContent(rigged, { messages: MESSAGES, channels: CHANNELS, largest: LARGEST });
    // Only the statements of this test may take long. The server has its own limits.
    await using node = await startApp({ work: false, pool: 4, limits: { statementMs: PATIENCE_MS } });
    using server = killableServer(node);
    const calls = watchCalls(rigged, content);
    const { connection, env } = await connect(node, rigged, await server.start());
    const run = (work: string, isOver: () => Promise<boolean>) => runBridge({ env, server, calls, work, isOver });

    await run('fill', () => isRead(node));
    assert.deepEqual(await compareMirror(node, rigged, content), { messages: content.due.size + content.kept.size });

    await waitTwoDays(node);
    await sql`vacuum analyze connected_messages`.execute(node.db);
    await connectedRule(node, connection, { rule: RULE });
    await connectedRule(node, connection, { kind: 'private_channels', rule: RULE });
    await selectOrder(node, connection);
    await run('order', async () => !(await hasOpenOrder(node)));
    assert.deepEqual(await countOutcomes(node), [{ outcome: 'gone', count: content.due.size }]);
    const left = content.channels.flatMap(({ id }) => [...rigged.at.world.posts.inChannel(id)]);
    assert.equal(left.length, content.kept.size);
    assert.ok(left.every(({ id }) => content.kept.has(id)));
    assert.deepEqual(await compareMirror(node, rigged, content), { messages: content.kept.size });
    assert.deepEqual(calls.forbidden, []);
    assert.deepEqual(
      content.strangers.map(({ id }) => rigged.at.world.posts.byId.get(id)),
      content.strangers,
    );
  },
);

async function connect(node: TestApp, { team: remote, at, token }: Rig, url: string) {
  const team = await createTeamWithMembers(node);
  const options = { teamId: team.id, acceptedBy: team.owner.id, remoteTeamId: remote.id };
  const connection = await connectedServer(node, options);
  await connection.send(releaseLease);
  const mattermost = { MATTERMOST_URL: at.url, MATTERMOST_TOKEN: token };
  return { connection, env: { ...mattermost, STEWARD_URL: url, STEWARD_TOKEN: connection.token } };
}

interface Calls {
  count: number;
  deletions: number;
  /** Calls that must not happen. */
  forbidden: string[];
  /** Looks at the calls since the last time. The server's log of calls has an end. */
  look(): void;
}

/** Only lists of teams and their members may name a team that isn't connected. */
function watchCalls({ at }: Rig, { kept, strangers }: LoadContent): Calls {
  const unconnected = new Set(strangers.flatMap(({ id, channel_id }) => [id, channel_id]));
  const calls: Calls = {
    count: 0,
    deletions: 0,
    forbidden: [],
    look() {
      for (const { method, path } of at.requests.splice(0)) {
        calls.count += 1;
        const ids = path.match(/[a-z0-9]{26}/g) ?? [];
        if (ids.some((id) => unconnected.has(id))) calls.forbidden.push(`${method} ${path}`);
      }
    },
  };
  at.world.whenDeleting = ({ id }) => {
    calls.deletions += 1;
    if (kept.has(id)) calls.forbidden.push(`deletion of ${id}`);
    return undefined;
  };
  return calls;
}

interface Run {
  env: Record<string, string>;
  server: KillableServer;
  calls: Calls;
  work: string;
  isOver: () => Promise<boolean>;
}

/** Runs the bridge until its work is over, prints what it took, and asserts that memory didn't grow with the work. */
async function runBridge({ env, server, calls, work, isOver }: Run): Promise<void> {
  const child = spawn(process.execPath, BRIDGE, { env, stdio: 'ignore' });
  const samples: { bridge: number; server: number }[] = [];
  const began = performance.now();
  const before = { ...calls };
  do {
    await wait(SAMPLE_MS);
    assert.equal(child.exitCode, null);
    samples.push({ bridge: readMemory(child.pid), server: readMemory(server.pid()) });
    calls.look();
  } while (!(await isOver()));
  const seconds = (performance.now() - began) / 1_000;
  child.kill('SIGTERM');
  await once(child, 'exit');
  const made = `${calls.count - before.count} calls, ${calls.deletions - before.deletions} deletions`;
  console.log(`${work}: ${Math.round(seconds)} s, ${made}`);
  for (const program of ['bridge', 'server'] as const) {
    const memory = samples.map((sample) => sample[program]);
    const half = memory.length / 2;
    const [first, second] = [Math.max(...memory.slice(0, half)), Math.max(...memory.slice(half))];
    console.log(`${work}: at most ${first} MiB of the ${program} in the first half, ${second} MiB in the second`);
    assert.ok(second <= first + MARGIN_MIB);
  }
}

/** Resident memory of a process, in MiB. */
function readMemory(pid: number | undefined): number {
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
}

async function isRead(node: TestApp): Promise<boolean> {
  const { rows } = await sql<{ is_read: boolean | null }>`select bool_and(listed_at is not null) as is_read
    from connected_channels`.execute(node.db);
  return rows[0]?.is_read === true;
}

/** Compares the mirror with the server, channel by channel. Returns the number of messages in the mirror. */
async function compareMirror(node: TestApp, { at }: Rig, { channels }: LoadContent): Promise<{ messages: number }> {
  for (const { id } of channels) {
    const { rows } = await sql<{ id: string }>`select id from connected_messages where channel_id = ${id}`.execute(
      node.db,
    );
    const ids = new Set(rows.map((row) => row.id));
    const there = [...at.world.posts.inChannel(id)];
    assert.equal(ids.size, there.length);
    assert.ok(there.every((post) => ids.has(post.id)));
  }
  const { rows } = await sql<{ messages: number }>`select count(*)::int as messages from connected_messages`.execute(
    node.db,
  );
  return { messages: rows[0]?.messages ?? 0 };
}

/** Opens the order as a night does, which may take longer than calls may. */
async function selectOrder({ deps }: TestApp, { id: serverId, teamId }: TestConnection): Promise<void> {
  const began = performance.now();
  await inTransaction(deps.slowQueryPool, (trx) => openOrder(trx, deps, { serverId, teamId }));
  console.log(`selection of an order: ${Math.round(performance.now() - began)} ms`);
}

async function hasOpenOrder(node: TestApp): Promise<boolean> {
  const { rows } = await sql`select 1 from connected_orders where state = 'open'`.execute(node.db);
  return rows.length > 0;
}

async function countOutcomes(node: TestApp): Promise<{ outcome: string; count: number }[]> {
  const { rows } = await sql<{ outcome: string; count: number }>`select outcome, count(*)::int as count
    from connected_order_rows group by outcome`.execute(node.db);
  return rows;
}
