import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Finds entries of the directory by address, for imports of a list that was imported before (decision 0016). */
export const matchingEntries: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  'drop index concurrently if exists directory_entries_by_email',
  "create index concurrently directory_entries_by_email on directory_entries (team_id, email) where email <> ''",
];
