import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';

export interface ArchivedObject {
  number: number;
  blob: string;
  bytes: number;
  sha256: string;
  items: number;
}

interface RunKey {
  teamId: string;
  runId: string;
}

/** The caller deletes the items in the same transaction. */
export async function addArchivedObject(
  trx: Trx,
  { teamId, runId }: RunKey,
  { blobs, itemBytes, ...object }: ArchivedObject & { itemBytes: number; blobs: readonly string[] },
): Promise<void> {
  await trx
    .insertInto('retention_archives')
    .values({ team_id: teamId, run_id: runId, item_bytes: itemBytes, ...object })
    .execute();
  await sql`insert into archived_blobs (team_id, run_id, number, blob)
    select distinct ${teamId}, ${runId}, ${object.number}::int, b.key from unnest(${[...blobs]}::text[]) as b (key)`.execute(
    trx,
  );
}

export async function nextObjectNumber(db: Database | Trx, { teamId, runId }: RunKey): Promise<number> {
  const { rows } = await sql<{ number: number }>`select coalesce(max(number), 0)::int + 1 as number
    from retention_archives where team_id = ${teamId} and run_id = ${runId}`.execute(db);
  return rows[0]?.number ?? 1;
}

/** Lists objects in order, after a number. Objects that are being destroyed are included only on request. */
export async function listArchivedObjects(
  db: Database | Trx,
  { teamId, runId }: RunKey,
  { after, limit, withDestroying = false }: { after: number; limit: number; withDestroying?: boolean },
): Promise<ArchivedObject[]> {
  return db
    .selectFrom('retention_archives')
    .select(['number', 'blob', 'bytes', 'sha256', 'items'])
    .where('team_id', '=', teamId)
    .where('run_id', '=', runId)
    .where(({ or, eb, lit }) => or([lit(withDestroying), eb('destroying', '=', false)]))
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute();
}

export interface TakenObject {
  blob: string;
  bytes: number;
  items: number;
  /** Size of its items with the contents of their files. */
  item_bytes: number;
  contents: string[];
}

/** Deletes the entry and its content keys in the caller's transaction; undefined if there is no entry. */
export async function takeArchivedObject(
  trx: Trx,
  { teamId, runId }: RunKey,
  number: number,
): Promise<TakenObject | undefined> {
  const { rows } = await sql<TakenObject>`
    with contents as (delete from archived_blobs where team_id = ${teamId} and run_id = ${runId} and number = ${number}
      returning blob)
    delete from retention_archives where team_id = ${teamId} and run_id = ${runId} and number = ${number}
    returning blob, bytes, items, coalesce(item_bytes, bytes) as item_bytes, array(select blob from contents) as contents`.execute(
    trx,
  );
  return rows[0];
}

/** A marked object is no longer restored. Returns the blobs to destroy; undefined if there is no entry. */
export async function markDestroying(
  trx: Trx,
  { teamId, runId }: RunKey,
  number: number,
): Promise<{ blob: string; contents: string[] } | undefined> {
  const { rows } = await sql<{ blob: string; contents: string[] }>`update retention_archives set destroying = true
    where team_id = ${teamId} and run_id = ${runId} and number = ${number}
    returning blob, array(select b.blob from archived_blobs b
      where b.team_id = ${teamId} and b.run_id = ${runId} and b.number = ${number}) as contents`.execute(trx);
  return rows[0];
}
