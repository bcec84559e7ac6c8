import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Servers of other products that a bridge connects: their structure, descriptions of their messages, and the actions requested from them. */
export const connectedServers: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';
const SERVER = `server_id ${ID} not null references connected_servers (id) on delete cascade`;
/** Times of the connected server are its own, in milliseconds; 0 for never. */
const AT = 'bigint not null';

const STATEMENTS = [
  `create table connected_servers (
    id ${ID} primary key,
    provider text not null,
    name text not null,
    token_hash text not null unique,
    created_at timestamptz not null default now(),
    lease_id ${ID},
    lease_until timestamptz,
    bridge text not null default '',
    server_version text not null default '',
    checks jsonb not null default '[]',
    reported_at timestamptz,
    rehearsal jsonb not null default '[]',
    rehearsal_passed boolean not null default false,
    rehearsed_at timestamptz,
    users_listed_at timestamptz,
    channels_listed_at timestamptz
  )`,
  // `night` is the day of the team's calendar whose order was decided.
  `create table connected_teams (
    ${SERVER},
    remote_id ${ID} not null,
    team_id ${ID} not null references teams (id) on delete cascade,
    direct_messages boolean not null,
    accepted_at timestamptz,
    accepted_by ${ID},
    paused_at timestamptz,
    night text not null default '',
    default_channel_ids text[] not null default '{}',
    primary key (server_id, remote_id),
    unique (team_id, server_id)
  )`,
  'create unique index connected_teams_direct on connected_teams (server_id) where direct_messages',
  `create table connected_users (
    ${SERVER},
    id ${ID} not null,
    username text not null,
    name text not null,
    email text not null,
    roles text[] not null,
    team_ids text[] not null,
    left_team_ids text[] not null default '{}',
    is_bot boolean not null,
    owns_bots boolean not null,
    is_protected boolean not null,
    deactivated_at ${AT},
    list_id ${ID},
    primary key (server_id, id)
  )`,
  'create index connected_users_by_name on connected_users (server_id, username collate "C", id)',
  `create table connected_channels (
    ${SERVER},
    id ${ID} not null,
    remote_team_id text not null,
    team_id ${ID} not null references teams (id) on delete cascade,
    type text not null check (type in ('O', 'P', 'D', 'G')),
    name text not null,
    member_ids text[] not null,
    archived_at ${AT},
    arrived_at timestamptz not null default now(),
    hint text not null default '',
    list_began_at timestamptz,
    listed_at timestamptz,
    messages integer not null default 0,
    list_id ${ID},
    primary key (server_id, id)
  )`,
  'create index connected_channels_by_team on connected_channels (server_id, team_id)',
  `create table connected_messages (
    ${SERVER},
    id ${ID} not null,
    channel_id ${ID} not null,
    thread_id ${ID} not null,
    original_id ${ID} not null,
    user_id ${ID} not null,
    created_at ${AT},
    active_at ${AT},
    deleted_at ${AT},
    kind text not null,
    size integer,
    file_ids text[] not null,
    file_bytes bigint,
    arrived_at timestamptz not null default now(),
    list_id ${ID},
    primary key (server_id, id)
  )`,
  'create index connected_messages_by_thread on connected_messages (server_id, channel_id, thread_id)',
  `create table connected_lists (
    ${SERVER},
    id ${ID} not null,
    kind text not null check (kind in ('users', 'channels', 'messages')),
    channel_id ${ID} not null default '',
    began_at timestamptz not null default now(),
    next_page integer not null default 0,
    primary key (server_id, id),
    unique (server_id, kind, channel_id)
  )`,
  `create table connected_rules (
    ${SERVER},
    team_id ${ID} not null references teams (id) on delete cascade,
    kind text not null,
    rule jsonb not null,
    waiting jsonb,
    effective_at timestamptz,
    saved_by ${ID},
    reminded boolean not null default false,
    primary key (server_id, team_id, kind)
  )`,
  `create table connected_orders (
    id ${ID} primary key,
    ${SERVER},
    team_id ${ID} not null references teams (id) on delete cascade,
    state text not null check (state in ('open', 'done', 'stopped', 'refused')),
    opened_at timestamptz not null default now(),
    closed_at timestamptz,
    rows integer not null,
    threads integer not null,
    digest text not null,
    proof text not null default '',
    gone integer not null default 0,
    kept_by jsonb not null default '{}',
    orphans integer not null default 0,
    server_version text not null default '',
    reason text not null default ''
  )`,
  "create unique index connected_orders_open on connected_orders (server_id, team_id) where state = 'open'",
  'create index connected_orders_by_team on connected_orders (server_id, team_id, id)',
  `create table connected_permits (
    id ${ID} primary key,
    order_id ${ID} not null references connected_orders (id) on delete cascade,
    ${SERVER},
    channel_id ${ID} not null,
    row_ids text[] not null,
    is_whole boolean not null,
    issued_at timestamptz not null default now(),
    begun_at timestamptz,
    closed_at timestamptz
  )`,
  'create unique index connected_permits_open on connected_permits (server_id) where closed_at is null',
  'create index connected_permits_by_order on connected_permits (order_id)',
  `create table connected_order_rows (
    order_id ${ID} not null references connected_orders (id) on delete cascade,
    id ${ID} not null,
    channel_id ${ID} not null,
    thread_id ${ID} not null,
    created_at ${AT},
    outcome text not null default '' check (outcome in ('', 'gone', 'kept')),
    reason text not null default '',
    primary key (order_id, id)
  )`,
  "create index connected_order_rows_open on connected_order_rows (order_id, channel_id, thread_id) where outcome = ''",
  `create table connected_work (
    ${SERVER},
    id ${ID} not null,
    team_id ${ID} not null references teams (id) on delete cascade,
    remote_team_id ${ID} not null,
    user_id ${ID} not null,
    action text not null,
    channel_ids text[] not null default '{}',
    asked_by ${ID},
    asked_at timestamptz not null default now(),
    outcome text not null default '' check (outcome in ('', 'done', 'refused')),
    detail text not null default '',
    done_at timestamptz,
    primary key (server_id, id)
  )`,
  "create index connected_work_open on connected_work (server_id, id) where outcome = ''",
  'create index connected_work_by_user on connected_work (server_id, user_id, id)',
  `create table hold_connected_users (
    team_id ${ID} not null,
    hold_id ${ID} not null,
    ${SERVER},
    user_id ${ID} not null,
    primary key (team_id, hold_id, server_id, user_id),
    foreign key (team_id, hold_id) references holds (team_id, id) on delete cascade
  )`,
  `create table hold_connected_channels (
    team_id ${ID} not null,
    hold_id ${ID} not null,
    ${SERVER},
    channel_id ${ID} not null,
    primary key (team_id, hold_id, server_id, channel_id),
    foreign key (team_id, hold_id) references holds (team_id, id) on delete cascade
  )`,
];
