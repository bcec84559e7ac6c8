import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { toMilliseconds } from '#platform/database/milliseconds.ts';

/** Times are in milliseconds. */
export interface DomainRow {
  team_id: string;
  id: string;
  domain: string;
  token: string;
  verified_at: number | null;
  missing_since: number | null;
}

/** Days until a domain without its record is no longer verified: a change of the name server must not lock out users. */
const GRACE_DAYS = 3;

function selectDomains(db: Database | Trx) {
  return db
    .selectFrom('sso_domains')
    .select(['team_id', 'id', 'domain', 'token'])
    .select([
      toMilliseconds(sql.ref('verified_at')).as('verified_at'),
      toMilliseconds(sql.ref('missing_since')).as('missing_since'),
    ]);
}

export async function listDomainRows(db: Database | Trx, teamId: string): Promise<DomainRow[]> {
  return selectDomains(db).where('team_id', '=', teamId).orderBy('domain').execute();
}

export async function findDomain(db: Database | Trx, teamId: string, id: string): Promise<DomainRow | undefined> {
  return selectDomains(db).where('team_id', '=', teamId).where('id', '=', id).executeTakeFirst();
}

/** The caller has locked the team. */
export async function addDomainRow(
  trx: Trx,
  { teamId, domain, token }: { teamId: string; domain: string; token: string },
): Promise<DomainRow> {
  const row = { team_id: teamId, id: newId(), domain, token };
  await trx.insertInto('sso_domains').values(row).execute();
  return { ...row, verified_at: null, missing_since: null };
}

/** Fails with a unique violation if another team has verified the domain. */
export async function saveProved(trx: Trx, teamId: string, id: string): Promise<void> {
  await trx
    .updateTable('sso_domains')
    .set({ verified_at: sql<Date>`coalesce(verified_at, now())`, missing_since: null })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .execute();
}

/** Returns false if the domain doesn't exist. */
export async function removeDomainRow(trx: Trx, teamId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('sso_domains')
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Lists verified domains of all teams, in pages by id. */
export async function listProvedRows(db: Database, after: string, limit: number): Promise<DomainRow[]> {
  return selectDomains(db)
    .where('verified_at', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Records a missing DNS record. After three days the domain is no longer verified. */
export async function saveMissing(trx: Trx, { team_id, id }: DomainRow): Promise<'first' | 'waiting' | 'lost'> {
  const { rows } = await sql<{ result: 'first' | 'waiting' | 'lost' }>`
    with was as (select id, missing_since from sso_domains
      where team_id = ${team_id} and id = ${id} and verified_at is not null for update)
    update sso_domains d set missing_since = coalesce(d.missing_since, now()),
      verified_at = case when was.missing_since < now() - make_interval(days => ${GRACE_DAYS}) then null else d.verified_at end
    from was where d.team_id = ${team_id} and d.id = was.id
    returning case when was.missing_since is null then 'first' when d.verified_at is null then 'lost' else 'waiting' end as result`.execute(
    trx,
  );
  return rows[0]?.result ?? 'waiting';
}

export async function clearMissing(trx: Trx, { team_id, id }: DomainRow): Promise<void> {
  await trx
    .updateTable('sso_domains')
    .set({ missing_since: null })
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .execute();
}
