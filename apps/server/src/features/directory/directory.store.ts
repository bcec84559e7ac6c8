import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { findPage, matchesSearchKeys, toLikePattern } from '#platform/database/search-plan.ts';

/** What the directory is asked for. */
export interface EntrySearch {
  teamId: string;
  search: string;
  after: { nameKey: string; id: string } | undefined;
  limit: number;
}

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

/** One page of entries, in the order of their names; any page costs what the first one costs. */
export async function listDirectory(db: Database, asked: EntrySearch): Promise<ListedEntry[]> {
  const run = async (page: RawBuilder<unknown>) => (await sql<ListedEntry>`${page}`.execute(db)).rows;
  if (asked.search === '') return run(sql`${sortEntriesByName(asked, listed)} limit ${asked.limit}`);
  const shown = sql`id, name, phone_number, sms, email, user_id, last_picture_update, name_key`;
  const ordered = sql`order by name_key, id limit ${asked.limit}`;
  return findPage({
    text: asked.search,
    limit: asked.limit,
    look: (rows) =>
      run(sql`select ${shown} from (
        ${sortEntriesByName(asked, sql`${listed}, e.search`)} limit ${rows}) e
        where ${matches(asked.search)} ${ordered}`),
    // `offset 0` keeps the planner from walking the names in order after all, for which it would guess a frequency.
    ask: () =>
      run(sql`select ${shown} from (
        select * from directory_entries e where ${placeOf(asked)} and ${matches(asked.search)}
          and ${matchesSearchKeys(asked.teamId, getSpellings(asked.search))} offset 0
      ) e ${ordered}`),
  });
}

/** Entries by their ids, in no order; those of other teams find nothing. */
export async function findEntries(db: Database | Trx, teamId: string, ids: readonly string[]): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`select ${entryColumns} from directory_entries e
    where e.team_id = ${teamId} and e.id = any(${ids})`.execute(db);
  return rows;
}

function sortEntriesByName(asked: EntrySearch, columns: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${columns} from directory_entries e
    where ${placeOf(asked)} order by e.name_key, e.id`;
}

function placeOf({ teamId, after }: EntrySearch): RawBuilder<unknown> {
  const team = sql`e.team_id = ${teamId}`;
  return after ? sql`${team} and (e.name_key, e.id) > (${after.nameKey}, ${after.id})` : team;
}

/** Digits with the signs that stand between them, as people write numbers. */
const NUMBER = /^[\d\s()+./-]+$/;

/** A number is also looked for by its digits alone, which is how the stored ones can be found. */
function getSpellings(search: string): string[] {
  const digits = search.replace(/\D/g, '');
  return NUMBER.test(search) && digits !== search && digits.length >= 3 ? [search, digits] : [search];
}

function matches(search: string): RawBuilder<unknown> {
  const spellings = getSpellings(search).map((text) => sql`e.search like ${toLikePattern(text)}`);
  return sql`(${sql.join(spellings, sql` or `)})`;
}
