// The bridge as a program between a simulated Mattermost server and the real Steward, killed again and again during an order.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { releaseLease } from '@steward/contract/connections/connector';
import type { Post } from '@steward/mattermost-simulator/model.ts';
import { sql } from 'kysely';
import { test } from 'vitest';
import { openOrder } from '../../server/src/features/connections/orders/orders.actions.ts';
import { addWork } from '../../server/src/features/connections/work/work.store.ts';
import { inTransaction } from '../../server/src/platform/database/database.ts';
import { newId } from '../../server/src/platform/database/ids.ts';
import { startApp, type TestApp } from '../../server/testing/app/start-app.ts';
import { connectedRule, connectedServer, waitTwoDays } from '../../server/testing/workspace/connections.ts';
import { createTeamWithMembers } from '../../server/testing/workspace/factories.ts';
import { COMPILED, type Rig, rig } from '../testing/rig.ts';

/** CI kills 3 times. KILLS=20 takes two minutes. */
const KILLS = Number(process.env.KILLS ?? 3);
/** The rows of so many threads need more than one permit. */
const THREADS = 60 * KILLS;
const YOUNG_THREADS = 50;
const RULE = { value: 1, duration: { count: 60, period: 'd' } } as const;

test(`after ${KILLS} kills of the bridge, exactly what the order of Steward names is gone`, async () => {
  await using node = await startApp({ work: false, listen: true, pool: 4 });
  await using rigged = await rig();
  const { at, talk, ada } = rigged;
  at.addToTeam(rigged.team, ada);
  const kept = write(rigged);
  const { connection, env, ownerId } = await connect(node, rigged);
  await readEverything(node, env);
  await waitTwoDays(node);
  await connectedRule(node, connection, { rule: RULE });
  await inTransaction(node.db, (trx) =>
    openOrder(trx, node.deps, { serverId: connection.id, teamId: connection.teamId }),
  );
  const session = at.token(ada);
  await askForRevocation(node, { serverId: connection.id, teamId: connection.teamId, ownerId }, rigged);
  let kills = 0;
  while (await hasOpenOrder(node)) {
    const child = start(env);
    const deletions = kills < KILLS ? ((kills * 37) % 90) + 1 : Number.POSITIVE_INFINITY;
    await untilDeletions(rigged, deletions, async () => !(await hasOpenOrder(node)));
    await end(node, child);
    kills += 1;
  }
  const left = kept.map(({ id }) => id).sort();
  assert.deepEqual([...at.world.posts.inChannel(talk.id)].map(({ id }) => id).sort(), left);
  assert.deepEqual(await listMirrored(node, talk.id), left);
  assert.deepEqual(await countOutcomes(node), [{ outcome: 'gone', is_whole: true }]);
  assert.deepEqual([at.counts().fileInfo, at.counts().disk, at.world.sessions.has(session)], [0, 0, false]);
  assert.ok(kills > KILLS);
});

async function connect(node: TestApp, { at, team: remote, token }: Rig) {
  const team = await createTeamWithMembers(node);
  const connection = await connectedServer(node, {
    teamId: team.id,
    acceptedBy: team.owner.id,
    remoteTeamId: remote.id,
  });
  await connection.send(releaseLease);
  const env = {
    MATTERMOST_URL: at.url,
    MATTERMOST_TOKEN: token,
    STEWARD_URL: node.url,
    STEWARD_TOKEN: connection.token,
    NODE_COMPILE_CACHE: COMPILED,
  };
  return { connection, env, ownerId: team.owner.id };
}

const start = (env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts')], { env, stdio: 'ignore' });

/** Kills the bridge, and ends its lease, for which another one would have to wait a minute. */
async function end(node: TestApp, child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  child.kill(signal);
  await once(child, 'exit');
  await sql`update connected_servers set lease_until = null`.execute(node.db);
}

/** Writes threads with files, edits, pins and deleted replies that are old. Returns what has to stay. */
function write({ at, talk, ada, ben, longAgo }: Rig): Post[] {
  const before = [...at.world.posts.inChannel(talk.id)];
  const file = () => at.file(ada, 'a.txt').id;
  for (let count = 0; count < THREADS; count += 1) {
    longAgo(() => {
      const root = at.post(talk, ada, { file_ids: count % 5 === 0 ? [file()] : [] });
      const reply = at.post(talk, ben, { root_id: root.id, file_ids: count % 7 === 0 ? [file()] : [] });
      if (count % 3 === 0) at.edit(reply, 'edited');
      if (count % 4 === 0) at.pin(root);
      if (count % 6 === 0) at.softDelete(reply);
    });
  }
  const young = Array.from({ length: YOUNG_THREADS }).flatMap(() => {
    const root = longAgo(() => at.post(talk, ada));
    const reply = longAgo(() => at.post(talk, ben, { root_id: root.id }));
    return [root, reply, at.post(talk, ben, { root_id: root.id })];
  });
  return [...before, ...young];
}

async function readEverything(node: TestApp, env: Record<string, string>): Promise<void> {
  const child = start(env);
  await until(async () => {
    const { rows } = await sql<{ is_read: boolean | null }>`select bool_and(listed_at is not null) as is_read
      from connected_channels`.execute(node.db);
    return rows[0]?.is_read === true;
  });
  // A killed process doesn't write the compile cache.
  await end(node, child, 'SIGTERM');
}

async function askForRevocation(
  node: TestApp,
  { serverId, teamId, ownerId }: { serverId: string; teamId: string; ownerId: string },
  { team, ada }: Rig,
): Promise<void> {
  const place = { id: newId(), server_id: serverId, team_id: teamId, remote_team_id: team.id };
  const asked = { user_id: ada.id, channel_ids: [], asked_by: ownerId };
  await inTransaction(node.db, (trx) => addWork(trx, [{ ...place, ...asked, action: 'revoke_sessions' }]));
}

/** Resolves at this number of deletions in the channel, or when it is over. */
async function untilDeletions({ at, talk }: Rig, most: number, isOver: () => Promise<boolean>): Promise<void> {
  let deletions = 0;
  at.world.whenDeleting = ({ channel_id }) => {
    if (channel_id === talk.id) deletions += 1;
    return undefined;
  };
  await until(async () => deletions >= most || (await isOver()));
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await wait(50);
}

async function hasOpenOrder(node: TestApp): Promise<boolean> {
  const { rows } = await sql`select 1 from connected_orders where state = 'open'`.execute(node.db);
  return rows.length > 0;
}

async function countOutcomes(node: TestApp): Promise<{ outcome: string; is_whole: boolean }[]> {
  const { rows } = await sql<{
    outcome: string;
    is_whole: boolean;
  }>`select r.outcome, count(*) = max(o.rows) as is_whole
    from connected_order_rows r join connected_orders o on o.id = r.order_id group by r.outcome`.execute(node.db);
  return rows;
}

async function listMirrored(node: TestApp, channel: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from connected_messages where channel_id = ${channel}`.execute(
    node.db,
  );
  return rows.map(({ id }) => id).sort();
}
