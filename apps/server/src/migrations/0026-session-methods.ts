import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The method by which each session began, and the requirements of teams for sessions. */
export const sessionMethods: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

const STATEMENTS = [
  `alter table sessions
    add column method text not null default 'password' check (method in ('password', 'passkey', 'sso')),
    add column team_id ${ID} references teams on delete cascade,
    add column connection_id ${ID},
    add column idp_sid text,
    add column auth_at timestamptz,
    add column mfa_at timestamptz,
    add column longest_idle_seconds int not null default 0`,
  'alter table sign_ins drop constraint sign_ins_method_check',
  "alter table sign_ins add constraint sign_ins_method_check check (method in ('password', 'passkey', 'sso'))",
  'update sessions set auth_at = created_at',
  'alter table sessions alter column auth_at set default now(), alter column auth_at set not null',
  'create index sessions_by_connection on sessions (connection_id, idp_sid) where connection_id is not null',
  `create table team_security (
    team_id ${ID} primary key references teams on delete cascade,
    require_mfa text not null default 'none' check (require_mfa in ('none', 'admins', 'everyone')),
    idle_minutes int,
    session_hours int,
    networks text[] not null default '{}',
    required_connection_id ${ID}
  )`,
];
