import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The link that sets up the first team. */
export const setUp: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  // One row at most: a new start replaces the link.
  `create table set_up_links (
    id integer primary key default 1 check (id = 1),
    token_hash text collate "C" not null,
    expires_at timestamptz not null
  )`,
];
