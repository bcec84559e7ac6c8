import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A link that no longer works says why, and a sign-up has the time zone of its team. */
export const linksAndZones: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `alter table links add column ended text check (ended in ('used', 'replaced'))`,
  `alter table signups add column time_zone text not null default 'UTC'`,
];
