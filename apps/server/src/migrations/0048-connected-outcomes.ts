import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Attempts of permits, turns of orders, channels that are only read, and sizes of single files. */
export const connectedOutcomes: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `alter table connected_permits add column rows jsonb not null default '[]',
    add column given integer not null default 0, add column attempts integer not null default 0`,
  'alter table connected_orders add column turn_at timestamptz',
  `alter table connected_channels add column read_only text not null default ''
    check (read_only in ('', 'slow', 'refused'))`,
  'alter table connected_lists add column rows integer not null default 0',
  'alter table connected_messages add column file_sizes bigint[]',
];
