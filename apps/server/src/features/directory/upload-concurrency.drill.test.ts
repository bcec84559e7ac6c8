import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { test } from 'vitest';
import { killableServer } from '#testing/app/killable-server.ts';
import { startApp } from '#testing/app/start-app.ts';
import { createTeamWithMembers, signedIn } from '#testing/workspace/factories.ts';

const ADMINS = 20;
/** The test is meant for `CROWD_ROWS=20000`; the default is small to save time. */
const ROWS = Number(process.env.CROWD_ROWS ?? 500);
/** Half of the uploads send chunks of the portal's size, the others of the maximum size. */
const PER_CALL = [Math.min(2_000, ROWS / 4), Math.min(5_000, ROWS / 2)] as const;

/** Figures from the server's metrics. Reading those of the event loop resets them. */
const FIGURES = {
  'resident MiB': ['process_resident_memory_bytes', 2 ** -20],
  'heap MiB': ['nodejs_heap_size_used_bytes', 2 ** -20],
  'event loop p99 ms': ['nodejs_eventloop_lag_p99_seconds', 1_000],
} as const;

test(`${ADMINS} admins who upload ${ROWS} rows each at once have them stored whole, right and once, and others are served`, async () => {
  await using node = await startApp({ work: false });
  const team = await createTeamWithMembers(node);
  const admins = await Promise.all(
    Array.from({ length: ADMINS }, () => signedIn(node, { team: team.id, kind: 'admin' })),
  );
  using server = killableServer(node);
  const url = await server.start();
  const look = async (when: string) => {
    const text = await (await fetch(`${url}/metrics`)).text();
    const figures = Object.entries(FIGURES).map(([name, [metric, factor]]) => {
      const value = Number(new RegExp(`^${metric} (\\S+)`, 'm').exec(text)?.[1]) * factor;
      return `${name} ${Math.round(value)}`;
    });
    console.log(`${when}: ${figures.join(', ')}`);
  };

  let calls = 0;
  let late = 0;
  const upload = async (admin: number) => {
    const headers = { 'content-type': 'application/json', cookie: admins[admin]?.cookie ?? '' };
    const post = async (path: string, body: object, key: string): Promise<Record<string, unknown>> => {
      const options = { method: 'POST', headers: { ...headers, 'idempotency-key': key }, body: JSON.stringify(body) };
      const response = await fetch(`${url}/api/v4/teams/${team.id}/compdir/${path}`, options);
      const answer = (await response.json()) as Record<string, unknown>;
      if (response.status !== 503 && response.status !== 429) {
        assert.equal(response.status, 200, JSON.stringify(answer));
        return answer;
      }
      // Like the portal, repeats the refused chunk with the same key.
      late += 1;
      await pause(Number(response.headers.get('retry-after')) * 1_000);
      return post(path, body, key);
    };
    const begun = await post('imports', { file_name: `${admin}.csv` }, `begin-${admin}`);
    const perCall = PER_CALL[admin % 2] ?? ROWS;
    for (let from = 0; from < ROWS; from += perCall) {
      const rows = Array.from({ length: perCall }, (_, at) => ({
        name: `Row ${admin} ${from + at}`,
        phone_number: `+49 ${admin} ${from + at}`,
      }));
      const answer = await post(`multi?import_id=${begun.id}`, rows, `${begun.id}-${from}`);
      assert.deepEqual(answer, { status_code: 200, created: perCall, changed: 0, unchanged: 0, errors: [] });
    }
    const ended = await post(`imports/${begun.id}/finish`, { cancelled: false, unreadable: 0 }, `${begun.id}-end`);
    assert.partialDeepStrictEqual(ended, { state: 'finished', created: ROWS, failed: 0 });
  };
  let isOver = false;
  const others = async () => {
    for (; !isOver; calls += 1) {
      const response = await fetch(`${url}/api/v4/admin/teams/${team.id}/users`, {
        headers: { cookie: team.admin.cookie },
      });
      assert.equal(response.status, 200, await response.text());
      await pause(20);
    }
  };

  await look('before');
  const served = others();
  await Promise.all(admins.map((_, admin) => upload(admin)));
  isOver = true;
  await served;
  await look('at the end');
  const { rows } = await sql<{ count: number; names: number; wrong: number }>`select count(*)::int,
      count(distinct name)::int as names,
      count(*) filter (where phone_number <> replace(name, 'Row', '+49'))::int as wrong
    from directory_entries where team_id = ${team.id}`.execute(node.db);
  assert.deepEqual(rows, [{ count: ADMINS * ROWS, names: ADMINS * ROWS, wrong: 0 }]);
  const audited =
    await sql`select 1 from audit_events where team_id = ${team.id} and action like 'directory.%'`.execute(node.db);
  assert.equal(audited.rows.length, ADMINS);
  assert.ok(calls > ADMINS);
  console.log(`${calls} other calls were served; ${late} upload calls were told to retry`);
});
