import type { Readable, Writable } from 'node:stream';
import type pg from 'pg';
import { from, to } from 'pg-copy-streams';

/** A transaction that streams needs its own connection. */
export type Session = pg.PoolClient;

/** Lends a connection and closes it after a failure, because it may be in the middle of a stream. PostgreSQL then rolls back. */
export async function lendSession<T>(pool: pg.Pool, work: (session: Session) => Promise<T>): Promise<T> {
  const session = await pool.connect();
  let failed = true;
  try {
    const result = await work(session);
    failed = false;
    return result;
  } finally {
    session.release(failed);
  }
}

export interface TableShape {
  name: string;
  /** The stored columns; generated ones are computed again. */
  columns: string[];
}

/** Starts a transaction that reads one snapshot while others keep writing. */
export async function beginBackup(session: Session): Promise<void> {
  await session.query('begin isolation level repeatable read read only');
  await setPlainFormats(session);
}

/**
 * Starts a transaction that fills tables, and locks them until its end, except the list of unreferenced blobs, which another connection writes
 * during the restore.
 */
export async function beginRestore(session: Session, tables: readonly TableShape[]): Promise<void> {
  const locked = tables.filter(({ name }) => name !== 'loose_blobs');
  await session.query('begin');
  await setPlainFormats(session);
  await session.query(`set local lock_timeout = '10s'`);
  await session.query(`lock table ${locked.map(({ name }) => quoted(name)).join(', ')} in access exclusive mode`);
}

export async function commit(session: Session): Promise<void> {
  await session.query('commit');
}

/** Settings of the role or database must not change the text of values, and concurrent scans must not change the order of rows. */
async function setPlainFormats(session: Session): Promise<void> {
  await session.query(`set local datestyle = 'ISO, YMD'`);
  await session.query(`set local intervalstyle = 'postgres'`);
  await session.query(`set local timezone = 'UTC'`);
  await session.query('set local extra_float_digits = 1');
  await session.query('set local synchronize_seqscans = off');
}

/** Our tables, each after those that it refers to. They are read from the database, so that a new one isn't forgotten. */
export async function listTables(session: Session): Promise<TableShape[]> {
  const { rows } = await session.query<TableShape & { needs: string[] }>(`
    select t.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select distinct r.relname::text from pg_constraint c join pg_class r on r.oid = c.confrelid
        where c.conrelid = t.oid and c.contype = 'f' and c.confrelid <> t.oid) as needs
    from pg_class t join pg_namespace n on n.oid = t.relnamespace
    where n.nspname = current_schema() and t.relkind in ('r', 'p') and not t.relispartition and t.relname not like 'kysely%'
    order by t.relname`);
  const ordered: TableShape[] = [];
  while (ordered.length < rows.length) {
    const isThere = (name: string) => ordered.some((table) => table.name === name);
    const next = rows.find(({ name, needs }) => !isThere(name) && needs.every(isThere));
    if (next === undefined) throw new Error('tables refer to each other in a circle, so none can be filled first');
    ordered.push({ name: next.name, columns: next.columns });
  }
  return ordered;
}

export async function lastMigration(session: Session): Promise<string | undefined> {
  const there = await session.query(`select to_regclass('kysely_migration') is not null as there`);
  if (!there.rows[0]?.there) return undefined;
  const { rows } = await session.query<{ name: string }>(
    'select name from kysely_migration order by name desc limit 1',
  );
  return rows[0]?.name;
}

export async function findNonEmptyTable(session: Session, tables: readonly TableShape[]): Promise<string | undefined> {
  for (const { name } of tables) {
    const { rows } = await session.query(`select exists (select from ${quoted(name)}) as is_filled`);
    if (rows[0]?.is_filled) return name;
  }
  return undefined;
}

/** The count is set only when the next statement of the session has been answered: PostgreSQL may send it after the last row. */
export function readTable(session: Session, { name, columns }: TableShape): Readable & { rowCount: number } {
  return session.query(to(`copy ${quoted(name)} (${columns.map(quoted).join(', ')}) to stdout`));
}

/** Waits until everything that was sent before has been answered. */
export async function settle(session: Session): Promise<void> {
  await session.query('select');
}

/** Accepts the output of `readTable`. */
export function copyIntoTable(session: Session, { name, columns }: TableShape): Writable & { rowCount: number } {
  return session.query(from(`copy ${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`));
}

/** The keys of all blobs that rows refer to, one per line; undefined if no table has any. */
export function readBlobKeys(session: Session, tables: readonly TableShape[]): Readable | undefined {
  const holding = tables.filter(({ columns }) => columns.includes('blob'));
  if (holding.length === 0) return undefined;
  const each = holding.map(({ name }) => `select blob from ${quoted(name)} where blob is not null`);
  return session.query(to(`copy (${each.join(' union ')} order by 1) to stdout`));
}

/** Counts emails that a restore won't send, and users whose invitation must be sent again. */
export async function countUnfinished(session: Session): Promise<{ mails_waiting: number; invitations_open: number }> {
  const { rows } = await session.query<{ mails: string; people: string }>(`
    select (select count(*) from mails where state = 'waiting') as mails,
      (select count(distinct (team_id, person_id)) from links where kind = 'invite') as people`);
  return { mails_waiting: Number(rows[0]?.mails), invitations_open: Number(rows[0]?.people) };
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
