import type { RetentionKind } from '@steward/contract/retention/fields';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import type { SealedRows } from '#platform/security/reseal.ts';
import { ARCHIVE_KEY_PURPOSE } from '../archive/archive-key.ts';
import type { RunKey } from '../runs/runs.store.ts';
import { replaceArchiveKey } from '../runs/runs.store.ts';

export interface RecoverableRun {
  kind: RetentionKind;
  state: string;
  restore_state: string;
  archive_key: string | null;
  objects: number;
  restored: number;
  skipped: number;
}

/** Locked until the transaction ends. */
export async function lockRecoverableRun(trx: Trx, { teamId, runId }: RunKey): Promise<RecoverableRun | undefined> {
  const { rows } =
    await sql<RecoverableRun>`select r.kind, r.state, r.restore_state, r.archive_key, r.restored, r.skipped,
      (select count(*)::int from retention_archives a
        where a.team_id = r.team_id and a.run_id = r.id and not a.destroying) as objects
    from retention_runs r where r.team_id = ${teamId} and r.id = ${runId} for update of r`.execute(trx);
  return rows[0];
}

export interface ExpiredRun extends RunKey {
  kind: RetentionKind;
  archive_key: string | null;
}

/** Lists expired runs, by the database's clock, longest waiting first. */
export async function listExpiredRuns(db: Database): Promise<ExpiredRun[]> {
  const { rows } = await sql<ExpiredRun>`select team_id as "teamId", id as "runId", kind, archive_key
    from retention_runs
    where recoverable_until <= clock_timestamp() and destroyed_at is null and restore_state <> 'running'
    order by recoverable_until limit 1000`.execute(db);
  return rows;
}

export const archiveKeys: SealedRows<RunKey & { sealed: string }> = {
  purpose: ARCHIVE_KEY_PURPOSE,
  async list(db) {
    const { rows } = await sql<
      RunKey & { sealed: string }
    >`select team_id as "teamId", id as "runId", archive_key as sealed
      from retention_runs where archive_key is not null order by team_id, id`.execute(db);
    return rows;
  },
  replace: replaceArchiveKey,
};
