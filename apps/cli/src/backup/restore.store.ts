import { createInterface } from 'node:readline';
import { END_CONNECTIONS } from '@steward/server/src/features/connections/end-connections.store.ts';
import { END_ALL_SCIM_TOKENS } from '@steward/server/src/features/scim/tokens.store.ts';
import type { Trx } from '@steward/server/src/platform/database/database.ts';
import type { Resealed } from '@steward/server/src/platform/security/reseal.ts';
import { END_ALL_TOKENS } from '@steward/server/src/workspace/access/tokens.store.ts';
import { untrackReferencedBlobs } from '@steward/server/src/workspace/content/unreferenced-blobs.store.ts';
import { END_ALL_INVITATION_LINKS } from '@steward/server/src/workspace/users/invitation-links.store.ts';
import { to } from 'pg-copy-streams';
import { quoted, type Session, type TableShape } from './backup.store.ts';

export interface SealedColumns {
  table: string;
  columns: readonly string[];
}

export async function emptyTables(session: Session, tables: readonly TableShape[]): Promise<void> {
  for (const { name } of [...tables].reverse()) await session.query(`delete from ${quoted(name)}`);
}

/** Also ends the tokens of identity providers and connectors, orders to connected servers, and invitation links. Returns the teams. */
export async function endServiceTokens(session: Session): Promise<string[]> {
  await session.query(END_ALL_SCIM_TOKENS);
  for (const statement of END_CONNECTIONS) await session.query(statement);
  await session.query(END_ALL_INVITATION_LINKS);
  const { rows } = await session.query<{ team_id: string }>(END_ALL_TOKENS);
  return rows.map(({ team_id }) => team_id);
}

/** A value without a replacement is unchanged and counted. */
export async function replaceSealed(
  session: Session,
  { table, columns }: SealedColumns,
  replace: (value: string) => string | undefined,
): Promise<Resealed> {
  const done = { resealed: 0, unreadable: 0 };
  for (const column of columns.map(quoted)) {
    const { rows } = await session.query<{ place: string; value: string }>(
      // The table is locked, so no row moves.
      `select ctid::text as place, ${column} as value from ${quoted(table)} where ${column} is not null`,
    );
    for (const { place, value } of rows) {
      const next = replace(value);
      done[next === undefined ? 'unreadable' : 'resealed'] += 1;
      if (next !== undefined)
        await session.query(`update ${quoted(table)} set ${column} = $1 where ctid = $2::tid`, [next, place]);
    }
  }
  return done;
}

/** The list of keys of staged blobs is a temporary table of this transaction. */
export async function beginStaging(session: Session): Promise<void> {
  await session.query('create temporary table staged_blobs (key text not null) on commit drop');
}

export async function addStaged(session: Session, keys: readonly string[]): Promise<void> {
  await session.query('insert into staged_blobs (key) select unnest($1::text[])', [keys]);
}

/** The session is busy until the list was read to its end. */
export function readStaged(session: Session): AsyncIterable<string> {
  const lines = session.query(to('copy (select distinct key from staged_blobs order by key) to stdout'));
  return createInterface({ input: lines, crlfDelay: 1 });
}

export async function untrackReferenced(session: Session, tables: readonly TableShape[]): Promise<void> {
  const holding = tables.filter(({ columns }) => columns.includes('blob'));
  for (const { name } of holding) await session.query(untrackReferencedBlobs(quoted(name)));
}

export async function listTeams(trx: Trx): Promise<string[]> {
  const rows = await trx.selectFrom('teams').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
}
