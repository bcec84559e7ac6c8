import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Time-limited access to private and direct channels for users who aren't members of them. */
export const complianceAccess: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

const STATEMENTS = [
  // A person who leaves the team loses the access with the membership, and doesn't get it back by joining again.
  `create table compliance_access (
    team_id ${ID} not null,
    channel_id ${ID} not null,
    person_id ${ID} not null,
    granted_by ${ID} not null references people on delete cascade,
    reason text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    primary key (team_id, channel_id, person_id),
    foreign key (team_id, channel_id) references channels on delete cascade,
    foreign key (team_id, person_id) references memberships on delete cascade
  )`,
  // A person who is deactivated or loses a role loses the access too, and doesn't get it back with the role.
  `create function end_compliance_access() returns trigger language plpgsql as $$
    begin
      delete from compliance_access where team_id = new.team_id and person_id = new.person_id;
      return null;
    end $$`,
  `create trigger end_compliance_access after update of roles, deactivated on memberships for each row
    when (new.deactivated or not new.roles @> old.roles) execute function end_compliance_access()`,
  'create index compliance_access_by_person on compliance_access (team_id, person_id)',
  'create index compliance_access_by_expiry on compliance_access (expires_at)',
];
