import { randomBytes } from 'node:crypto';
import type { ErasedUser } from '@steward/contract/users/privacy';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { millisecondsIn } from '#platform/database/milliseconds.ts';
import { listHeldInPage } from '#workspace/content/holds/held.store.ts';

const MOST_LISTED = 2_000;

export interface ErasureKey {
  teamId: string;
  userId: string;
}

export interface ErasureRow {
  code: string;
  account: 'deleted' | 'kept';
  is_done: boolean;
  sealed: string | null;
  step: number;
  reached: string;
}

const ofUser = ({ teamId, userId }: ErasureKey) => sql<boolean>`team_id = ${teamId} and person_id = ${userId}`;
const shown = [
  'code',
  'account',
  sql<boolean>`ended_at is not null`.as('is_done'),
  'sealed',
  'step',
  'reached',
] as const;

export function getErasedName({ code }: Pick<ErasureRow, 'code'>): string {
  return `Deleted user ${code}`;
}

export async function findErasure(db: Database | Trx, key: ErasureKey): Promise<ErasureRow | undefined> {
  return db.selectFrom('erasures').select(shown).where(ofUser(key)).executeTakeFirst();
}

/** The latest is first. */
export async function listErasures(db: Database, teamId: string): Promise<ErasedUser[]> {
  const { rows } = await sql<ErasedUser>`select person_id as id, 'Deleted user ' || code as name, account,
      case when ended_at is null then 'running' else 'done' end as state,
      ${millisecondsIn('started_at')} as started_at, coalesce(${millisecondsIn('ended_at')}, 0) as ended_at
    from erasures where team_id = ${teamId} order by started_at desc, person_id limit ${MOST_LISTED}`.execute(db);
  return rows;
}

/** Locks the erasure; undefined if it is done or another worker has locked it. */
export async function lockErasure(trx: Trx, key: ErasureKey): Promise<ErasureRow | undefined> {
  return trx
    .selectFrom('erasures')
    .select(shown)
    .where(ofUser(key))
    .where('ended_at', 'is', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** Returns the code of an earlier erasure, or a new one of four hex digits, more if many are taken. */
export async function reserveCode(trx: Trx, key: ErasureKey): Promise<string> {
  const earlier = await findErasure(trx, key);
  if (earlier) return earlier.code;
  for (let attempt = 0; ; attempt += 1) {
    const digits = 4 + 2 * Math.min(Math.floor(attempt / 5), 6);
    const code = randomBytes(digits / 2)
      .toString('hex')
      .toUpperCase();
    const taken = await trx
      .selectFrom('erasures')
      .select('code')
      .where('team_id', '=', key.teamId)
      .where('code', '=', code)
      .executeTakeFirst();
    if (!taken) return code;
  }
}

/** Records an erasure as running. The caller has locked the team. */
export async function startErasure(
  trx: Trx,
  { teamId, userId }: ErasureKey,
  started: { code: string; account: 'deleted' | 'kept'; sealed: string },
): Promise<void> {
  const again = { ...started, started_at: sql<Date>`now()`, touched_at: sql<Date>`now()`, ended_at: null };
  await trx
    .insertInto('erasures')
    .values({ team_id: teamId, person_id: userId, ...started })
    .onConflict((conflict) =>
      conflict.columns(['team_id', 'person_id']).doUpdateSet({ ...again, step: 0, reached: '' }),
    )
    .execute();
}

export async function saveProgress(
  trx: Trx,
  key: ErasureKey,
  progress: Pick<ErasureRow, 'step' | 'reached'>,
): Promise<void> {
  await trx
    .updateTable('erasures')
    .set({ ...progress, touched_at: sql<Date>`now()` })
    .where(ofUser(key))
    .execute();
}

export async function endErasure(trx: Trx, key: ErasureKey): Promise<void> {
  await trx.updateTable('erasures').set({ ended_at: sql<Date>`now()`, sealed: null }).where(ofUser(key)).execute();
}

/** Erasures are stalled after five minutes without progress: a restored backup has no queue. */
export async function listStalledErasures(db: Database): Promise<{ team_id: string; person_id: string }[]> {
  return db
    .selectFrom('erasures')
    .select(['team_id', 'person_id'])
    .where('ended_at', 'is', null)
    .where('touched_at', '<', sql<Date>`now() - interval '5 minutes'`)
    .limit(1_000)
    .execute();
}

/** Traces identify a user in texts. */
export interface Traces {
  /** In lowercase. */
  address: string;
  /** Full names in lowercase. */
  names: string[];
  /** Ids of their directory entries. */
  entryIds: string[];
}

/** Memberships in any state count. Locks the account, so that it joins no team before the commit. */
export async function hasOtherTeams(trx: Trx, { teamId, userId }: ErasureKey): Promise<boolean> {
  await trx.selectFrom('people').select('id').where('id', '=', userId).forUpdate().execute();
  const { rows } = await sql`select 1 from memberships m where m.team_id <> ${teamId}
    and (m.person_id = ${userId} or m.email = (select p.email from people p where p.id = ${userId})) limit 1`.execute(
    trx,
  );
  return rows.length > 0;
}

/** Deletes the team's data about the user outside content and audit log; returns the ids of their directory entries. */
export async function eraseTeamRows(
  trx: Trx,
  { teamId, userId }: ErasureKey,
  { address, names, replacement }: Pick<Traces, 'address' | 'names'> & { replacement: string },
): Promise<string[]> {
  const { rows } = await sql<{ entries: string[] }>`
    select erase_team_rows(${teamId}, ${userId}, ${address}, ${names}, ${replacement}) as entries`.execute(trx);
  return rows[0]?.entries ?? [];
}

export async function eraseAccount(trx: Trx, userId: string): Promise<void> {
  await sql`select erase_account(p.id, p.email) from people p where p.id = ${userId}`.execute(trx);
}

/** Processes a page of the audit log of a team, or of no team (''); returns its last key, '' at the end. */
export async function eraseAuditPage(
  trx: Trx,
  { teamId, userId, traces, name }: ErasureKey & { traces: Traces; name: string },
  { after, limit }: { after: string; limit: number },
): Promise<string> {
  const { address, names, entryIds } = traces;
  const { rows } = await sql<{ reached: string }>`select erase_audit_rows(${teamId}, ${userId}, ${address}, ${names},
    ${entryIds}, ${name}, ${after}, ${limit}::int) as reached`.execute(trx);
  return rows[0]?.reached ?? '';
}

/** Kinds of content in which the address is replaced. */
export const ERASED_KINDS = ['messages', 'files', 'records', 'deliveries'] as const;

/** Processes a page of a kind of content, except items under a legal hold; returns its last key, '' at the end. */
export async function eraseContentPage(
  trx: Trx,
  {
    kind,
    teamId,
    address,
    name,
  }: { kind: (typeof ERASED_KINDS)[number]; teamId: string; address: string; name: string },
  { after, limit }: { after: string; limit: number },
): Promise<string> {
  const kept = kind === 'deliveries' ? [] : await listHeldInPage(trx, { teamId, table: kind }, { after, limit });
  const { rows } = await sql<{ reached: string }>`
    select erase_in_content(${kind}, ${teamId}, ${address}, ${name}, ${after}, ${limit}::int, ${kept}::text[]) as reached`.execute(
    trx,
  );
  return rows[0]?.reached ?? '';
}
