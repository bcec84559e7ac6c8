import { EXPORT_DAYS } from '@steward/contract/api/limits';
import type { ExportState } from '@steward/contract/users/privacy';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { millisecondsIn } from '#platform/database/milliseconds.ts';
import { nameInTeam } from '#workspace/users/users.store.ts';

/** `teamId` is '' for a user's own export. */
export interface ExportKey {
  teamId: string;
  exportId: string;
}

export interface ExportRequest {
  /** '' for a user's own export, over all teams. */
  teamId: string;
  /** The data of a user, or the items of a legal hold. */
  about: 'person' | 'hold';
  /** The user, or the hold. */
  subjectId: string;
  requestedBy: string;
}

export interface ExportRow {
  id: string;
  state: ExportState;
  parts: string[];
  size: number;
  /** SHA-256 of the file; '' until it is done. */
  sha256: string;
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
  'sha256',
  millisecondsIn('created_at').as('requested_at'),
  millisecondsIn('expires_at').as('expires_at'),
] as const;

/** Adds an export, or finds the one that is still being written for the same caller. */
export async function addExport(trx: Trx, request: ExportRequest): Promise<{ id: string; isNew: boolean }> {
  const { teamId, about, subjectId, requestedBy } = request;
  const added = await trx
    .insertInto('privacy_exports')
    .values({
      team_id: teamId,
      id: newId(),
      about,
      person_id: subjectId,
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
    .where('about', '=', about)
    .where('person_id', '=', subjectId)
    .where('requested_by', '=', requestedBy)
    .where(isOpen)
    .executeTakeFirst();
  // The running one ended between the two statements.
  return running ? { id: running.id, isNew: false } : addExport(trx, request);
}

/** The export with this id that the caller requested; without an id the newest one. */
export async function findExport(
  db: Database,
  { teamId, about, subjectId, requestedBy, exportId }: ExportRequest & { exportId?: string },
): Promise<ExportRow | undefined> {
  let query = db
    .selectFrom('privacy_exports')
    .select(shown)
    .where('team_id', '=', teamId)
    .where('about', '=', about)
    .where('person_id', '=', subjectId)
    .where('requested_by', '=', requestedBy)
    .where(isValid)
    .orderBy('id', 'desc');
  if (exportId !== undefined) query = query.where('id', '=', exportId);
  return query.limit(1).executeTakeFirst();
}

/** Exports of users' data that an owner requested in a team, newest first, with the names of the users. */
export async function listUserExports(
  db: Database,
  { teamId, requestedBy }: Pick<ExportRequest, 'teamId' | 'requestedBy'>,
): Promise<(ExportRow & { user_id: string; name: string })[]> {
  const { rows } = await sql<ExportRow & { user_id: string; name: string }>`
    select e.id, e.state, e.parts, e.size, e.sha256, ${millisecondsIn('e.created_at')} as requested_at,
      ${millisecondsIn('e.expires_at')} as expires_at, e.person_id as user_id,
      coalesce((select f.name from former_members f where f.team_id = e.team_id and f.person_id = e.person_id),
        ${nameInTeam({ team: 'e.team_id', user: 'e.person_id', users: 'p' })}) as name
    from privacy_exports e left join people p on p.id = e.person_id
    where e.team_id = ${teamId} and e.about = 'person' and e.requested_by = ${requestedBy} and e.expires_at > now()
    order by e.id desc limit 100`.execute(db);
  return rows;
}

export async function listHoldExports(
  db: Database | Trx,
  { teamId, requestedBy }: Pick<ExportRequest, 'teamId' | 'requestedBy'>,
): Promise<(ExportRow & { hold_id: string })[]> {
  return db
    .selectFrom('privacy_exports')
    .distinctOn('person_id')
    .select([...shown, 'person_id as hold_id'])
    .where('team_id', '=', teamId)
    .where('about', '=', 'hold')
    .where('requested_by', '=', requestedBy)
    .where(isValid)
    .orderBy('person_id')
    .orderBy('id', 'desc')
    .execute();
}

const updateExport = (db: Database | Trx, { teamId, exportId }: ExportKey) =>
  db.updateTable('privacy_exports').where('team_id', '=', teamId).where('id', '=', exportId);

/** Begins an attempt and returns the pieces of an earlier one; undefined if the export ended or was deleted. */
export async function beginAttempt(
  trx: Trx,
  { teamId, exportId }: ExportKey,
  holder: string,
): Promise<{ subject_id: string; requested_by: string; parts: string[] } | undefined> {
  const row = await trx
    .selectFrom('privacy_exports')
    .select(['person_id as subject_id', 'requested_by', 'parts'])
    .where('team_id', '=', teamId)
    .where('id', '=', exportId)
    .where(isOpen)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return undefined;
  await updateExport(trx, { teamId, exportId }).set({ state: 'running', holder, parts: sql`'{}'`, size: 0 }).execute();
  return row;
}

/** False if another attempt took over, or the export was deleted. */
export async function addPart(
  trx: Trx,
  { teamId, exportId, holder }: ExportKey & { holder: string },
  part: { key: string; size: number },
): Promise<boolean> {
  const { numUpdatedRows } = await updateExport(trx, { teamId, exportId })
    .set(({ eb }) => ({ parts: sql`parts || ${part.key}::text`, size: eb('size', '+', part.size) }))
    .where('holder', '=', holder)
    .where('state', '=', 'running')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export interface ExportEnd {
  size: number;
  requested_by: string;
}

/** Undefined if another attempt took over. The export can be downloaded for seven days from now. */
export async function endExport(
  db: Database | Trx,
  { teamId, exportId, holder }: ExportKey & { holder: string },
  { state, sha256 = '' }: { state: 'done' | 'failed'; sha256?: string },
): Promise<ExportEnd | undefined> {
  return updateExport(db, { teamId, exportId })
    .set({ state, sha256, expires_at: sql<Date>`now() + make_interval(days => ${EXPORT_DAYS})` })
    .where('holder', '=', holder)
    .where('state', '=', 'running')
    .returning(['size', 'requested_by'])
    .executeTakeFirst();
}

export async function failStalledExports(db: Database): Promise<void> {
  await db
    .updateTable('privacy_exports')
    .set({ state: 'failed' })
    .where(isOpen)
    .where('created_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
}

/** Returns the keys of their pieces too. */
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

/** Deletes a team's exports of a user, or all of them, and returns the keys of their pieces. */
export async function removeExportsAbout(trx: Trx, userId: string, teamId: string | undefined): Promise<string[]> {
  let query = trx
    .deleteFrom('privacy_exports')
    .where('about', '=', 'person')
    .where('person_id', '=', userId)
    .returning('parts');
  if (teamId !== undefined) query = query.where('team_id', '=', teamId);
  const rows = await query.execute();
  return rows.flatMap(({ parts }) => parts);
}
