import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Retention rules, and what runs under them did. */
export const retention: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

const STATEMENTS = [
  // Rules are read by the schema that checked them when they were saved: what it cannot read deletes nothing.
  `create table retention_policies (
    team_id ${ID} not null references teams,
    kind text not null,
    rule jsonb not null,
    waiting jsonb,
    effective_at timestamptz,
    reminded boolean not null default false,
    saved_by ${ID} references people,
    saved_at timestamptz not null default now(),
    primary key (team_id, kind),
    check ((waiting is null) = (effective_at is null))
  )`,
  'create index retention_policies_waiting on retention_policies (effective_at) where waiting is not null',

  `create table retention_runs (
    team_id ${ID} not null references teams,
    id ${ID} not null,
    kind text not null,
    origin text not null check (origin in ('night', 'person', 'operator')),
    started_by ${ID} references people,
    started_at timestamptz not null default now(),
    ended_at timestamptz,
    clock text not null check (clock in ('own', 'marked')),
    cutoff bigint not null,
    scanned bigint not null default 0,
    deleted bigint not null default 0,
    bytes bigint not null default 0,
    failed bigint not null default 0,
    state text not null check (state in ('running', 'finished', 'stopped', 'refused', 'failed')),
    note text not null default '',
    at_clock bigint not null default -9007199254740991,
    at_id ${ID} not null default '',
    holder ${ID},
    beat_at timestamptz not null default now(),
    primary key (team_id, id)
  )`,
  // One run at a time of a team and kind, on any number of nodes.
  "create unique index retention_runs_running on retention_runs (team_id, kind) where state = 'running'",
  "create index retention_runs_beating on retention_runs (beat_at) where state = 'running'",
  'create index retention_runs_by_kind on retention_runs (team_id, kind, id)',

  // The last night that was begun, as a day of the team's calendar.
  `create table retention_nights (
    team_id ${ID} primary key references teams,
    night text not null
  )`,
];
