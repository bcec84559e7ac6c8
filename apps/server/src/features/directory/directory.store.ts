import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { runPrepared } from '#platform/database/prepared.ts';
import { matchesSearch, selectFirst } from '#platform/database/search.ts';
import { rowsToFetch } from '#platform/http/paging.ts';

export interface EntrySearch {
  teamId: string;
  search: string;
  after: { nameKey: string; id: string } | undefined;
  limit: number;
}

type PagePosition = Pick<EntrySearch, 'teamId' | 'after'>;

export interface EntryRow {
  id: string;
  name: string;
  phone_number: string;
  sms: string;
  email: string;
  user_id: string;
  last_picture_update: number;
}

/** An entry of the list, with the key that the next page starts after. */
export interface ListedEntry extends EntryRow {
  name_key: string;
}

/** Needs `directory_entries e`. */
export const entryColumns = sql`e.id, e.name, e.phone_number, e.sms, e.email, e.user_id, e.last_picture_update`;
const listed = sql`${entryColumns}, e.name_key`;

/** Sorted by name. Every page costs the same as the first one. */
export async function listDirectory(db: Database, query: EntrySearch): Promise<ListedEntry[]> {
  const { teamId, search, limit } = query;
  if (search === '') {
    const page = sql<ListedEntry>`${sortEntriesByName(query, listed)} limit ${sql.lit(limit)}`;
    // Planning a page of the usual size takes longer than reading it.
    return limit === rowsToFetch(undefined) ? runPrepared(db, page) : (await page.execute(db)).rows;
  }
  const matches = sql`select e.team_id, e.id, e.name_key from directory_entries e
    where ${afterKey(query)} and ${matchesSearch(sql`e.search`, search)}`;
  const { rows } = await sql<ListedEntry>`select ${listed} from (${selectFirst(matches, sql`name_key, id`, limit)}) f
    join directory_entries e on e.team_id = ${teamId} and e.id = f.id order by e.name_key, e.id`.execute(db);
  return rows;
}

/** Entries of a team by id, unordered. */
export async function findEntries(db: Database | Trx, teamId: string, ids: readonly string[]): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`select ${entryColumns} from directory_entries e
    where e.team_id = ${teamId} and e.id = any(${ids})`.execute(db);
  return rows;
}

function sortEntriesByName(query: PagePosition, columns: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${columns} from directory_entries e
    where ${afterKey(query)} order by e.name_key, e.id`;
}

function afterKey({ teamId, after }: PagePosition): RawBuilder<unknown> {
  const team = sql`e.team_id = ${teamId}`;
  return after ? sql`${team} and (e.name_key, e.id) > (${after.nameKey}, ${after.id})` : team;
}
