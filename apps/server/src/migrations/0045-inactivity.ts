import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The rule of a team that warns and then deactivates members without activity, and where that activity is known from. */
export const inactivity: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';
const SOURCES = "('sso', 'reports')";

const STATEMENTS = [
  'alter table memberships add column reactivated_at bigint',
  `create table activity_sources (
    team_id ${ID} not null references teams on delete cascade,
    kind text not null check (kind in ${SOURCES}),
    began_at timestamptz not null,
    heard_at timestamptz not null,
    primary key (team_id, kind)
  )`,
  // Sign-ins were logged before, and counted as activity of their users.
  `insert into activity_sources (team_id, kind, began_at, heard_at)
    select team_id, 'sso', min(at), max(at) from sign_ins where method = 'sso' and outcome = 'ok' group by team_id`,
  `create table inactivity_rules (
    team_id ${ID} primary key references teams on delete cascade,
    source text not null check (source in ${SOURCES}),
    days integer not null check (days between 30 and 730),
    skips_held boolean not null,
    skips_provisioned boolean not null,
    on_since timestamptz
  )`,
  `create table inactivity_exceptions (
    team_id ${ID} not null,
    person_id ${ID} not null,
    reason text not null,
    until date,
    added_by ${ID} not null,
    added_at timestamptz not null,
    primary key (team_id, person_id),
    foreign key (team_id, person_id) references memberships (team_id, person_id) on delete cascade
  )`,
  `create table inactivity_warnings (
    team_id ${ID} not null,
    person_id ${ID} not null,
    warned_on date not null,
    first_mail_id ${ID} not null,
    first_token_hash ${ID} not null unique,
    first_accepted boolean not null default false,
    reminded_on date,
    second_mail_id ${ID},
    second_token_hash ${ID} unique,
    second_accepted boolean not null default false,
    primary key (team_id, person_id),
    foreign key (team_id, person_id) references memberships (team_id, person_id) on delete cascade
  )`,
  `create table inactivity_nights (
    team_id ${ID} not null references teams on delete cascade,
    night date not null,
    state text not null check (state in ('running', 'done', 'asks', 'paused')),
    members integer not null,
    asked_ids text[] not null default '{}',
    warned_ids text[] not null default '{}',
    reminded_ids text[] not null default '{}',
    deactivated_ids text[] not null default '{}',
    deactivated_times bigint[] not null default '{}',
    confirmed_by ${ID},
    undone_by ${ID},
    undone_at timestamptz,
    started_at timestamptz not null,
    ended_at timestamptz,
    primary key (team_id, night)
  )`,
  'create index inactivity_nights_by_age on inactivity_nights (started_at)',
];
