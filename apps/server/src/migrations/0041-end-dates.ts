import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The last day of a membership, and the instant at which that day is over in the team's time zone. */
export const endDates: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `alter table memberships
    add column ends_on date, add column ends_at timestamptz, add column end_notice smallint,
    add constraint memberships_end check ((ends_on is null) = (ends_at is null)),
    add constraint memberships_owners_stay check (ends_on is null or not 'team_owner' = any(roles))`,
  'alter table user_jobs add column ends_on date',
  `alter table people add column wanted_emails text[] not null default '{}'`,
  'alter table teams add column end_list_on date',
  'alter table invitation_links add column members_end_on date',
  // The list of a team, and the job that ends what is due in all teams.
  `create index memberships_by_end on memberships (team_id, ends_at, person_id)
    where ends_at is not null and not deactivated`,
  'create index memberships_ending on memberships (ends_at) where ends_at is not null and not deactivated',
];
