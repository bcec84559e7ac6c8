import { type RawBuilder, sql } from 'kysely';
import { copyRows } from '#platform/database/copy.ts';
import { type Database, isUsualPage, type Trx, toLimit, USUAL_ROWS } from '#platform/database/database.ts';
import { findPage, hide, matchesSearchKeys, toLikePattern, toTsquery } from '#platform/database/search-plan.ts';
import { type BoundStatement, createStatement, runPrepared } from '#platform/database/statements/statement.ts';
import type { TakeRow } from '#platform/database/wire/taken-rows.ts';
import type { Column } from '#platform/http/answers/records.ts';

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
  if (query.search === '') return (await selectRange(query).execute(db)).rows;
  const shown = sql`e.id, e.name, e.phone_number, e.sms, e.email, e.user_id, e.last_picture_update, e.name_key`;
  const ordered = sql`order by e.name_key, e.id limit ${toLimit(query.limit)}`;
  const keys = isUsualPage(query.limit) ? toTsquery(query.teamId, getSpellings(query.search)) : undefined;
  return findPage({
    text: query.search,
    limit: query.limit,
    look: async (rows) => {
      const page = sql<ListedEntry>`select ${shown} from (
        ${sortEntriesByName(query, sql`${listed}, e.search`)} limit ${toLimit(rows)}) e
        where ${matches(query.search)} ${ordered}`;
      return isUsualPage(query.limit) ? runPrepared(db, page) : (await page.execute(db)).rows;
    },
    // Of each match, only what sorts it is read; a row of the page is then found by its place in the table.
    // `offset 0` prevents the planner from scanning the name index instead, based on a guessed frequency.
    ask: async () => {
      const page = sql<ListedEntry>`select ${shown} from (
          select place from (
            select e.ctid as place, e.name_key, e.id from directory_entries e
            where ${keys === undefined ? isAnyMatch(query) : isMatch(query, keys)} offset 0
          ) e ${ordered}
        ) f cross join lateral (select * from directory_entries where ctid = f.place offset 0) e ${ordered}`;
      return keys === undefined ? (await page.execute(db)).rows : runPrepared(db, page);
    },
  });
}

interface UsualValues {
  teamId: string;
  nameKey: string;
  id: string;
}

// Planning these takes longer than reading them.
const firstPage = createStatement(({ teamId }: Pick<UsualValues, 'teamId'>) =>
  selectRange({ teamId, after: undefined, limit: USUAL_ROWS }),
);
const nextPage = createStatement(({ teamId, nameKey, id }: UsualValues) =>
  selectRange({ teamId, after: { nameKey, id }, limit: USUAL_ROWS }),
);

/** What reads a page that the portal shows before anyone searches; undefined for other pages. */
export function selectUsualEntries({
  teamId,
  search,
  after,
  limit,
}: EntrySearch): BoundStatement<ListedEntry> | undefined {
  if (search !== '' || !isUsualPage(limit)) return undefined;
  return after ? nextPage.bindValues({ teamId, ...after }) : firstPage.bindValues({ teamId });
}

function selectRange(query: Place & Pick<EntrySearch, 'limit'>): RawBuilder<ListedEntry> {
  return sql<ListedEntry>`${sortEntriesByName(query, listed)} limit ${toLimit(query.limit)}`;
}

/** A condition that only the index of keys can answer, since a prepared plan must be right for teams of any size. */
function isMatch(query: EntrySearch, keys: string): RawBuilder<unknown> {
  return sql`(${afterKey(query)}) is true and ${matches(query.search)}
    and search_keys(team_id, search) @@ ${hide(sql`${keys}::tsquery`)}`;
}

function isAnyMatch(query: EntrySearch): RawBuilder<unknown> {
  return sql`${afterKey(query)} and ${matches(query.search)}
    and ${matchesSearchKeys(query.teamId, getSpellings(query.search))}`;
}

/** Gives `take` a page without a search as COPY writes it, for exports. */
export function copyDirectory(db: Database, query: EntrySearch, take: TakeRow): Promise<void> {
  return copyRows(db, sql`${sortEntriesByName(query, listed)} limit ${query.limit}`, take);
}

/** The columns of a page: the entry's id first, and what the list is sorted by last. */
export const entryRecord: readonly Column[] = [
  ...['id', 'name', 'phone_number', 'sms', 'email', 'user_id'].map((name): Column => ({ name, as: 'text' })),
  { name: 'last_picture_update', as: 'json' },
  { name: 'name_key', as: 'unsent' },
];

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
