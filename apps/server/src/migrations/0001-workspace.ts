import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** People, teams, sessions and what every change leaves behind. */
export const workspace: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

// Ids and sort keys compare by bytes ("C"): keyset pages must not depend on the cluster's locale.
const ID = 'text collate "C"';

const STATEMENTS = [
  'create extension if not exists pg_trgm',
  'create extension if not exists btree_gin',

  `create table people (
    id ${ID} primary key,
    email ${ID} not null unique,
    first_name text not null default '',
    last_name text not null default '',
    type smallint not null check (type in (1, 2)),
    password_hash text,
    apps jsonb not null default '{}',
    last_picture_update bigint not null default 0,
    create_at bigint not null,
    update_at bigint not null,
    delete_at bigint not null default 0
  )`,

  `create table teams (
    id ${ID} primary key,
    display_name text not null,
    time_zone text not null default 'UTC',
    create_at bigint not null
  )`,

  `create table memberships (
    team_id ${ID} not null references teams,
    person_id ${ID} not null references people,
    roles text[] not null check (roles <@ array['team_user', 'team_admin', 'team_owner', 'zendesk']),
    name_key ${ID} not null,
    search text not null,
    deactivated boolean not null default false,
    create_at bigint not null,
    primary key (team_id, person_id)
  )`,
  'create index memberships_by_person on memberships (person_id)',
  // The index contains the columns that a list shows and searches, so that a search through names reads no table.
  `create index memberships_by_name on memberships (team_id, name_key, person_id) include (roles, search)
    where not deactivated`,
  'create index memberships_by_name_all on memberships (team_id, name_key, person_id)',
  `create index memberships_admins on memberships (team_id, name_key, person_id)
    where roles && array['team_admin', 'team_owner', 'zendesk']`,
  'create index memberships_search on memberships using gin (team_id, search gin_trgm_ops)',

  `create table sessions (
    id ${ID} primary key,
    person_id ${ID} not null references people,
    token_hash ${ID} not null unique,
    device_id text not null default '',
    user_agent text not null default '',
    address text not null default '',
    created_at timestamptz not null default now(),
    active_at timestamptz not null default now()
  )`,
  'create index sessions_by_person on sessions (person_id, created_at)',
  'create index sessions_by_age on sessions (created_at)',

  `create table known_addresses (
    person_id ${ID} not null references people,
    address text not null,
    seen_at timestamptz not null default now(),
    primary key (person_id, address)
  )`,

  `create table presence (
    person_id ${ID} primary key references people,
    status text not null default 'online' check (status in ('online', 'away', 'dnd', 'offline')),
    manual boolean not null default false,
    last_activity_at bigint not null
  )`,

  `create table links (
    token_hash ${ID} primary key,
    kind text not null check (kind in ('reset', 'invite')),
    person_id ${ID} not null references people,
    team_id ${ID} references teams,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  )`,
  'create index links_by_person on links (person_id, kind)',
  'create index links_by_expiry on links (expires_at)',

  `create table audit_events (
    team_id ${ID} not null default '',
    id ${ID} not null,
    at timestamptz not null default now(),
    actor_id ${ID},
    action text not null,
    target text,
    details jsonb not null default '{}',
    address text not null,
    request_id text not null,
    primary key (team_id, id)
  )`,
  `create function audit_events_are_final() returns trigger language plpgsql as $$
    begin raise exception 'audit events are never changed or removed' using errcode = '42501'; end $$`,
  `create trigger audit_events_final before update or delete or truncate on audit_events
    for each statement execute function audit_events_are_final()`,

  `create table idempotency_keys (
    person_id ${ID} not null,
    key text not null,
    request_hash text not null,
    answer jsonb,
    created_at timestamptz not null default now(),
    primary key (person_id, key)
  )`,
  'create index idempotency_keys_by_age on idempotency_keys (created_at)',

  `create table throttles (
    key varchar(255) primary key,
    points integer not null default 0,
    expire bigint
  )`,
  'create index throttles_by_expiry on throttles (expire)',
];
