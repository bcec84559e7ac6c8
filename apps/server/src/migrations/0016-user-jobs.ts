import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Changes to many users, which a background job makes batch by batch (decision 0042). */
export const userJobs: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

const STATEMENTS = [
  // No foreign key to the person who started it: a job may end after they left.
  `create table user_jobs (
    team_id ${ID} not null references teams,
    id ${ID} not null,
    action text not null,
    started_by ${ID} not null,
    user_ids text[],
    filter jsonb,
    joined_until bigint not null,
    state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
    error text,
    total integer not null,
    done integer not null default 0,
    skipped jsonb not null default '{}',
    failed jsonb not null default '[]',
    reached ${ID} not null default '',
    started_at timestamptz not null default now(),
    touched_at timestamptz not null default now(),
    ended_at timestamptz,
    primary key (team_id, id),
    constraint user_jobs_target check ((user_ids is null) <> (filter is null)),
    constraint user_jobs_ended check ((ended_at is not null) = (state in ('done', 'failed')))
  )`,
  'create unique index user_jobs_running on user_jobs (team_id) where ended_at is null',
  'create index user_jobs_by_end on user_jobs (ended_at)',
];
