import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The audit log is read by time: all of it, by who did it, what was done, and what it was done to. */
export const auditLog: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

// Rows of one moment are few, so the id that orders them is not in the index and is sorted afterwards. What no person did
// counts as done by '', since rows without an actor could not be walked in order.
const STATEMENTS = [
  'create index audit_events_by_time on audit_events (team_id, at)',
  'create index audit_events_by_action on audit_events (team_id, action, at)',
  `create index audit_events_by_actor on audit_events (team_id, (coalesce(actor_id, '')), at)`,
  `create index audit_events_by_actor_action on audit_events (team_id, (coalesce(actor_id, '')), action, at)`,
  'create index audit_events_by_target on audit_events (team_id, target, at)',
];
