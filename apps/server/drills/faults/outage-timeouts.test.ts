import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { getMe, login } from '@steward/contract/session';
import { saveUser } from '@steward/contract/users';
import pg from 'pg';
import { test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, type Reply, send } from '#testing/app/call.ts';
import { startAppWithPostgres } from '#testing/database/app-with-postgres.ts';
import { createTeamWithMembers } from '#testing/workspace/factories.ts';

/** Duration of the outage; use `AWAY_SECONDS=60` before a release. */
const AWAY_MS = Number(process.env.AWAY_SECONDS ?? 1) * 1_000;
const CALLS = 20;

test('calls that work or wait when the database goes away are answered, and calls and background work go on when it is back', async () => {
  await using own = await startAppWithPostgres({ work: true });
  const { node } = own;
  const team = await createTeamWithMembers(node);
  const me = () => call(node, getMe, { as: team.admin });
  const invite = (email: string) =>
    call(node, saveUser, { as: team.admin, params: { teamId: team.id }, body: { email, account_type: 2 } });
  const signIn = () => call(node, login, { body: { login_id: team.member.email, password: team.member.password } });
  let longest = 0;
  const timed = async (pending: Promise<Reply>): Promise<Reply> => {
    const began = performance.now();
    const reply = await pending;
    longest = Math.max(longest, performance.now() - began);
    return reply;
  };

  // The two connections of the pool wait for a lock, and all other calls wait for a connection.
  const holder = new pg.Client({ ...node.database.connection });
  holder.on('error', () => {});
  await holder.connect();
  await holder.query('begin; lock table sessions in access exclusive mode');
  const early = Array.from({ length: CALLS }, (_, at) =>
    timed(at % 2 === 0 ? me() : invite(`${newId()}@example.test`)),
  );
  while (node.deps.pool.waitingCount < CALLS - 2) await pause(5);
  await own.stop();
  for (const { status, text } of await Promise.all(early)) assert.equal(status, 503, text);

  const end = performance.now() + AWAY_MS;
  let refused = 0;
  while (performance.now() < end) {
    const replies = await Promise.all([
      timed(me()),
      timed(signIn()),
      timed(invite('x@example.test')),
      timed(send(node, { url: '/readyz' })),
    ]);
    for (const { status, text } of replies) assert.equal(status, 503, text);
    assert.equal((await send(node, { url: '/healthz' })).status, 200);
    refused += replies.length;
    await pause(20);
  }
  await own.start();
  const back = performance.now();
  assert.equal((await send(node, { url: '/readyz' })).status, 200);
  assert.equal((await me()).status, 200);
  const calling = performance.now() - back;
  assert.equal((await invite('after@example.test')).status, 200);
  await node.inbox.next('after@example.test');
  const working = performance.now() - back;
  console.log(
    `away ${AWAY_MS / 1_000} s: ${refused} calls refused, the slowest after ${Math.round(longest)} ms; back: calls after ${Math.round(calling)} ms, a mail after ${Math.round(working)} ms`,
  );
});
