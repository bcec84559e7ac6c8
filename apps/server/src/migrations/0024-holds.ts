import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Legal holds: content that no rule deletes until they are released (decision 0052). */
export const holds: Migration = {
  async up(db) {
    for (const statement of [...STATEMENTS, ...ERASING]) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

const STATEMENTS = [
  `create table holds (
    team_id ${ID} not null references teams (id) on delete cascade,
    id ${ID} not null,
    name text not null,
    reason text not null,
    settings text[] not null default '{}',
    from_at bigint,
    to_at bigint,
    has_people boolean not null,
    has_channels boolean not null,
    created_at timestamptz not null default now(),
    created_by ${ID},
    run_id ${ID},
    version integer not null default 1,
    release_at timestamptz,
    release_reason text not null default '',
    released_by ${ID},
    primary key (team_id, id)
  )`,
  `create table hold_people (
    team_id ${ID} not null,
    person_id ${ID} not null,
    hold_id ${ID} not null,
    primary key (team_id, person_id, hold_id),
    foreign key (team_id, hold_id) references holds (team_id, id) on delete cascade
  )`,
  `create table hold_channels (
    team_id ${ID} not null,
    channel_id ${ID} not null,
    hold_id ${ID} not null,
    primary key (team_id, channel_id, hold_id),
    foreign key (team_id, hold_id) references holds (team_id, id) on delete cascade
  )`,
  // Direct channels that a named person belonged to when the hold was saved, or later: leaving changes nothing.
  `create table hold_direct_channels (
    team_id ${ID} not null,
    channel_id ${ID} not null,
    hold_id ${ID} not null,
    primary key (team_id, channel_id, hold_id),
    foreign key (team_id, hold_id) references holds (team_id, id) on delete cascade
  )`,
  // Items of a restore. No foreign key: it would be looked up for each of millions of rows, and holds are never deleted.
  `create table hold_items (
    team_id ${ID} not null,
    hold_id ${ID} not null,
    item_id ${ID} not null,
    primary key (team_id, hold_id, item_id)
  )`,
  // When a person whom a hold names joins a direct channel, the hold covers it from then on.
  `create function hold_joined_channels() returns trigger language plpgsql as $$
    begin
      insert into hold_direct_channels (team_id, channel_id, hold_id)
        select j.team_id, j.channel_id, p.hold_id from joined j
        join hold_people p on p.team_id = j.team_id and p.person_id = j.person_id
        join channels c on c.team_id = j.team_id and c.id = j.channel_id and c.type = 'D'
        on conflict do nothing;
      return null;
    end $$`,
  `create trigger hold_joined_channels after insert on channel_members
    referencing new table as joined for each statement execute function hold_joined_channels()`,
  'create index hold_people_by_hold on hold_people (team_id, hold_id)',
  'create index hold_channels_by_hold on hold_channels (team_id, hold_id)',
  'create index hold_direct_channels_by_hold on hold_direct_channels (team_id, hold_id)',
  'alter table retention_runs add column held bigint not null default 0',
  // An export has the data of a person, or the items of a hold; person_id is the id of either.
  `alter table privacy_exports add column about text not null default 'person' check (about in ('person', 'hold')),
    add column sha256 text not null default ''`,
];

const ERASING = [
  `create function erase_in_messages(team text, address text, replacement text, after text, page integer, kept text[])
    returns text
    language plpgsql as $$
    declare reached text;
    begin
      select max(id) into reached from (
        select id from messages where team_id = team and id > after order by id limit page) paged;
      update messages set text = erased_text(text, address, '{}', replacement),
          size = octet_length(erased_text(text, address, '{}', replacement)),
          props = erased_json(props, address, '{}', '{}', replacement)
        where team_id = team and id > after and id <= reached and id <> all(kept)
          and (strpos(lower(text), address) > 0 or strpos(lower(props::text), address) > 0);
      return coalesce(reached, '');
    end $$`,
  `create function erase_in_files(team text, address text, replacement text, after text, page integer, kept text[])
    returns text
    language plpgsql as $$
    declare reached text;
    begin
      select max(id) into reached from (
        select id from files where team_id = team and id > after order by id limit page) paged;
      update files set name = erased_file_name(name, address, replacement)
        where team_id = team and id > after and id <= reached and id <> all(kept) and strpos(lower(name), address) > 0;
      return coalesce(reached, '');
    end $$`,
  `create function erase_in_records(team text, address text, replacement text, after text, page integer, kept text[])
    returns text
    language plpgsql as $$
    declare last_kind text := split_part(after, ' ', 1); last_id text := split_part(after, ' ', 2); reached text[];
    begin
      select array[kind, id] into reached from (
        select kind, id from records where team_id = team and (kind, id) > (last_kind, last_id) order by kind, id limit page
      ) paged order by kind desc, id desc limit 1;
      update records set title = erased_text(title, address, '{}', replacement), text = erased_text(text, address, '{}', replacement),
          name = erased_file_name(name, address, replacement)
        where team_id = team and (kind, id) > (last_kind, last_id) and (kind, id) <= (reached[1], reached[2]) and id <> all(kept)
          and strpos(lower(title || E'\\n' || text || E'\\n' || name), address) > 0;
      return coalesce(reached[1] || ' ' || reached[2], '');
    end $$`,
  // As before, but for the items of the page that a legal hold keeps as they are.
  `create function erase_in_content(kind text, team text, address text, replacement text, after text, page integer, kept text[])
    returns text language plpgsql as $$
    begin
      return case kind
        when 'messages' then erase_in_messages(team, address, replacement, after, page, kept)
        when 'files' then erase_in_files(team, address, replacement, after, page, kept)
        when 'records' then erase_in_records(team, address, replacement, after, page, kept)
        when 'deliveries' then erase_in_deliveries(team, address, replacement, after, page) end;
    end $$`,
  // For processes of the previous version.
  `create or replace function erase_in_content(kind text, team text, address text, replacement text, after text, page integer)
    returns text language plpgsql as $$
    begin
      return erase_in_content(kind, team, address, replacement, after, page, '{}');
    end $$`,
  'drop function erase_in_messages(text, text, text, text, integer)',
  'drop function erase_in_files(text, text, text, text, integer)',
  'drop function erase_in_records(text, text, text, text, integer)',
];
