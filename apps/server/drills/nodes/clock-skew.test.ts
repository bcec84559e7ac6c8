import assert from 'node:assert/strict';
import { join } from 'node:path';
import { addEntries } from '@steward/contract/directory';
import { previewRetention, runRetention } from '@steward/contract/retention';
import { getMe, login, resetPassword } from '@steward/contract/session';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { toMilliseconds } from '#platform/database/milliseconds.ts';
import { callAt, type Reply, type Sending } from '#testing/app/call.ts';
import { type KillableServer, killableServer } from '#testing/app/killable-server.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { channel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, findSessionId, signIn, type TestTeam, user } from '#testing/workspace/factories.ts';
import { delivery, helpdesk } from '#testing/workspace/integrations.ts';
import { addChannels, addItem, getIds, setRule } from '#testing/workspace/retention.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { addLink } from '#workspace/access/sessions/links.store.ts';

const SHIFTING = join(import.meta.dirname, '../../testing/app/shifted-clock.ts');
const DAY_MS = 86_400_000;
const A_DAY = { value: 1 as const, duration: { count: 1, period: 'd' as const } };

/** Starts a server whose clock is wrong by this many days, in another time zone. */
const wrongBy = (days: number, roles: string, TZ: string) =>
  killableServer(node, {
    roles,
    env: {
      NODE_OPTIONS: `--import=${SHIFTING}`,
      CLOCK_SHIFT_MS: String(days * DAY_MS),
      TZ,
      TRUST_PROXY: '1',
      DATABASE_POOL: '5',
    },
  });

let node: TestApp;
let team: TestTeam;
let servers: KillableServer[] = [];
let urls: string[] = [];

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
  servers = [wrongBy(0, 'web', 'UTC'), wrongBy(1, 'web', 'Pacific/Kiritimati'), wrongBy(-1, 'web', 'Pacific/Niue')];
  urls = await Promise.all(servers.map((server) => server.start()));
});

beforeEach(async () => {
  team = await createTeamWithMembers(node);
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await node?.[Symbol.asyncDispose]();
});

/** Calls the server with the correct clock, the one a day ahead, and the one a day behind. */
const callEach = (endpoint: Parameters<typeof callAt>[1], sending: Sending): Promise<Reply[]> =>
  Promise.all(urls.map((url) => callAt(url, endpoint, sending)));
const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status);

