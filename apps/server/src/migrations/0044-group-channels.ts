import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Groups of an identity provider can be mapped to channels, and a membership of a channel knows why it exists. */
export const groupChannels: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

const STATEMENTS = [
  // Earlier memberships stay when someone leaves a group, because nothing says that a group made them.
  `alter table channel_members add column reason text not null default 'person'
    check (reason in ('person', 'default', 'group'))`,
  `create index channel_members_by_group on channel_members (team_id, person_id) where reason = 'group'`,
  `create table group_channels (
    team_id ${ID} not null,
    group_id ${ID} not null,
    channel_id ${ID} not null,
    primary key (team_id, group_id, channel_id),
    foreign key (team_id, group_id) references scim_groups (team_id, id) on delete cascade,
    foreign key (team_id, channel_id) references channels (team_id, id)
  )`,
  'create index group_channels_by_channel on group_channels (team_id, channel_id)',
  `alter table channel_joins add column source text not null default 'defaults' check (source in ('defaults', 'groups'))`,
  `alter table channel_joins add column removed integer not null default 0`,
  'drop index channel_joins_running',
  'create unique index channel_joins_running on channel_joins (team_id, source) where ended_at is null',
];
