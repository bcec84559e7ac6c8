import assert from 'node:assert/strict';
import { finishImport, startImport, uploadEntries } from '@steward/contract/directory';
import { sql } from 'kysely';
import { test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startAppWithPostgres } from '#testing/database/app-with-postgres.ts';
import { createTeamWithMembers } from '#testing/workspace/factories.ts';

const CHUNKS = 4;
const ROWS = 5_000;

test('PostgreSQL killed under chunks of 5,000 rows is answered with 503, and the same chunks sent again are stored once', async () => {
  await using own = await startAppWithPostgres();
  const { node } = own;
  const team = await createTeamWithMembers(node);
  const sending = { as: team.admin, params: { teamId: team.id } };
  const begun = await call(node, startImport, { ...sending, body: { file_name: 'big.csv' } });
  const importId = begun.body.id;
  const send = (chunk: number) =>
    call(node, uploadEntries, {
      ...sending,
      query: { import_id: importId },
      headers: { 'idempotency-key': `${importId}-${chunk}` },
      body: Array.from({ length: ROWS }, (_, at) => ({ name: `Row ${chunk} ${at}` })),
    });

  let refused = 0;
  let chunk = 0;
  // On a fast machine a kill may come after the statement; then more kills follow, earlier.
  for (; chunk < CHUNKS || refused === 0; chunk += 1) {
    const sent = send(chunk);
    if (chunk % 2 === 1) {
      const postmaster = own.postmaster();
      assert.ok(postmaster);
      // The kills come at different times within the statement; the result must be correct for each.
      await Promise.race([
        sent,
        new Promise((resolve) => setTimeout(resolve, chunk < CHUNKS ? 20 + chunk * 20 : chunk % 20)),
      ]);
      process.kill(postmaster, 'SIGKILL');
      const { status } = await sent;
      assert.ok([200, 503].includes(status), String(status));
      if (status === 503) refused += 1;
      await own.start();
      assert.equal((await send(chunk)).status, 200);
    } else {
      assert.equal((await sent).status, 200);
    }
  }
  const body = { cancelled: false, unreadable: 0 };
  const ended = await call(node, finishImport, { ...sending, params: { ...sending.params, importId }, body });
  assert.equal(ended.body.created, chunk * ROWS);
  const { rows } = await sql<{ count: number; names: number }>`select count(*)::int, count(distinct name)::int as names
    from directory_entries`.execute(node.db);
  assert.deepEqual(rows, [{ count: chunk * ROWS, names: chunk * ROWS }]);
});
