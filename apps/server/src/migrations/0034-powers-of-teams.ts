import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Limits the powers of a team over accounts: owners who may enter without single sign-on are named, a team ends sessions of an
 * account with other teams for itself only, and accounts that a team's identity provider created are known (decisions 0061,
 * 0063).
 */
export const powersOfTeams: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

const STATEMENTS = [
  `create table break_glass_owners (
    team_id ${ID} not null,
    person_id ${ID} not null,
    named_at timestamptz not null default now(),
    primary key (team_id, person_id),
    foreign key (team_id, person_id) references memberships (team_id, person_id) on update cascade on delete cascade
  )`,
  'create index break_glass_owners_by_person on break_glass_owners (person_id)',
  // An owner who comes back has to be named again.
  `create function forget_break_glass_owner() returns trigger language plpgsql as $$
    begin
      delete from break_glass_owners where team_id = new.team_id and person_id = new.person_id;
      return null;
    end $$`,
  `create trigger forget_break_glass_owner after update of roles, deactivated on memberships for each row
    when ('team_owner' = any(old.roles) and not old.deactivated and (not 'team_owner' = any(new.roles) or new.deactivated))
    execute function forget_break_glass_owner()`,
  // Until now, every owner with a second factor could enter.
  `insert into break_glass_owners (team_id, person_id)
    select m.team_id, m.person_id from memberships m
    where m.roles && array['team_admin', 'team_owner', 'zendesk'] and 'team_owner' = any(m.roles)
      and not m.deactivated and m.email is null
      and (exists (select from totp_factors f where f.person_id = m.person_id and f.confirmed_at is not null)
        or exists (select from passkeys f where f.person_id = m.person_id))`,

  `create table signed_out_sessions (
    team_id ${ID} not null references teams on delete cascade,
    session_id ${ID} not null references sessions on delete cascade,
    primary key (team_id, session_id)
  )`,
  'create index signed_out_sessions_by_session on signed_out_sessions (session_id)',

  `alter table people add column provisioned_by ${ID}`,
  `update people p set provisioned_by = a.team_id
    from (select distinct on (target) target, team_id from audit_events
      where (action = 'scim.user_added' and details ->> 'joined_as' = 'created') or action = 'sso.joined'
      order by target, id) a
    where p.id = a.target`,
];
