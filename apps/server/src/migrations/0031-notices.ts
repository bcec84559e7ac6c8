import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Emails to many owners and admins at once, which a job queues in batches. */
export const notices: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table notices (
    team_id text collate "C" not null references teams on delete cascade,
    id text collate "C" not null,
    kind text collate "C" not null,
    sealed text not null,
    recipients text[] collate "C" not null,
    reached integer not null default 0,
    created_at timestamptz not null default now(),
    primary key (team_id, id)
  )`,
];
