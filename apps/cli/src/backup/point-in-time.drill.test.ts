// A retention rule was saved by mistake and has deleted content: the database is restored to the moment before.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { saveMessageRetention } from '@steward/contract/retention';
import { createDatabase, createPool } from '@steward/server/src/platform/database/database.ts';
import { migrate } from '@steward/server/src/platform/database/migrate.ts';
import { call } from '@steward/server/testing/app/call.ts';
import { runWorkspace } from '@steward/server/testing/app/programs.ts';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import {
  type Cluster,
  type ClusterDir,
  createClusterDir,
  WITHOUT_PROGRAMS,
} from '@steward/server/testing/database/system-postgres.ts';
import { testUnless } from '@steward/server/testing/system/unless.ts';
import { findGeneralChannel, message } from '@steward/server/testing/workspace/content.ts';
import { createTeamWithMembers } from '@steward/server/testing/workspace/factories.ts';
import { getIds, runNow, setRule } from '@steward/server/testing/workspace/retention.ts';
import { sql } from 'kysely';

const databaseAt = (url: string): TestApp['database'] => ({
  url,
  connection: { connectionString: url },
  [Symbol.asyncDispose]: async () => undefined,
});

/** A cluster that archives its WAL as the operator's page says. */
async function archivingCluster(room: ClusterDir): Promise<Cluster> {
  const copy = `test ! -f ${room.path}/%f.wal && cp %p ${room.path}/%f.wal`;
  const cluster = await room.newCluster('source', { archive_mode: 'on', archive_command: copy });
  const db = createDatabase(
    createPool({ connectionString: cluster.url }, { max: 1, name: 'recovery', unlimited: true }),
  );
  await migrate(db).finally(() => db.destroy());
  return cluster;
}

/** Restores a copy of the cluster's files to a moment of its WAL. */
async function recovered(room: ClusterDir, moment: string): Promise<Cluster> {
  const directory = join(room.path, 'copy');
  writeFileSync(join(directory, 'recovery.signal'), '');
  return room.startCluster('copy', {
    archive_mode: 'off',
    restore_command: `cp ${room.path}/%f.wal %p`,
    recovery_target_time: moment,
    recovery_target_action: 'promote',
  });
}

testUnless(
  WITHOUT_PROGRAMS,
  'the log brings the database to the moment before a wrong rule was saved: what it deleted is back, it is not',
  async () => {
    await using room = createClusterDir();
    const source = await archivingCluster(room);
    let team: Awaited<ReturnType<typeof createTeamWithMembers>>;
    let kept: Set<string>;
    let moment: string;
    {
      await using node = await startApp({ database: databaseAt(source.url), work: false });
      team = await createTeamWithMembers(node);
      const channel = await findGeneralChannel(node, team.id);
      await message(node, team.id, { channel, text: 'Before the copy of the files' });
      await room.run('pg_basebackup', [
        '--pgdata=copy',
        '--checkpoint=fast',
        '--no-sync',
        `--dbname=${source.superuserUrl}`,
      ]);
      await message(node, team.id, { channel, text: 'After it' });
      kept = await getIds(node, team.id);

      const rule = { value: 1, duration: { count: 1, period: 'd' } } as const;
      const body = { public_channels: rule, private_channels: { value: 0 }, direct_messages: { value: 0 } };
      const saved = await call(node, saveMessageRetention, { as: team.admin, params: { teamId: team.id }, body });
      assert.equal(saved.status, 200, saved.text);
      const { rows } = await sql<{ at: string }>`select at::text as at from audit_events
      where action = 'retention.saved'`.execute(node.db);
      moment = rows[0]?.at ?? '';
      await setRule(node, team.id, 'public_channels', rule);
      await runNow(node, team.id);
      assert.equal((await getIds(node, team.id)).size, 0, 'all of it is gone');
    }
    // Stopping archives the last WAL segment.
    await source.stop();

    const back = await recovered(room, moment);
    const env = { DATABASE_URL: back.url, SECRET_KEY: '5e'.repeat(32) };
    const ended = await runWorkspace(['end-sessions', '--restored'], env);
    assert.equal(ended.code, 0, ended.err);
    await using node = await startApp({ database: databaseAt(back.url), work: false });
    assert.deepEqual(await getIds(node, team.id), kept);
    const { rows } = await sql`select 1 from retention_policies`.execute(node.db);
    assert.equal(rows.length, 0, 'the rule is not in force');
  },
);
