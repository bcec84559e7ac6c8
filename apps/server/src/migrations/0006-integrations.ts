import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Help desks, and what they deliver. */
export const integrations: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

const STATEMENTS = [
  // A row is there before anything is made at the vendor, so that whatever happens next can be found again and cleaned up;
  // disconnected, it keeps what its log needs and forgets its secrets. Who changes it holds it by busy_until, since the
  // vendor is called outside of transactions.
  `create table integrations (
    team_id ${ID} not null references teams,
    id ${ID} not null,
    code text not null,
    state text not null check (state in ('off', 'connecting', 'on', 'disconnecting')),
    changed_at timestamptz not null default now(),
    busy_until timestamptz,
    busy_by text,
    domain text not null,
    username text not null,
    authentication smallint not null check (authentication in (1, 2, 3)),
    credentials text,
    path_hash ${ID} not null unique,
    path_key text,
    webhook_id text,
    signing_secret text,
    created_trigger_id text,
    updated_trigger_id text,
    ticket_created boolean not null default true,
    ticket_updated boolean not null default false,
    message text not null,
    warnings text[] not null default '{}',
    broken boolean not null default false,
    user_id ${ID} references people,
    connected_at timestamptz not null default now(),
    checked_at timestamptz,
    secret_read_at timestamptz,
    secret_seen_at timestamptz,
    last_delivery_at timestamptz,
    last_error text not null default '',
    last_error_at timestamptz,
    primary key (team_id, id)
  )`,

  // No foreign key to channels: one that is gone is shown by the name it had.
  `create table integration_channels (
    team_id ${ID} not null,
    integration_id ${ID} not null,
    channel_id ${ID} not null,
    channel_name text not null,
    primary key (team_id, integration_id, channel_id),
    foreign key (team_id, integration_id) references integrations
  )`,

  `create table deliveries (
    team_id ${ID} not null,
    id ${ID} not null,
    integration_id ${ID} not null,
    invocation_id text not null,
    received_at timestamptz not null default now(),
    headers jsonb not null,
    body text not null,
    text text not null default '',
    note text not null default '',
    state text not null default 'waiting' check (state in ('waiting', 'posted', 'partly', 'failed', 'ignored')),
    primary key (team_id, id),
    unique (team_id, integration_id, invocation_id),
    foreign key (team_id, integration_id) references integrations
  )`,
  'create index deliveries_by_state on deliveries (team_id, integration_id, state, id)',
  // Few deliveries wait at a time, and the search for stalled ones reads only those.
  `create index deliveries_waiting on deliveries (received_at) where state = 'waiting'`,
  'create index deliveries_by_age on deliveries (received_at)',

  `create table delivery_channels (
    team_id ${ID} not null,
    delivery_id ${ID} not null,
    channel_id ${ID} not null,
    channel_name text not null,
    state text not null default 'waiting' check (state in ('waiting', 'posted', 'failed')),
    post_id ${ID} not null default '',
    attempts integer not null default 0,
    error text not null default '',
    primary key (team_id, delivery_id, channel_id),
    foreign key (team_id, delivery_id) references deliveries on delete cascade
  )`,
];
