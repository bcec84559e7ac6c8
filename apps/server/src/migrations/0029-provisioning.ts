import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Provisioning of users and groups by an identity provider with SCIM (decision 0063). */
export const provisioning: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

const STATEMENTS = [
  `create table scim_tokens (
    team_id ${ID} not null references teams on delete cascade,
    id ${ID} not null,
    name text not null,
    token_hash ${ID} not null unique,
    created_by ${ID} not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz,
    stopped_at timestamptz,
    primary key (team_id, id)
  )`,
  // Whoever may no longer create a token must not act through one that they kept, however they lost the right.
  `create function stop_scim_tokens() returns trigger language plpgsql as $$
    begin
      update scim_tokens set stopped_at = now()
        where team_id = old.team_id and created_by = old.person_id and stopped_at is null;
      return null;
    end $$`,
  `create trigger stop_scim_tokens after update of roles, deactivated on memberships for each row
    when ('team_owner' = any(old.roles) and not old.deactivated and (not 'team_owner' = any(new.roles) or new.deactivated))
    execute function stop_scim_tokens()`,
  `create trigger stop_scim_tokens_of_removed after delete on memberships for each row
    when ('team_owner' = any(old.roles)) execute function stop_scim_tokens()`,

  `create table scim_users (
    team_id ${ID} not null references teams on delete cascade,
    id ${ID} not null,
    person_id ${ID},
    user_name text,
    external_id ${ID},
    given_name text,
    family_name text,
    display_name text,
    emails jsonb,
    addresses text[] not null default '{}',
    suspended_at bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (team_id, id),
    foreign key (team_id, person_id) references memberships (team_id, person_id) on update cascade on delete cascade
  )`,
  'create unique index scim_users_by_person on scim_users (team_id, person_id) where person_id is not null',
  'create unique index scim_users_by_name on scim_users (team_id, lower(user_name)) where user_name is not null',
  'create index scim_users_by_external_id on scim_users (team_id, external_id) where external_id is not null',
  'create index scim_users_by_address on scim_users using gin (addresses)',
  'create index scim_users_without_membership on scim_users (team_id, id) where person_id is null',
  // The id of an invitation ends when it is accepted; the one that an identity provider knows must not.
  `create function keep_scim_id() returns trigger language plpgsql as $$
    begin
      insert into scim_users (team_id, id, person_id)
        select new.team_id, old.person_id, new.person_id
        where exists (select 1 from scim_tokens t where t.team_id = new.team_id)
          and not exists (select 1 from scim_users s
            where s.team_id = new.team_id and s.person_id in (old.person_id, new.person_id));
      return null;
    end $$`,
  `create trigger keep_scim_id after update of person_id on memberships
    for each row when (old.person_id <> new.person_id) execute function keep_scim_id()`,

  `create table scim_groups (
    team_id ${ID} not null references teams on delete cascade,
    id ${ID} not null,
    display_name text not null,
    external_id ${ID},
    version integer not null default 1,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (team_id, id)
  )`,
  'create index scim_groups_by_name on scim_groups (team_id, lower(display_name))',
  `create table scim_group_members (
    team_id ${ID} not null,
    group_id ${ID} not null,
    user_id ${ID} not null,
    primary key (team_id, group_id, user_id),
    foreign key (team_id, group_id) references scim_groups (team_id, id) on delete cascade,
    foreign key (team_id, user_id) references scim_users (team_id, id) on delete cascade
  )`,
  'create index scim_group_members_by_user on scim_group_members (team_id, user_id)',

  `create table scim_log (
    team_id ${ID} not null references teams on delete cascade,
    id ${ID} not null,
    at timestamptz not null default now(),
    method text not null,
    path text not null,
    request text not null,
    status smallint not null,
    effect text not null,
    request_id text not null,
    primary key (team_id, id)
  )`,
  'create index scim_log_by_age on scim_log (at)',
];
