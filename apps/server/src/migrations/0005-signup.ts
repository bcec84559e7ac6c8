import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Sign-ups, default channels, and the delivery of emails. */
export const signup: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

const STATEMENTS = [
  `create table signups (
    token_hash ${ID} primary key,
    owner_email ${ID} not null,
    team_name text not null,
    invitees text[] not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    checked_at timestamptz,
    used_at timestamptz,
    team_id ${ID} references teams
  )`,
  'create index signups_by_owner on signups (owner_email)',
  'create index signups_by_expiry on signups (expires_at)',

  'alter table links add column checked_at timestamptz',

  // No foreign key to channels: a default channel that is gone is shown as such, by the name it had.
  `create table default_channels (
    team_id ${ID} not null references teams,
    channel_id ${ID} not null,
    channel_name text not null,
    primary key (team_id, channel_id)
  )`,

  `create table channel_joins (
    team_id ${ID} not null references teams,
    id ${ID} not null,
    channel_ids text[] not null,
    started_by ${ID} references people,
    started_at timestamptz not null default now(),
    ended_at timestamptz,
    people_total integer not null,
    people_done integer not null default 0,
    joined integer not null default 0,
    reached ${ID} not null default '',
    primary key (team_id, id)
  )`,
  'create unique index channel_joins_running on channel_joins (team_id) where ended_at is null',

  // The text of an email isn't stored here, because it may contain a one-time link.
  `create table mails (
    id ${ID} primary key,
    team_id ${ID},
    person_id ${ID},
    kind text not null,
    recipient text not null,
    state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
    attempts integer not null default 0,
    error text not null default '',
    created_at timestamptz not null default now(),
    ended_at timestamptz
  )`,
  'create index mails_by_person on mails (person_id, team_id, created_at)',
  'create index mails_by_age on mails (created_at)',
  `create index mails_failed on mails (team_id, ended_at) where state = 'failed'`,
];
