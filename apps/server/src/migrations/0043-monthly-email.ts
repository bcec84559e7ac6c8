import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The day on which the monthly email about a team was sent last. */
export const monthlyEmail: Migration = {
  async up(db) {
    await sql.raw('alter table teams add column monthly_email_on date').execute(db);
  },
};
