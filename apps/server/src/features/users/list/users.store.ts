import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { findPage, matchesSearchKeys, toLikePattern } from '#platform/database/search-plan.ts';
import { type PersonRow, personColumns } from '#workspace/people/people.store.ts';

/** What the list of people is asked for (spec §3, user-list filters). */
export interface UserSearch {
  teamId: string;
  search: string;
  owners: boolean;
  admins: boolean;
  members: boolean;
  deactivated: boolean;
  after: { nameKey: string; id: string } | undefined;
  limit: number;
}

/** A person of the list, with the key that the next page starts after. */
export interface ListedUser extends PersonRow {
  name_key: string;
}

/** One page of people, in the order of their names; any page costs what the first one costs. */
export async function listPeople(db: Database, asked: UserSearch): Promise<ListedUser[]> {
  if (asked.search === '') return show(db, sql`${getNames(asked)} limit ${asked.limit}`);
  return findPage({
    text: asked.search,
    limit: asked.limit,
    look: (rows) => show(db, matchesAmong(asked, sql`${getNames(asked)} limit ${rows}`)),
    // `offset 0` keeps the planner from walking the names in order after all, for which it would guess a frequency.
    ask: () =>
      show(
        db,
        sql`select person_id, roles, name_key from (
          select person_id, roles, name_key from memberships
          where ${placeOf(asked)} and search like ${toLikePattern(asked.search)}
            and ${matchesSearchKeys(asked.teamId, [asked.search])} offset 0
        ) found order by name_key, person_id limit ${asked.limit}`,
      ),
  });
}

// Each person's presence is looked up by itself, or a page of thousands would read that table from end to end.
async function show(db: Database, page: RawBuilder<unknown>): Promise<ListedUser[]> {
  const { rows } = await sql<ListedUser>`
    select ${personColumns}, m.roles, m.name_key
    from (${page}) m
    join people p on p.id = m.person_id
    left join lateral (select * from presence where person_id = m.person_id offset 0) pr on true
    order by m.name_key, m.person_id`.execute(db);
  return rows;
}

function getNames(asked: UserSearch): RawBuilder<unknown> {
  return sql`select person_id, roles, name_key, search from memberships
    where ${placeOf(asked)} order by name_key, person_id`;
}

function matchesAmong(asked: UserSearch, names: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select person_id, roles, name_key from (${names}) names
    where search like ${toLikePattern(asked.search)} order by name_key, person_id limit ${asked.limit}`;
}

/** Everything that was asked for, except the text. */
function placeOf(asked: UserSearch): RawBuilder<unknown> {
  const conditions = [sql`team_id = ${asked.teamId}`, ...getState(asked), ...toKinds(asked)];
  if (asked.after) conditions.push(sql`(name_key, person_id) > (${asked.after.nameKey}, ${asked.after.id})`);
  return sql.join(conditions, sql` and `);
}

function getState(asked: UserSearch): RawBuilder<unknown>[] {
  return asked.deactivated ? [] : [sql`not deactivated`];
}

/** The kinds add up; none chosen means all (design §4). */
function toKinds(asked: UserSearch): RawBuilder<unknown>[] {
  const kinds: RawBuilder<unknown>[] = [];
  if (asked.owners) kinds.push(sql`'team_owner' = any(roles)`);
  if (asked.admins) kinds.push(sql`('team_admin' = any(roles) and not 'team_owner' = any(roles))`);
  if (asked.members) kinds.push(sql`not roles && array['team_admin', 'team_owner', 'zendesk']`);
  if (kinds.length === 0) return [];
  const any = sql`(${sql.join(kinds, sql` or `)})`;
  // Said once more in the words of the partial index, so that a few admins are found among a million members.
  return asked.members ? [any] : [sql`roles && array['team_admin', 'team_owner', 'zendesk']`, any];
}

/** Initials and key of a person for their picture, if the asker shares a team with them. */
export async function findPicture(
  db: Database,
  askerId: string,
  personId: string,
): Promise<{ id: string; first_name: string; last_name: string; email: string } | undefined> {
  const { rows } = await sql<{ id: string; first_name: string; last_name: string; email: string }>`
    select p.id, p.first_name, p.last_name, p.email from people p where p.id = ${personId}
      and exists (select 1 from memberships a join memberships b on b.team_id = a.team_id
        where a.person_id = ${askerId} and b.person_id = p.id)`.execute(db);
  return rows[0];
}
