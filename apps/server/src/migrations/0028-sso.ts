import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Single sign-on of teams: domains, a connection, who is who at its provider, and sign-ins on their way. */
export const sso: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

const STATEMENTS = [
  `create table sso_connections (
    team_id ${ID} primary key references teams on delete cascade,
    id ${ID} not null unique,
    name text not null,
    issuer text not null,
    client_id text not null,
    client_secret text,
    enabled boolean not null default false,
    required boolean not null default false,
    jit boolean not null default false,
    default_role text not null default 'team_user' check (default_role in ('team_user', 'team_admin')),
    group_claim text not null default '',
    group_roles jsonb not null default '{}',
    tested_at timestamptz,
    created_at timestamptz not null default now(),
    check (enabled or not required)
  )`,
  `create table sso_domains (
    team_id ${ID} references teams on delete cascade,
    id ${ID},
    domain text collate "C" not null,
    token text not null,
    created_at timestamptz not null default now(),
    verified_at timestamptz,
    missing_since timestamptz,
    primary key (team_id, id),
    unique (team_id, domain)
  )`,
  // The first team that proves a domain has it.
  'create unique index sso_domains_proved on sso_domains (domain) where verified_at is not null',
  `create table sso_identities (
    team_id ${ID},
    person_id ${ID},
    connection_id ${ID} not null references sso_connections (id) on delete cascade,
    issuer text collate "C" not null,
    subject text collate "C" not null,
    email text not null,
    linked_at timestamptz not null default now(),
    used_at timestamptz,
    primary key (team_id, person_id),
    unique (connection_id, issuer, subject),
    -- Accepting an invitation gives its row the id of the person, and this one with it.
    foreign key (team_id, person_id) references memberships on delete cascade on update cascade
  )`,
  `create table sso_transactions (
    token_hash text primary key,
    connection_id ${ID} not null references sso_connections (id) on delete cascade,
    sealed text not null,
    return_path text not null,
    session_id ${ID},
    person_id ${ID},
    can_link boolean not null,
    is_reauth boolean not null,
    restarts int not null default 0,
    expires_at timestamptz not null
  )`,
  'create index sso_transactions_by_end on sso_transactions (expires_at)',
  'create index sso_transactions_by_connection on sso_transactions (connection_id)',
  `create table sso_logouts (
    connection_id ${ID} references sso_connections (id) on delete cascade,
    jti_hash text,
    expires_at timestamptz not null,
    primary key (connection_id, jti_hash)
  )`,
  'create index sso_logouts_by_end on sso_logouts (expires_at)',
];
