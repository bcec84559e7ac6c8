import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The user list by activity and by joining, invitations by name, and counts of each group of members. */
export const readingPeople: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

// Read by the condition of an index; the columns themselves and the search text are included so that an index alone is read.
const GROUP = 'member_group(roles, email, deactivated)';
const INCLUDED = 'include (roles, email, deactivated, search)';

// Each of the statements can be repeated: a run that is killed in the middle leaves a part, or an index that is not valid.
const STATEMENTS = [
  // State in tens (active, invited, deactivated) and kind in ones (owner, admin, member, help desk), as filters tell them apart.
  `create or replace function member_group(roles text[], email text, deactivated boolean) returns smallint
    language sql immutable parallel safe
    return (case when email is not null then 10 when deactivated then 20 else 0 end
      + case when 'team_owner' = any(roles) then 1 when 'team_admin' = any(roles) then 2
          when 'zendesk' = any(roles) then 4 else 3 end)::smallint`,

  ...[
    `memberships_by_activity on memberships (team_id, ${GROUP}, last_active_at, person_id) ${INCLUDED}`,
    `memberships_by_joining on memberships (team_id, ${GROUP}, create_at, person_id) ${INCLUDED}`,
    'memberships_invited on memberships (team_id, name_key, person_id) include (roles, search) where email is not null',
  ].flatMap((index) => [
    `drop index concurrently if exists ${index.split(' ')[0]}`,
    `create index concurrently ${index}`,
  ]),
  // The planner knows nothing of the groups before.
  'analyze memberships',

  `create table if not exists member_counts (
    team_id ${ID} not null,
    member_group smallint not null,
    id bigint generated always as identity,
    count bigint not null,
    is_sum boolean not null default false,
    primary key (team_id, member_group, id)
  )`,
  'create index if not exists member_counts_to_add_up on member_counts (team_id) where not is_sum',

  // One row per statement and group, so that writers never wait for each other, and each transaction sees its own.
  `create or replace function count_members() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into member_counts (team_id, member_group, count)
          select team_id, ${GROUP}, count(*) from added group by 1, 2;
      elsif tg_op = 'DELETE' then
        insert into member_counts (team_id, member_group, count)
          select team_id, ${GROUP}, -count(*) from removed group by 1, 2;
      else
        insert into member_counts (team_id, member_group, count)
          select team_id, member_group, sum(change) from (
            select team_id, ${GROUP} as member_group, 1 as change from added
            union all select team_id, ${GROUP}, -1 from removed
          ) changed group by 1, 2 having sum(change) <> 0;
      end if;
      return null;
    end $$`,
  // In one transaction: whoever writes meanwhile waits, and is counted by the triggers.
  `do $$ begin
    lock table memberships in share row exclusive mode;
    create or replace trigger count_added_members after insert on memberships
      referencing new table as added for each statement execute function count_members();
    create or replace trigger count_removed_members after delete on memberships
      referencing old table as removed for each statement execute function count_members();
    create or replace trigger count_changed_members after update on memberships
      referencing old table as removed new table as added for each statement execute function count_members();
    delete from member_counts;
    insert into member_counts (team_id, member_group, count, is_sum)
      select team_id, ${GROUP}, count(*), true from memberships group by 1, 2;
  end $$`,
];
