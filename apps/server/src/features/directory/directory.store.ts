import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { runPrepared } from '#platform/database/prepared.ts';
import { findPage, hide, matchesSearchKeys, toLikePattern } from '#platform/database/search-plan.ts';
import { rowsToFetch } from '#platform/http/paging.ts';

/** A page of the directory, filtered by a search. */
export interface EntrySearch {
  teamId: string;
  search: string;
  after: { nameKey: string; id: string } | undefined;
  limit: number;
}

type Place = Pick<EntrySearch, 'teamId' | 'after'>;

/** An entry as every answer needs it. */
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

/** Columns of an entry for answers; needs `directory_entries e`. */
export const entryColumns = sql`e.id, e.name, e.phone_number, e.sms, e.email, e.user_id, e.last_picture_update`;
const listed = sql`${entryColumns}, e.name_key`;

/** A page of entries, sorted by name. Every page costs the same as the first one. */
export async function listDirectory(db: Database, query: EntrySearch): Promise<ListedEntry[]> {
  const { search, limit } = query;
  if (search === '') {
    const page = sql<ListedEntry>`${sortEntriesByName(query, listed)} limit ${sql.lit(limit)}`;
    // Planning a page of the usual size takes longer than reading it.
    return limit === rowsToFetch(undefined) ? runPrepared(db, page) : (await page.execute(db)).rows;
  }
  const ordered = sql`order by e.name_key, e.id limit ${sql.lit(limit)}`;
  return findPage({
    text: search,
    limit,
    look: async (rows) => {
      const page = sql<ListedEntry>`select ${listed} from (
        ${sortEntriesByName(query, sql`${listed}, e.search`)} limit ${sql.lit(rows)}) e
        where ${matches(search)} ${ordered}`;
      return (await page.execute(db)).rows;
    },
    // Of each match, only what sorts it is read; a row of the page is then found by its place in the table.
    // `offset 0` prevents the planner from scanning the name index instead, based on a guessed frequency.
    ask: async () => {
      const page = sql<ListedEntry>`select ${listed} from (
          select place from (
            select e.ctid as place, e.name_key, e.id from directory_entries e where ${isMatch(query)} offset 0
          ) e ${ordered}
        ) f cross join lateral (select * from directory_entries where ctid = f.place offset 0) e ${ordered}`;
      return (await page.execute(db)).rows;
    },
  });
}

function isMatch(query: EntrySearch): RawBuilder<unknown> {
  return sql`${afterKey(query)} and ${matches(query.search)}
    and ${matchesSearchKeys(query.teamId, getSpellings(query.search))}`;
}

/** Entries of a team by id, unordered. */
export async function findEntries(db: Database | Trx, teamId: string, ids: readonly string[]): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`select ${entryColumns} from directory_entries e
    where e.team_id = ${teamId} and e.id = any(${ids})`.execute(db);
  return rows;
}

function sortEntriesByName(query: Place, columns: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${columns} from directory_entries e
    where ${afterKey(query)} order by e.name_key, e.id`;
}

function afterKey({ teamId, after }: Place): RawBuilder<unknown> {
  const team = sql`e.team_id = ${teamId}`;
  return after ? sql`${team} and (e.name_key, e.id) > (${after.nameKey}, ${after.id})` : team;
}

/** Digits with common punctuation of phone numbers. */
const NUMBER = /^[\d\s()+./-]+$/;

/** A phone number is also searched by its digits alone, as stored in the search column. */
function getSpellings(search: string): string[] {
  const digits = search.replace(/\D/g, '');
  return NUMBER.test(search) && digits !== search && digits.length >= 3 ? [search, digits] : [search];
}

function matches(search: string): RawBuilder<unknown> {
  const spellings = getSpellings(search).map((text) => sql`e.search like ${hide(toLikePattern(text))}`);
  return sql`(${sql.join(spellings, sql` or `)})`;
}
