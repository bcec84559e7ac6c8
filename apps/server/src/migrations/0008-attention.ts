import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Indexes for the home screen, which looks for waiting emails and unanswered invitations among many rows. */
export const attention: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create index mails_waiting on mails (team_id, created_at) where state = 'waiting'`,
  'create index people_pending on people (id) where type = 1 and delete_at = 0',
];
