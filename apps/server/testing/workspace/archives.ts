import { sql } from 'kysely';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { saveRecovery } from '#workspace/content/retention/recovery-setting.store.ts';

/** Takes effect immediately. With 0, runs delete without an archive. */
export function setRecovery(node: TestApp, teamId: string, days: number): Promise<void> {
  return inTransaction(node.db, (trx) =>
    saveRecovery(trx, { teamId, savedBy: '' }, { current: days, scheduled: null }),
  );
}

/** An ended run whose archived object is missing from the blob store. */
export async function archivedRun(node: TestApp, teamId: string): Promise<string> {
  const id = newId();
  await sql`insert into retention_runs (team_id, id, kind, origin, clock, cutoff, state, started_at, ended_at,
      recoverable_days, archive_key, recoverable_until)
    values (${teamId}, ${id}, 'files', 'night', 'own', 1, 'finished', now(), now(), 7, 'x', now() + interval '7 days')`.execute(
    node.db,
  );
  await sql`insert into retention_archives (team_id, run_id, number, blob, bytes, sha256, items)
    values (${teamId}, ${id}, 1, ${`${teamId}/retention_archive/xx/${id}`}, 1, '', 1)`.execute(node.db);
  return id;
}
