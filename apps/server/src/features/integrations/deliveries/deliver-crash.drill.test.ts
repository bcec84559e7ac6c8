import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { test } from 'vitest';
import { killableServer } from '#testing/app/killable-server.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { waitForLockWaiter } from '#testing/faults/wait-for-lock.ts';
import { TIME_SCALE } from '#testing/system/time-scale.ts';
import { channel } from '#testing/workspace/content.ts';
import { team } from '#testing/workspace/factories.ts';
import { delivery, helpdesk, hold, listChannelTexts, type TestHelpdesk } from '#testing/workspace/integrations.ts';

const MESSAGES = 40;
/** Numbers of posts, of 120, after which the server is killed. */
const KILLS = [25, 70];

async function count(node: TestApp, desk: TestHelpdesk, table: 'messages' | 'deliveries'): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}
    where team_id = ${desk.teamId} ${table === 'deliveries' ? sql`and state = 'waiting'` : sql``}`.execute(node.db);
  return rows[0]?.count ?? 0;
}

/** Maximum delay of an acknowledged delivery in milliseconds, once a worker runs again. */
const RESUME_MS = 10_000 * TIME_SCALE;

/** Starts the killed server and waits for the first post; only the server itself resumes the work. */
async function startAndResume(node: TestApp, server: { start(): Promise<string> }, desk: TestHelpdesk): Promise<void> {
  const before = await count(node, desk, 'messages');
  await server.start();
  const started = performance.now();
  while ((await count(node, desk, 'messages')) === before) {
    assert.ok(performance.now() - started < RESUME_MS, 'posting resumes within ten seconds');
    await pause(50);
  }
}

test('after repeated kills during posting, every delivery is posted exactly once in each channel', async () => {
  await using node = await startApp({ work: false, pool: 3 });
  using server = killableServer(node, { roles: 'web,worker' });
  const teamId = await team(node);
  const rooms = await Promise.all([1, 2, 3].map(() => channel(node, teamId)));
  const desk = await helpdesk(node, teamId, { channels: rooms });
  const texts = Array.from({ length: MESSAGES }, (_, at) => `Message ${at}`);
  const second = rooms.map(({ id }) => id).sort()[1] ?? '';

  const url = await server.start();
  await using held = await hold(node, (trx) =>
    sql`select 1 from channels where id = ${second} for update`.execute(trx),
  );
  for (const text of texts) {
    const { headers, body } = delivery(desk, { body: JSON.stringify({ text }) });
    const reply = await fetch(`${url}${desk.path}`, { method: 'POST', headers, body });
    assert.equal(reply.status, 200);
    if (text === texts[0]) await waitForLockWaiter(node, 'update channels set last_post_at');
  }
  await server.kill();
  await held.release();
  assert.ok((await count(node, desk, 'messages')) < 3, 'it was killed during the first delivery');
  assert.equal(await count(node, desk, 'deliveries'), MESSAGES, 'every acknowledged delivery is stored');

  for (const kill of KILLS) {
    await startAndResume(node, server, desk);
    // Another process sends no events, so this polls.
    while ((await count(node, desk, 'messages')) < kill) await pause(5);
    await server.kill();
    assert.ok((await count(node, desk, 'messages')) < MESSAGES * 3, 'it was killed before it finished');
  }
  await startAndResume(node, server, desk);
  while ((await count(node, desk, 'deliveries')) > 0) await pause(50);
  for (const room of rooms) assert.deepEqual(await listChannelTexts(node, room), texts);
});
