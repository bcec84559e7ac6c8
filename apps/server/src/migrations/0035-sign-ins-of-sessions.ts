import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Single sign-on and the set-up of an authenticator app end with the session that began them (decision 0061). */
export const signInsOfSessions: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  // They last ten minutes, and those of an earlier version don't say whether their session still exists.
  'delete from sso_transactions',
  `alter table sso_transactions drop column person_id, drop column can_link,
    add column has_arrived boolean not null default false`,
  'alter table totp_factors add column session_id text collate "C"',
];
