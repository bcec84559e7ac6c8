import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The audit log of the whole server is read in order of time (`workspace audit`). */
export const auditInOrder: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

// Both can be repeated: a run that is killed in the middle leaves an index that is not valid.
const STATEMENTS = [
  'drop index concurrently if exists audit_events_in_order',
  'create index concurrently audit_events_in_order on audit_events (at, id)',
];
