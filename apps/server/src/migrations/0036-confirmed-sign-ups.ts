import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Opening the link of a sign-up creates nothing: the team waits for the next sign-in of its owner (decision 0024). */
export const confirmedSignUps: Migration = {
  async up(db) {
    await sql`alter table signups add column confirmed_at timestamptz`.execute(db);
  },
};
