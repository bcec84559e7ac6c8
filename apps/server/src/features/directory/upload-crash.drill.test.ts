import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { test } from 'vitest';
import { killableServer } from '#testing/app/killable-server.ts';
import { startApp } from '#testing/app/start-app.ts';
import { entries } from '#testing/workspace/directory.ts';
import { createTeamWithMembers } from '#testing/workspace/factories.ts';

const CHUNKS = 6;
const ROWS = 400;
const KILLS = 3;

test(`an import whose server is killed ${KILLS} times, sent again with the same keys, is stored whole and once`, async () => {
  await using node = await startApp({ work: false });
  using server = killableServer(node);
  const team = await createTeamWithMembers(node);
  const old = await entries(
    node,
    team.id,
    Array.from({ length: CHUNKS }, (_, at) => ({ name: `Old ${at}` })),
  );
  let url = await server.start();
  const headers = { 'content-type': 'application/json', cookie: team.admin.cookie };
  const post = async (path: string, body: unknown, key: string) => {
    const address = `${url}/api/v4/teams/${team.id}/compdir/${path}`;
    const options = { method: 'POST', headers: { ...headers, 'idempotency-key': key }, body: JSON.stringify(body) };
    const response = await fetch(address, options);
    const answer = await response.json();
    assert.equal(response.status, 200, JSON.stringify(answer));
    return answer;
  };
  const begun = (await post('imports', { file_name: 'big.csv' }, 'begin')) as { id: string };

  const lastTry = new Map<number, unknown>();
  let kills = 0;
  for (let chunk = 0; chunk < CHUNKS; chunk += 1) {
    const rows = [
      { id: old[chunk]?.id, name: `Changed ${chunk}` },
      ...Array.from({ length: ROWS }, (_, at) => ({ name: `New ${chunk} ${at}` })),
    ];
    const send = () => post(`multi?import_id=${begun.id}`, rows, `${begun.id}-${chunk}`);
    // Some chunks are interrupted by a kill, each at another point.
    if (chunk % (CHUNKS / KILLS) === 1) {
      const sent = send().catch(() => undefined);
      await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, 4 + kills * 12))]);
      await server.kill();
      await sent;
      url = await server.start();
      kills += 1;
    }
    lastTry.set(chunk, await send());
  }
  const ended = (await post(`imports/${begun.id}/finish`, { cancelled: false, unreadable: 0 }, 'end')) as object;
  assert.equal(kills, KILLS);
  for (const answer of lastTry.values())
    assert.deepEqual(answer, { status_code: 200, created: ROWS, changed: 1, unchanged: 0, errors: [] });
  assert.deepEqual({ ...ended, state: 'finished', created: CHUNKS * ROWS, changed: CHUNKS, failed: 0 }, ended);
  const { rows } = await sql<{ kind: string; count: number; names: number }>`
    select split_part(name, ' ', 1) as kind, count(*)::int, count(distinct name)::int as names
    from directory_entries where team_id = ${team.id} group by 1 order by 1`.execute(node.db);
  assert.deepEqual(rows, [
    { kind: 'Changed', count: CHUNKS, names: CHUNKS },
    { kind: 'New', count: CHUNKS * ROWS, names: CHUNKS * ROWS },
  ]);
});
