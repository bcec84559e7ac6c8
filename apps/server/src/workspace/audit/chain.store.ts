import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import type { ChainedEvent, ChainHead, ServerHead } from './chain-digests.ts';

/** Key of the advisory lock that lets one process extend the chains at a time; an arbitrary unused number. */
const LOCK = 7_314_206;

/** A row that is in no chain yet. `at` is null if the row was deleted. */
export interface PendingEvent extends Omit<ChainedEvent, 'action'> {
  at: string | null;
  action: string | null;
  details: string | null;
  address: string | null;
  request_id: string | null;
  signature: string | null;
}

export interface NewChainLink {
  team_id: string;
  position: number;
  number: number;
  event_id: string;
  key_id: string;
  content: string;
  digest: string;
}

/** Time of a row in UTC, to the microsecond, as the chain contains it. */
export function utcTime(column: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** True if no other process extends the chains until this transaction ends. */
export async function lockChains(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as locked`.execute(trx);
  return rows[0]?.locked === true;
}

export async function hasPending(db: Database): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (select from audit_pending) as found`.execute(db);
  return rows[0]?.found === true;
}

export async function countPending(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('audit_pending')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The next rows after an id that are in no chain yet, in order of their ids. */
export async function listPending(
  trx: Trx,
  { after, limit }: { after: string; limit: number },
): Promise<PendingEvent[]> {
  const { rows } = await sql<PendingEvent>`
    select p.team_id, p.event_id as id, ${utcTime(sql.ref('e.at'))} as at,
      e.actor_id, e.action, e.target,
      e.details::text as details, e.address, e.request_id, e.signature
    from audit_pending p left join audit_events e on e.team_id = p.team_id and e.id = p.event_id
    where p.event_id > ${after} order by p.event_id, p.team_id limit ${limit}`.execute(trx);
  return rows;
}

export async function addChainLinks(trx: Trx, links: readonly NewChainLink[]): Promise<void> {
  await sql`insert into audit_chain (team_id, position, number, event_id, key_id, content, digest)
    select team_id, position, number, event_id, key_id, content, digest
    from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as link (team_id text, position bigint, number bigint,
      event_id text, key_id text, content text, digest text)`.execute(trx);
}

/** All heads without `teams`. */
export async function listHeads(
  db: Database,
  teams?: readonly string[],
): Promise<(ChainHead & { key_id: string; seal: string })[]> {
  const all = db.selectFrom('audit_heads').selectAll().orderBy('team_id');
  return (teams === undefined ? all : all.where('team_id', 'in', [...teams])).execute();
}

export async function saveHeads(
  trx: Trx,
  heads: readonly (ChainHead & { key_id: string; seal: string })[],
): Promise<void> {
  await sql`insert into audit_heads (team_id, count, digest, earlier, key_id, seal)
    select team_id, count, digest, earlier, key_id, seal
    from jsonb_to_recordset(${JSON.stringify(heads)}::jsonb) as head (team_id text, count bigint, digest text,
      earlier bigint, key_id text, seal text)
    on conflict (team_id) do update set count = excluded.count, digest = excluded.digest, key_id = excluded.key_id,
      seal = excluded.seal`.execute(trx);
}

/** The end of the chain over all teams; undefined before the first row. */
export async function findServerHead(
  db: Database,
): Promise<(ServerHead & { key_id: string; seal: string }) | undefined> {
  return db.selectFrom('audit_server_head').select(['number', 'digest', 'key_id', 'seal']).executeTakeFirst();
}

export async function saveServerHead(trx: Trx, head: ServerHead & { key_id: string; seal: string }): Promise<void> {
  await trx
    .insertInto('audit_server_head')
    .values(head)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(head))
    .execute();
}

export async function countUnsigned(db: Database): Promise<{ team_id: string; count: number }[]> {
  const { rows } = await sql<{ team_id: string; count: number }>`
    select team_id, count(*)::int as count from audit_events where signature is null group by team_id`.execute(db);
  return rows;
}

export async function listKeys(db: Database): Promise<{ id: string; sealed: string }[]> {
  return db.selectFrom('audit_keys').select(['id', 'sealed']).orderBy('created_at').execute();
}

export async function addKey(db: Database, key: { id: string; sealed: string }): Promise<void> {
  await db
    .insertInto('audit_keys')
    .values(key)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

export async function replaceKey(db: Database, { id }: { id: string }, sealed: string): Promise<void> {
  await db.updateTable('audit_keys').set({ sealed }).where('id', '=', id).execute();
}
