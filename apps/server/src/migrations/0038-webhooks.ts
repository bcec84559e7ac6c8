import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Logs repeats of a delivery, and counts refused calls of an integration. */
export const webhooks: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

// Only one delivery with an id is posted; its repeats are rows of their own. Each statement may be repeated: a run that is killed
// leaves an index that isn't valid.
const STATEMENTS = [
  'alter table deliveries add column if not exists is_repeat boolean not null default false',
  'drop index concurrently if exists deliveries_by_invocation',
  `create unique index concurrently deliveries_by_invocation on deliveries (team_id, integration_id, invocation_id)
    where not is_repeat`,
  'alter table deliveries drop constraint if exists deliveries_team_id_integration_id_invocation_id_key',
  `alter table integrations add column if not exists refused_count bigint not null default 0,
    add column if not exists refused_reason text not null default '',
    add column if not exists refused_at timestamptz`,
];
