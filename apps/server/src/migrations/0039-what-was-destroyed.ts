import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Counts of items and file contents in the proof of a destroyed archive. */
export const whatWasDestroyed: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  'alter table retention_archives add column item_bytes bigint',
  `alter table retention_runs
    add column destroyed_items bigint not null default 0,
    add column destroyed_files bigint not null default 0,
    add column destroyed_item_bytes bigint not null default 0`,
];
