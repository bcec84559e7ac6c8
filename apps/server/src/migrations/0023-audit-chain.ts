import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Rows of the audit log are signed, chained and sent to a sink; a role without DDL can run the server (decision 0030). */
export const auditChain: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

const STATEMENTS = [
  // Existing rows stay without one.
  'alter table audit_events add column signature text',
  `create table audit_pending (
    team_id ${ID} not null,
    event_id ${ID} not null,
    primary key (team_id, event_id)
  )`,
  `create table audit_chain (
    team_id ${ID} not null,
    position bigint not null,
    number bigint not null,
    event_id ${ID} not null,
    key_id text not null,
    content text not null,
    digest text not null,
    primary key (team_id, position),
    unique (team_id, event_id)
  )`,
  'create index audit_chain_by_number on audit_chain (number)',
  `create function audit_chain_is_final() returns trigger language plpgsql as $$
    begin raise exception 'the chain of the audit log is never changed or removed' using errcode = '42501'; end $$`,
  `create trigger audit_chain_final before update or delete or truncate on audit_chain
    for each statement execute function audit_chain_is_final()`,
  `create table audit_heads (
    team_id ${ID} primary key,
    count bigint not null,
    digest text not null,
    earlier bigint not null,
    key_id text not null,
    seal text not null
  )`,
  `create table audit_server_head (
    id boolean primary key default true check (id),
    number bigint not null,
    digest text not null,
    key_id text not null,
    seal text not null
  )`,
  `create table audit_keys (
    id text primary key,
    sealed text not null,
    created_at timestamptz not null default now()
  )`,
  `create table audit_sink (
    id boolean primary key default true check (id),
    number bigint not null default 0,
    sent_at timestamptz,
    holder text,
    held_until timestamptz
  )`,
  // Only the owner of an index may do this; the role that runs the server may be another one.
  `create function index_pending_keys() returns integer language sql security definer set search_path from current
    return (select coalesce(sum(gin_clean_pending_list(i.oid)), 0)::int
      from pg_class i join pg_am a on a.oid = i.relam join pg_index x on x.indexrelid = i.oid
      where a.amname = 'gin' and i.relnamespace = current_schema()::regnamespace and x.indisvalid
        and pg_has_role(i.relowner, 'USAGE'))`,
];
