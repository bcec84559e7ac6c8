import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Channels and the content that retention governs, with its sources. */
export const content: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

const STATEMENTS = [
  `create table channels (
    team_id ${ID} not null references teams,
    id ${ID} not null,
    type text not null check (type in ('O', 'P', 'D')),
    name ${ID} not null,
    display_name text not null,
    header text not null default '',
    purpose text not null default '',
    creator_id ${ID} not null default '',
    create_at bigint not null,
    update_at bigint not null,
    delete_at bigint not null default 0,
    last_post_at bigint not null default 0,
    primary key (team_id, id),
    unique (team_id, name)
  )`,
  // A channel's address does not name its team.
  'create index channels_by_id on channels (id)',

  `create table channel_members (
    team_id ${ID} not null,
    channel_id ${ID} not null,
    person_id ${ID} not null references people,
    create_at bigint not null,
    primary key (team_id, channel_id, person_id),
    foreign key (team_id, channel_id) references channels
  )`,
  'create index channel_members_by_person on channel_members (person_id, team_id)',

  // No foreign key to channels or people: it would be looked up for each of millions of rows, and what writes them has
  // looked already. The type of the channel is repeated, since a rule goes by it; it never changes.
  `create table messages (
    team_id ${ID} not null,
    id ${ID} not null,
    channel_id ${ID} not null,
    channel_type text not null check (channel_type in ('O', 'P', 'D')),
    user_id ${ID} not null default '',
    external_id ${ID},
    text text not null,
    size integer not null,
    root_id ${ID} not null default '',
    file_ids text[] not null default '{}',
    props jsonb not null default '{}',
    create_at bigint not null,
    update_at bigint not null,
    delete_at bigint not null default 0,
    primary key (team_id, id)
  )`,
  'create unique index messages_by_external_id on messages (team_id, external_id) where external_id is not null',
  'create index messages_by_channel on messages (team_id, channel_id, create_at, id) where delete_at = 0',
  // For who asks what changed since: few messages are changed after they were written.
  `create index messages_changed on messages (team_id, channel_id, create_at, id) include (update_at)
    where delete_at = 0 and update_at > create_at`,
  // Rules count and delete by these two indexes. They contain the size, so that counting reads no table.
  'create index messages_by_age on messages (team_id, channel_type, create_at, id) include (size)',
  `create index messages_marked on messages (team_id, channel_type, delete_at, id) include (size)
    where delete_at > 0`,

  // A row is doomed from the moment its blob is being deleted until it is gone itself, and shown to nobody.
  `create table files (
    team_id ${ID} not null,
    id ${ID} not null,
    external_id ${ID},
    channel_id ${ID} not null default '',
    post_id ${ID} not null default '',
    user_id ${ID} not null default '',
    name text not null,
    size bigint not null,
    blob ${ID},
    digest ${ID} not null default '',
    create_at bigint not null,
    update_at bigint not null,
    delete_at bigint not null default 0,
    doomed boolean not null default false,
    primary key (team_id, id)
  )`,
  'create unique index files_by_external_id on files (team_id, external_id) where external_id is not null',
  'create index files_by_id on files (id)',
  'create index files_by_age on files (team_id, create_at, id) include (size)',
  'create index files_marked on files (team_id, delete_at, id) include (size) where delete_at > 0',
  'create index files_doomed on files (team_id, id) where doomed',

  `create table records (
    team_id ${ID} not null,
    kind text not null check (kind in ('note', 'task', 'meeting', 'meeting_recording', 'call', 'call_recording',
      'voicemail', 'communication')),
    id ${ID} not null,
    external_id ${ID},
    user_id ${ID} not null default '',
    title text not null default '',
    text text not null default '',
    name text not null default '',
    size bigint not null,
    blob ${ID},
    digest ${ID} not null default '',
    clock bigint,
    create_at bigint not null,
    update_at bigint not null,
    delete_at bigint not null default 0,
    doomed boolean not null default false,
    primary key (team_id, kind, id)
  )`,
  'create unique index records_by_external_id on records (team_id, kind, external_id) where external_id is not null',
  `create index records_by_age on records (team_id, kind, clock, id) include (size) where clock is not null`,
  'create index records_doomed on records (team_id, kind, id) where doomed',

  // Blobs that no row holds: noted before one is written and when one is replaced, forgotten when a row takes it.
  `create table loose_blobs (
    team_id ${ID} not null,
    key ${ID} not null,
    since timestamptz not null default now(),
    primary key (team_id, key)
  )`,
  'create index loose_blobs_by_age on loose_blobs (since)',

  `create table service_tokens (
    team_id ${ID} not null references teams,
    id ${ID} not null,
    name text not null,
    token_hash ${ID} not null unique,
    created_by ${ID} references people,
    created_at timestamptz not null default now(),
    last_used_at timestamptz,
    primary key (team_id, id)
  )`,

  // Every team has general; here its id is made of the team's.
  `insert into channels (team_id, id, type, name, display_name, create_at, update_at)
    select id, substr(md5(id || 'general'), 1, 26), 'O', 'general', 'General',
      create_at, create_at from teams`,
];
