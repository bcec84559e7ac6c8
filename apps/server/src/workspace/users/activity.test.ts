import assert from 'node:assert/strict';
import { getMe, listStatuses, login } from '@steward/contract/session';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, onTestFinished, test, vi } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { until } from '#testing/system/until.ts';
import { deactivate, invite, join, PASSWORD, signedIn, team, user } from '#testing/workspace/factories.ts';
import { hold } from '#testing/workspace/integrations.ts';
import { createActivity } from './activity.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 3 });
});

afterAll(() => node[Symbol.asyncDispose]());

async function lastActive(userId: string): Promise<(number | null)[]> {
  const rows = await node.db
    .selectFrom('memberships')
    .select('last_active_at')
    .where('person_id', '=', userId)
    .orderBy('team_id')
    .execute();
  return rows.map((row) => row.last_active_at);
}

const setLastActive = (userId: string, at: number) =>
  sql`update memberships set last_active_at = ${at} where person_id = ${userId}`.execute(node.db);

async function write(...ids: string[]): Promise<void> {
  for (const id of ids) node.activity.note(id);
  await node.activity.flush();
}

describe('activity', () => {
  test('is written to every active membership of a person, and to no other', async () => {
    const [one, two] = [await team(node), await team(node)];
    const who = await user(node, { team: one });
    await join(node, two, who.id);
    const bystander = await user(node, { team: one });
    const started = Date.now();
    await write(who.id, who.id, newId());
    const times = await lastActive(who.id);
    assert.equal(times.length, 2);
    for (const at of times) assert.ok(at !== null && at >= started && at <= Date.now());
    assert.deepEqual(await lastActive(bystander.id), [null]);
    await deactivate(node, two, who.id);
    await setLastActive(who.id, 5);
    await write(who.id);
    assert.equal((await lastActive(who.id)).filter((at) => at === 5).length, 1, 'not where they are deactivated');
  });

  test('is written again only after five minutes', async () => {
    const who = await user(node, { team: await team(node) });
    const recent = Date.now() - 290_000;
    await setLastActive(who.id, recent);
    await write(who.id);
    assert.deepEqual(await lastActive(who.id), [recent]);
    await setLastActive(who.id, Date.now() - 301_000);
    await write(who.id);
    assert.ok(((await lastActive(who.id))[0] ?? 0) > recent);
  });

  test('never waits for a row that someone is changing', async () => {
    const teamId = await team(node);
    const [busy, free] = [await user(node, { team: teamId }), await user(node, { team: teamId })];
    await using held = await hold(node, (trx) =>
      sql`update memberships set roles = roles where person_id = ${busy.id}`.execute(trx),
    );
    await write(busy.id, free.id);
    await held.release();
    assert.deepEqual([await lastActive(busy.id), (await lastActive(free.id))[0] === null], [[null], false]);
  });

  test('of an invitation is nobody’s', async () => {
    const id = await invite(node, { teamId: await team(node), email: `${newId()}@example.test` });
    await write(id);
    assert.deepEqual(await lastActive(id), [null]);
  });

  test('is noted by signing in and by a request a minute after the last, not by polling', async () => {
    const who = await signedIn(node, { team: await team(node) });
    const makeStale = () =>
      sql`update sessions set active_at = now() - interval '2 minutes' where person_id = ${who.id}`.execute(node.db);
    await makeStale();
    await call(node, listStatuses, { as: who, body: [] });
    await node.activity.flush();
    assert.deepEqual(await lastActive(who.id), [null]);
    await call(node, getMe, { as: who });
    assert.deepEqual(await lastActive(who.id), [null], 'no request writes it');
    await node.activity.flush();
    assert.notDeepEqual(await lastActive(who.id), [null]);

    const other = await user(node, { team: await team(node) });
    await call(node, login, { body: { login_id: other.email, password: PASSWORD, device_id: 'd' } });
    await node.activity.flush();
    assert.notDeepEqual(await lastActive(other.id), [null]);
  });

  test('is written on each tick, and when it stops', async () => {
    const [who, last] = [await user(node, { team: await team(node) }), await user(node, { team: await team(node) })];
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const activity = createActivity({ db: node.db, log: node.deps.log, flushMs: 5_000 });
    activity.note(who.id);
    vi.advanceTimersByTime(5_000);
    await until(async () => ((await lastActive(who.id))[0] === null ? 'activity' : undefined));
    activity.note(last.id);
    await activity.stop();
    assert.equal(vi.getTimerCount(), 0);
    assert.notDeepEqual(await lastActive(last.id), [null]);
  });

  test('that could not be written is written the next time', async () => {
    const who = await user(node, { team: await team(node) });
    await sql`alter table memberships rename column last_active_at to elsewhere`.execute(node.db);
    await write(who.id);
    await sql`alter table memberships rename column elsewhere to last_active_at`.execute(node.db);
    assert.match(node.log.join(''), /activity was not recorded/);
    await node.activity.flush();
    assert.notDeepEqual(await lastActive(who.id), [null]);
  });
});