describe('one process is a day ahead and one a day behind, in other time zones', () => {
  test('a session that began at any of them lives at all', async () => {
    for (const url of urls) {
      const reply = await callAt(url, login, { body: { login_id: team.member.email, password: team.member.password } });
      const cookie = reply.setCookies.map((line) => line.split(';', 1)[0]).join('; ');
      assert.deepEqual(statuses(await callEach(getMe, { as: { cookie } })), [200, 200, 200]);
    }
  });

  test('a session ends at all when the database says so: unused for an hour, or a day old', async () => {
    for (const [moment, minutes, status] of [
      ['active_at', 59, 200],
      ['active_at', 61, 401],
      ['created_at', 24 * 60 - 1, 200],
      ['created_at', 24 * 60 + 1, 401],
    ] as const) {
      const as = await signIn(node, team.member);
      await sql`update sessions set ${sql.ref(moment)} = now() - make_interval(mins => ${minutes})
        where id = ${await findSessionId(node, as)}`.execute(node.db);
      // Sequentially, because the first accepted call makes the session recent again.
      for (const url of urls.toReversed()) {
        const { status: actual } = await callAt(url, getMe, { as });
        assert.equal(actual, status, `${moment} of ${minutes} minutes ago`);
      }
    }
  });

  test('a link works as long as the database says', async () => {
    for (const url of urls) {
      for (const [minutes, status] of [
        [58, 200],
        [61, 400],
      ] as const) {
        const { id } = await user(node);
        const token = await inTransaction(node.db, (trx) => addLink(trx, { kind: 'reset', userId: id, teamId: null }));
        await sql`update links set expires_at = expires_at - make_interval(mins => ${minutes})
          where person_id = ${id}`.execute(node.db);
        const { status: actual } = await callAt(url, resetPassword, {
          body: { token, new_password: 'a quite new password' },
        });
        assert.equal(actual, status, `${minutes} minutes`);
      }
    }
  });

  test('a repeated save has one effect', async () => {
    const sending = { as: team.admin, params: { teamId: team.id }, headers: { 'idempotency-key': newId() } };
    const replies = await callEach(addEntries, { ...sending, body: [{ name: 'Once' }] });
    assert.deepEqual(statuses(replies), [200, 200, 200]);
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
  });

  test('ten password guesses are checked across all nodes, and the lockout is no longer than it should be', async () => {
    const who = await user(node);
    for (let round = 0; round < 6; round += 1)
      await callEach(login, { body: { login_id: who.email, password: 'a wrong guess' }, from: '203.0.113.9' });
    const checks = (await auditRows(node, 'session.sign_in_failed')).filter(({ target }) => target === who.id);
    assert.equal(checks.length, 10);
    await sql`update throttles set expire = expire - 601000`.execute(node.db);
    const right = { body: { login_id: who.email, password: who.password }, from: '203.0.113.9' };
    assert.deepEqual(statuses(await callEach(login, right)), [200, 200, 200], 'the lock is over after ten minutes');
  });

  test('what the help desk signed just now is taken', async () => {
    const desk = await helpdesk(node, team.id, { channels: [await channel(node, team.id)] });
    for (const url of urls) {
      const { headers, body } = delivery(desk);
      const { status } = await fetch(`${url}${desk.path}`, { method: 'POST', headers, body });
      assert.equal(status, 200);
    }
  });

  test('a rule reaches to the same day at all', async () => {
    const request = { as: team.admin, params: { teamId: team.id }, body: { archived_notes: A_DAY } };
    const cutoffs = (await callEach(previewRetention, request)).map(({ body }) => body.archived_notes.cutoff);
    const { rows } = await sql<{
      cutoff: number;
    }>`select ${toMilliseconds(sql`date_trunc('day', now(), 'UTC') - interval '1 day'`)}
      as cutoff`.execute(node.db);
    assert.deepEqual(
      cutoffs,
      urls.map(() => rows[0]?.cutoff),
    );
  });
});

describe('a worker whose clock is a day ahead or behind', () => {
  test('deletes nothing and says why; one whose clock is right does', async () => {
    const place = { teamId: team.id, kind: 'archived_notes' as const, channels: await addChannels(node, team.id) };
    for (let at = 0; at < 3; at += 1) await addItem(node, place, { clock: Date.now() - 2 * DAY_MS });
    await setRule(node, team.id, place.kind, A_DAY);
    const run = async (worker: KillableServer) => {
      const url = await worker.start();
      const sending = { as: team.admin, params: { teamId: team.id }, body: {} };
      assert.equal((await callAt(url, runRetention, sending)).status, 200);
      await settled(node);
      assert.equal(await worker.stop(), 0);
      const { rows } = await sql<{ state: string; deleted: number; note: string }>`select state, deleted, note
          from retention_runs where team_id = ${team.id} order by started_at desc limit 1`.execute(node.db);
      return rows[0];
    };
    for (const days of [1, -1]) {
      using wrong = wrongBy(days, 'web,worker', 'UTC');
      const refused = await run(wrong);
      assert.deepEqual([refused?.state, refused?.deleted], ['refused', 0], `${days}`);
      assert.match(refused?.note ?? '', /differ by 1440 minutes/);
      assert.equal((await getIds(node, team.id)).size, 3);
    }
    using right = wrongBy(0, 'web,worker', 'Pacific/Kiritimati');
    assert.deepEqual(await run(right), { state: 'finished', deleted: 3, note: '' });
  });
});
