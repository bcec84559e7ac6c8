import { EXPORT_DAYS } from '@steward/contract/api/limits';
import type { ExportState } from '@steward/contract/users/privacy';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { millisecondsIn } from '#platform/database/milliseconds.ts';
import { nameInTeam } from '#workspace/people/name-in-team.store.ts';

/** An export; `teamId` is '' for a person's own. */
export interface ExportKey {
  teamId: string;
  exportId: string;
}

/** Whose data is exported, and who requested it. */
export interface ExportRequest {
  /** '' for a person's own export, over all teams. */
  teamId: string;
  personId: string;
  requestedBy: string;
}

/** A stored export. */
export interface ExportRow {
  id: string;
  state: ExportState;
  parts: string[];
  size: number;
  requested_at: number;
  expires_at: number;
}

const isOpen = sql<boolean>`state in ('queued', 'running')`;
const isValid = sql<boolean>`expires_at > now()`;
const shown = [
  'id',
  'state',
  'parts',
  'size',
  millisecondsIn('created_at').as('requested_at'),
  millisecondsIn('expires_at').as('expires_at'),
] as const;

/** Adds an export, or finds the one that is still being written for the same caller. */
export async function addExport(trx: Trx, request: ExportRequest): Promise<{ id: string; isNew: boolean }> {
  const { teamId, personId, requestedBy } = request;
  const added = await trx
    .insertInto('privacy_exports')
    .values({
      team_id: teamId,
      id: newId(),
      person_id: personId,
      requested_by: requestedBy,
      expires_at: sql<Date>`now() + make_interval(days => ${EXPORT_DAYS})`,
    })
    .onConflict((conflict) => conflict.columns(['team_id', 'person_id', 'requested_by']).where(isOpen).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added) return { id: added.id, isNew: true };
  const running = await trx
    .selectFrom('privacy_exports')
    .select('id')
    .where('team_id', '=', teamId)
    .where('person_id', '=', personId)
    .where('requested_by', '=', requestedBy)
    .where(isOpen)
    .executeTakeFirst();
  // It ended between the two statements.
  return running ? { id: running.id, isNew: false } : addExport(trx, request);
}

/** An export that this caller requested, or the newest one. */
export async function findExport(
  db: Database,
  { teamId, personId, requestedBy, exportId }: ExportRequest & { exportId?: string },
): Promise<ExportRow | undefined> {
  let query = db
    .selectFrom('privacy_exports')
    .select(shown)
    .where('team_id', '=', teamId)
    .where('person_id', '=', personId)
    .where('requested_by', '=', requestedBy)
    .where(isValid)
    .orderBy('id', 'desc');
  if (exportId !== undefined) query = query.where('id', '=', exportId);
  return query.limit(1).executeTakeFirst();
}

/** Exports that an owner requested in a team, newest first, with the names of the users. */
export async function listExports(
  db: Database,
  { teamId, requestedBy }: Omit<ExportRequest, 'personId'>,
): Promise<(ExportRow & { user_id: string; name: string })[]> {
  const { rows } = await sql<ExportRow & { user_id: string; name: string }>`
    select e.id, e.state, e.parts, e.size, ${millisecondsIn('e.created_at')} as requested_at,
      ${millisecondsIn('e.expires_at')} as expires_at, e.person_id as user_id,
      coalesce((select f.name from former_members f where f.team_id = e.team_id and f.person_id = e.person_id),
        ${nameInTeam({ team: 'e.team_id', person: 'e.person_id', people: 'p' })}) as name
    from privacy_exports e left join people p on p.id = e.person_id
    where e.team_id = ${teamId} and e.requested_by = ${requestedBy} and e.expires_at > now()
    order by e.id desc limit 100`.execute(db);
  return rows;
}

/** Begins an attempt and returns the pieces of an earlier one; undefined if the export ended or is gone. */
export async function beginAttempt(
  trx: Trx,
  { teamId, exportId }: ExportKey,
  holder: string,
): Promise<{ person_id: string; parts: string[] } | undefined> {
  const row = await trx
    .selectFrom('privacy_exports')
    .select(['person_id', 'parts'])
    .where('team_id', '=', teamId)
    .where('id', '=', exportId)
    .where(isOpen)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return undefined;
  await trx
    .updateTable('privacy_exports')
    .set({ state: 'running', holder, parts: sql`'{}'`, size: 0 })
    .where('team_id', '=', teamId)
    .where('id', '=', exportId)
    .execute();
  return row;
}

/** Adds a piece; false if another attempt took over, or the export is gone. */
export async function addPart(
  trx: Trx,
  { teamId, exportId, holder }: ExportKey & { holder: string },
  part: { key: string; size: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('privacy_exports')
    .set(({ eb }) => ({ parts: sql`parts || ${part.key}::text`, size: eb('size', '+', part.size) }))
    .where('team_id', '=', teamId)
    .where('id', '=', exportId)
    .where('holder', '=', holder)
    .where('state', '=', 'running')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Ends an export, unless another attempt took over; it can be downloaded for seven days from now. */
export async function endExport(
  db: Database,
  { teamId, exportId, holder }: ExportKey & { holder: string },
  state: 'done' | 'failed',
): Promise<void> {
  await db
    .updateTable('privacy_exports')
    .set({ state, expires_at: sql<Date>`now() + make_interval(days => ${EXPORT_DAYS})` })
    .where('team_id', '=', teamId)
    .where('id', '=', exportId)
    .where('holder', '=', holder)
    .where('state', '=', 'running')
    .execute();
}

/** Gives up exports that no attempt has ended within a day. */
export async function failStalledExports(db: Database): Promise<void> {
  await db
    .updateTable('privacy_exports')
    .set({ state: 'failed' })
    .where(isOpen)
    .where('created_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
}

/** Exports whose time is up, with the keys of their pieces. */
export async function listExpiredExports(db: Database): Promise<(ExportKey & { parts: string[] })[]> {
  return db
    .selectFrom('privacy_exports')
    .select(['team_id as teamId', 'id as exportId', 'parts'])
    .where('expires_at', '<', sql<Date>`now()`)
    .orderBy('expires_at')
    .limit(100)
    .execute();
}

/** Deletes an export. The caller has deleted its pieces, or tracks them. */
export async function removeExport(db: Database | Trx, { teamId, exportId }: ExportKey): Promise<void> {
  await db.deleteFrom('privacy_exports').where('team_id', '=', teamId).where('id', '=', exportId).execute();
}

/** Deletes a team's exports of a person, or all of them, and returns the keys of their pieces. */
export async function removeExportsAbout(trx: Trx, personId: string, teamId: string | undefined): Promise<string[]> {
  let query = trx.deleteFrom('privacy_exports').where('person_id', '=', personId).returning('parts');
  if (teamId !== undefined) query = query.where('team_id', '=', teamId);
  const rows = await query.execute();
  return rows.flatMap(({ parts }) => parts);
}
