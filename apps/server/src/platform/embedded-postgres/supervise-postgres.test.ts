import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { query, temporaryDir } from '#testing/database/embedded.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { findRunningPostmaster, listProcesses } from './processes.ts';
import { supervisePostgres } from './supervise-postgres.ts';

test('a PostgreSQL killed under its server is restarted with everything it acknowledged', {
  timeout: 60_000,
}, async () => {
  await using dir = temporaryDir();
  const seen = new EventTarget();
  const options = { dataDir: dir.path, log: (line: string) => seen.dispatchEvent(new Event(line)) };
  const embedded = await startEmbeddedPostgres(options);
  const kept = await supervisePostgres(embedded, options);
  await query(embedded.connection, 'create table notes as select 42 as answer');

  const cluster = join(dir.path, 'postgres');
  const before = findRunningPostmaster(cluster);
  assert.ok(before);
  const back = once(seen, 'PostgreSQL started');
  process.kill(before, 'SIGKILL');
  await back;
  assert.deepEqual(await query(embedded.connection, 'select answer from notes'), [{ answer: 42 }]);
  assert.notEqual(findRunningPostmaster(cluster), before);

  await kept.release();
  await embedded.stop();
  assert.deepEqual(listProcesses(cluster), []);
});
