import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Invitation links that can be handed out, and whom they don't admit (decision 0024). */
export const invitationLinks: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

const STATEMENTS = [
  `create table invitation_links (
    team_id ${ID} not null references teams on delete cascade,
    id ${ID} not null,
    name text not null,
    token_hash ${ID} not null unique,
    created_by ${ID} not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    revoked_at timestamptz,
    max_uses integer not null check (max_uses between 1 and 500),
    uses integer not null default 0 check (uses between 0 and max_uses),
    domains text[] not null,
    primary key (team_id, id)
  )`,
  `alter table memberships add column invitation_link_id ${ID}`,
  `alter table memberships add constraint memberships_invitation_link_fkey
    foreign key (team_id, invitation_link_id) references invitation_links (team_id, id)
    on delete set null (invitation_link_id)`,
  `create index memberships_by_invitation_link on memberships (team_id, invitation_link_id)
    where invitation_link_id is not null`,
  `create table barred_addresses (
    team_id ${ID} not null references teams on delete cascade,
    address_hash ${ID} not null,
    barred_at timestamptz not null default now(),
    primary key (team_id, address_hash)
  )`,
  'create index former_members_by_email on former_members (team_id, email)',
];
