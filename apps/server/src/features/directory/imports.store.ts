import { UNDO_DAYS } from '@steward/contract/api/limits';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { millisecondsIn } from '#platform/database/milliseconds.ts';
import { nameInTeam } from '#workspace/users/users.store.ts';
import type { ImportKey } from './import-changes.store.ts';

/** Times are in milliseconds. */
/** One chunk adds these counts to its import. */
export interface ChunkCounts {
  created: number;
  changed: number;
  unchanged: number;
  failed: number;
  first_id: string | null;
  last_id: string | null;
}

export interface ImportRow extends ChunkCounts {
  id: string;
  file_name: string;
  state: 'running' | 'finished' | 'cancelled' | 'interrupted' | 'undoing' | 'undone';
  started_by: string;
  started_by_name: string;
  started_at: number;
  ended_at: number;
  removed: number;
  restored: number;
  kept: number;
  undone_by: string | null;
  undone_at: number;
  /** True if it is younger than 30 days. */
  is_recent: boolean;
}

const DAYS = sql.raw(`interval '${UNDO_DAYS} days'`);
const ms = (column: string) => millisecondsIn(`i.${column}`);

const columns = sql`i.id, i.file_name, i.state, i.started_by, i.created, i.changed, i.unchanged, i.failed, i.first_id,
  i.last_id, i.removed, i.restored, i.kept, i.undone_by, ${ms('started_at')} as started_at, ${ms('ended_at')} as ended_at,
  ${ms('undone_at')} as undone_at, i.started_at > now() - ${DAYS} as is_recent,
  ${nameInTeam({ team: 'i.team_id', user: 'i.started_by', users: 'p' })} as started_by_name`;
const source = sql`directory_imports i left join people p on p.id = i.started_by`;

export async function addImport(
  trx: Trx,
  start: { teamId: string; actorId: string; fileName: string },
): Promise<ImportKey> {
  const importId = newId();
  await sql`insert into directory_imports (team_id, id, file_name, state, started_by)
    values (${start.teamId}, ${importId}, ${start.fileName}, 'running', ${start.actorId})`.execute(trx);
  return { teamId: start.teamId, importId };
}

export async function findImport(db: Database | Trx, { teamId, importId }: ImportKey): Promise<ImportRow | undefined> {
  const { rows } = await sql<ImportRow>`select ${columns} from ${source}
    where i.team_id = ${teamId} and i.id = ${importId}`.execute(db);
  return rows[0];
}

/** Locks the import until the transaction ends: chunks, ending and undoing wait for one another. */
export async function lockImport(trx: Trx, { teamId, importId }: ImportKey): Promise<ImportRow | undefined> {
  const { rows } = await sql<ImportRow>`select ${columns} from ${source}
    where i.team_id = ${teamId} and i.id = ${importId} for update of i`.execute(trx);
  return rows[0];
}

/** Imports of the last 30 days, newest first. */
export async function listTeamImports(
  db: Database,
  teamId: string,
  page: { before: string | undefined; limit: number },
): Promise<ImportRow[]> {
  const after = page.before === undefined ? sql`` : sql`and i.id < ${page.before}`;
  const { rows } = await sql<ImportRow>`select ${columns} from ${source}
    where i.team_id = ${teamId} ${after} and i.started_at > now() - ${DAYS}
    order by i.id desc limit ${page.limit}`.execute(db);
  return rows;
}

export async function countChunk(trx: Trx, { teamId, importId }: ImportKey, chunk: ChunkCounts): Promise<void> {
  await sql`update directory_imports set touched_at = now(), created = created + ${chunk.created},
    changed = changed + ${chunk.changed}, unchanged = unchanged + ${chunk.unchanged}, failed = failed + ${chunk.failed},
    first_id = least(first_id, ${chunk.first_id}), last_id = greatest(last_id, ${chunk.last_id})
    where team_id = ${teamId} and id = ${importId}`.execute(trx);
}

/** The `unreadable` rows were never sent and count as failed. */
export async function endImport(
  trx: Trx,
  { teamId, importId }: ImportKey,
  end: { state: 'finished' | 'cancelled'; unreadable: number },
): Promise<void> {
  await sql`update directory_imports set state = ${end.state}, ended_at = now(), failed = failed + ${end.unreadable}
    where team_id = ${teamId} and id = ${importId}`.execute(trx);
}

export async function beginUndo(trx: Trx, { teamId, importId }: ImportKey, actorId: string): Promise<void> {
  await sql`update directory_imports set state = 'undoing', undone_by = ${actorId}, touched_at = now()
    where team_id = ${teamId} and id = ${importId}`.execute(trx);
}

export async function countUndone(
  trx: Trx,
  { teamId, importId }: ImportKey,
  batch: { removed: number; restored: number; kept: number },
): Promise<void> {
  await sql`update directory_imports set removed = removed + ${batch.removed}, restored = restored + ${batch.restored},
    kept = kept + ${batch.kept}, touched_at = now() where team_id = ${teamId} and id = ${importId}`.execute(trx);
}

export async function endUndo(trx: Trx, { teamId, importId }: ImportKey): Promise<void> {
  await sql`update directory_imports set state = 'undone', undone_at = now()
    where team_id = ${teamId} and id = ${importId}`.execute(trx);
}

/** Ends imports without a chunk for 15 minutes, and returns them. */
export async function interruptStaleImports(trx: Trx): Promise<(ImportRow & { team_id: string })[]> {
  const { rows } = await sql<ImportRow & { team_id: string }>`
    with i as (
      update directory_imports set state = 'interrupted', ended_at = touched_at
      where state = 'running' and touched_at < now() - interval '15 minutes' returning *
    ) select i.team_id, ${columns} from i left join people p on p.id = i.started_by`.execute(trx);
  return rows;
}

/** Finds imports whose undoing made no progress for 15 minutes: a restored backup has no queue. */
export async function findStalledUndos(db: Database): Promise<{ team_id: string; import_id: string }[]> {
  const { rows } = await sql<{
    team_id: string;
    import_id: string;
  }>`select team_id, id as import_id from directory_imports
    where state = 'undoing' and touched_at < now() - interval '15 minutes'`.execute(db);
  return rows;
}

export async function findOldImports(db: Database): Promise<ImportKey[]> {
  const { rows } = await sql<ImportKey>`select team_id as "teamId", id as "importId" from directory_imports
    where started_at < now() - ${DAYS} and state <> 'undoing' order by started_at limit 100`.execute(db);
  return rows;
}

export async function removeImport(db: Database | Trx, { teamId, importId }: ImportKey): Promise<void> {
  await db.deleteFrom('directory_imports').where('team_id', '=', teamId).where('id', '=', importId).execute();
}
