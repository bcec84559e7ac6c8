import assert from 'node:assert/strict';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { temporaryDir } from '@steward/embedded-postgres/testing/temporary-cluster.ts';
import { createRestoreWorker } from '@steward/server/src/features/retention/recovery/restore.job.ts';
import { findRun, startRestore } from '@steward/server/src/features/retention/runs/runs.store.ts';
import { createPool, inTransaction } from '@steward/server/src/platform/database/database.ts';
import type { Deps } from '@steward/server/src/platform/deps.ts';
import { createSecrets } from '@steward/server/src/platform/security/secrets.ts';
import { startApp } from '@steward/server/testing/app/start-app.ts';
import { team as createTeam } from '@steward/server/testing/workspace/factories.ts';
import { addChannels, addItem, getIds, runNow, setRule } from '@steward/server/testing/workspace/retention.ts';
import { sql } from 'kysely';
import { test } from 'vitest';
import { emptyWorkspace, KEY, writeBackup } from '../../testing/backups.ts';
import { lendSession } from './backup.store.ts';

const NEW_KEY = 'c7'.repeat(32);
const A_DAY = { value: 1 as const, canmark: 0 as const, duration: { count: 1, period: 'd' as const } };

test('what a run deleted before a backup can be restored where the backup is restored, with another SECRET_KEY', async () => {
  await using dir = temporaryDir();
  await using node = await startApp({ work: false, pool: 2 });
  const teamId = await createTeam(node);
  const channels = await addChannels(node, teamId);
  const add = (data: string) => addItem(node, { teamId, kind: 'files', channels }, { clock: Date.UTC(2020), data });
  const contents = new Map<string, string>();
  for (const data of ['The first', 'The second']) contents.set(await add(data), data);
  await setRule(node, teamId, 'files', A_DAY);
  const [run = assert.fail()] = await runNow(node, teamId);
  assert.deepEqual([run.deleted, (await getIds(node, teamId)).size], [2, 0]);
  const file = join(dir.path, 'whole.backup');
  const patient = createPool({ connectionString: node.database.url }, { max: 1, name: 'backup test', unlimited: true });
  await writeBackup({ ...node.deps, withSession: (work) => lendSession(patient, work) }, file);
  await patient.end();

  await using elsewhere = await emptyWorkspace(dir.path, { key: NEW_KEY });
  await elsewhere.restore(file, { archiveSecrets: createSecrets(KEY) });
  const { db, blobs, secrets } = elsewhere;
  await inTransaction(db, (trx) => startRestore(trx, { teamId, runId: run.id }));
  const deps = { ...node.deps, db, blobs, secrets } satisfies Deps;
  await createRestoreWorker(deps).handle({ team_id: teamId, run_id: run.id }, { isLast: false } as never);
  const { restored, restore_note } = (await findRun(db, { teamId, runId: run.id })) ?? assert.fail();
  assert.equal(restored, 2, restore_note);
  const { rows } = await sql<{
    id: string;
    blob: string;
  }>`select id, blob from files where team_id = ${teamId}`.execute(db);
  for (const { id, blob } of rows)
    assert.equal(String(await buffer((await blobs.get(blob)) ?? assert.fail())), contents.get(id));
  assert.equal(rows.length, 2);
});
