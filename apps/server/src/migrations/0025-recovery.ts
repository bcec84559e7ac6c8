import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Recoverable deletion: archives of what runs deleted, for some days. */
export const recovery: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

const STATEMENTS = [
  `create table retention_recovery (
    team_id ${ID} not null primary key references teams (id) on delete cascade,
    days integer not null check (days between 0 and 30),
    waiting_days integer check (waiting_days between 0 and 30),
    effective_at timestamptz,
    saved_by ${ID},
    saved_at timestamptz not null default now()
  )`,
  // Runs of processes of the previous version have no archive.
  `alter table retention_runs
    add column recoverable_days integer not null default 0,
    add column archive_key text,
    add column recoverable_until timestamptz,
    add column restore_state text not null default '' check (restore_state in ('', 'running', 'finished', 'failed')),
    add column restore_note text not null default '',
    add column restored_at timestamptz,
    add column restored bigint not null default 0,
    add column skipped bigint not null default 0,
    add column destroyed_at timestamptz,
    add column destroyed_objects bigint not null default 0,
    add column destroyed_bytes bigint not null default 0`,
  `create table retention_archives (
    team_id ${ID} not null,
    run_id ${ID} not null,
    number integer not null,
    blob ${ID} not null,
    bytes bigint not null,
    sha256 text not null,
    items integer not null,
    destroying boolean not null default false,
    primary key (team_id, run_id, number),
    foreign key (team_id, run_id) references retention_runs (team_id, id) on delete cascade
  )`,
  // Contents of files that a run deleted: kept until its archive expires.
  `create table archived_blobs (
    team_id ${ID} not null,
    run_id ${ID} not null,
    number integer not null,
    blob ${ID} not null,
    primary key (team_id, run_id, number, blob),
    foreign key (team_id, run_id, number) references retention_archives (team_id, run_id, number) on delete cascade
  )`,
  'create index retention_runs_recoverable on retention_runs (recoverable_until) where recoverable_until is not null and destroyed_at is null',
];
