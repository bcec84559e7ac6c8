import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Exports of what is stored about a person, former members, and erasing (decision 0039). */
export const privacy: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

const PERSON_NAME = `coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), p.email)`;

const TABLES = [
  `create table privacy_exports (
    team_id ${ID} not null default '',
    id ${ID} not null,
    person_id ${ID} not null,
    requested_by ${ID} not null,
    state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
    holder ${ID},
    parts text[] not null default '{}',
    size bigint not null default 0,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null default now() + interval '7 days',
    primary key (team_id, id)
  )`,
  'create index privacy_exports_by_person on privacy_exports (person_id, team_id, id)',
  'create index privacy_exports_by_expiry on privacy_exports (expires_at)',
  `create unique index privacy_exports_unfinished on privacy_exports (team_id, person_id, requested_by)
    where state in ('queued', 'running')`,

  `create table former_members (
    team_id ${ID} not null references teams,
    person_id ${ID} not null,
    name text not null,
    email ${ID} not null,
    left_at timestamptz not null default now(),
    primary key (team_id, person_id)
  )`,

  `create table erasures (
    team_id ${ID} not null references teams,
    person_id ${ID} not null,
    code text not null check (code ~ '^[0-9A-F]{4,16}$'),
    account text not null check (account in ('deleted', 'kept')),
    started_at timestamptz not null default now(),
    touched_at timestamptz not null default now(),
    ended_at timestamptz,
    sealed text,
    step smallint not null default 0,
    reached ${ID} not null default '',
    primary key (team_id, person_id),
    unique (team_id, code),
    check (ended_at is null or sealed is null)
  )`,
  'create index erasures_running on erasures (touched_at) where ended_at is null',
];

const FORMER_MEMBERS = [
  // The name and address that the team knew; what the person changes afterwards is not the team's business.
  `create function note_former_member() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        if old.email is null and not 'zendesk' = any(old.roles) then
          insert into former_members (team_id, person_id, name, email)
            select old.team_id, p.id, ${PERSON_NAME}, p.email from people p where p.id = old.person_id
            on conflict (team_id, person_id) do update
            set name = excluded.name, email = excluded.email, left_at = excluded.left_at;
        end if;
      elsif new.email is null then
        delete from former_members where team_id = new.team_id and person_id = new.person_id;
      end if;
      return null;
    end $$`,
  `create trigger note_former_member after delete on memberships
    for each row execute function note_former_member()`,
  `create trigger note_returned_member after update of person_id on memberships
    for each row when (old.person_id <> new.person_id) execute function note_former_member()`,
  `insert into former_members (team_id, person_id, name, email, left_at)
    select e.team_id, p.id, ${PERSON_NAME}, p.email, max(e.at)
    from audit_events e join people p on p.id = e.target
    where e.action in ('users.removed', 'users.left') and e.team_id <> ''
      and not exists (select 1 from memberships m where m.team_id = e.team_id and m.person_id = p.id)
    group by 1, 2, 3, 4`,
];

// Rows of an account outlive it: they keep its id, which then names no one.
const FOREIGN_KEYS = [
  ['directory_imports', 'started_by'],
  ['directory_imports', 'undone_by'],
  ['channel_joins', 'started_by'],
  ['retention_policies', 'saved_by'],
  ['retention_runs', 'started_by'],
  ['service_tokens', 'created_by'],
].map(([table, column]) => `alter table ${table} drop constraint ${table}_${column}_fkey`);

const AUDIT = [
  // The trigger lets one function through: it looks at who called, which no setting of a session can pretend.
  `create or replace function audit_events_are_final() returns trigger language plpgsql as $$
    declare stack text;
    begin
      get diagnostics stack = pg_context;
      if tg_op = 'UPDATE' and stack like '%function erase_audit_rows(%' then return null; end if;
      raise exception 'audit events are never changed or removed' using errcode = '42501';
    end $$`,

  // An address is replaced wherever it stands, but not within a longer one; a name only where it is all of the text.
  `create function erased_text(value text, address text, names text[], replacement text) returns text
    language sql immutable
    return case when lower(trim(value)) = any(names) then replacement
      when strpos(lower(value), address) = 0 then value
      else regexp_replace(value, '(?<![a-z0-9._+-])' || regexp_replace(address, '([^a-z0-9@])', '\\\\\\1', 'g')
        || '(?![a-z0-9-]|\\.[a-z0-9])', replacement, 'gi') end`,

  // In the name of a file an extension or a number may follow, as if it were a part of the domain.
  `create function erased_file_name(value text, address text, replacement text) returns text language sql immutable
    return case when strpos(lower(value), address) = 0 then value
      else regexp_replace(value, '(?<![a-z0-9._+-])' || regexp_replace(address, '([^a-z0-9@])', '\\\\\\1', 'g'),
        replacement, 'gi') end`,

  // The address and the names within a value; an object with the address, or with one of the ids, loses all that is typed about it.
  `create function erased_json(value jsonb, address text, names text[], ids text[], replacement text) returns jsonb
    language plpgsql immutable as $$
    declare is_theirs boolean;
    begin
      case jsonb_typeof(value)
      when 'string' then
        return to_jsonb(erased_text(value #>> '{}', address, names, replacement));
      when 'array' then
        return coalesce((select jsonb_agg(erased_json(item, address, names, ids, replacement) order by nth)
          from jsonb_array_elements(value) with ordinality as items (item, nth)), '[]');
      when 'object' then
        is_theirs := lower(value ->> 'email') = address or value ->> 'id' = any(ids);
        return coalesce((select jsonb_object_agg(key, case
            when is_theirs and key = 'name' then to_jsonb(replacement)
            when is_theirs and key in ('email', 'first_name', 'last_name', 'phone_number', 'sms') then '""'::jsonb
            else erased_json(item, address, names, ids, replacement) end)
          from jsonb_each(value) as fields (key, item)), '{}');
      else
        return value;
      end case;
    end $$`,
  // One page of a team's audit log; '' once there is nothing after it. Only details and network address ever change.
  `create function erase_audit_rows(team text, person text, address text, names text[], ids text[], replacement text,
      after text, page integer) returns text
    language plpgsql security definer set search_path from current as $$
    declare reached text;
    begin
      select max(id) into reached from (
        select id from audit_events where team_id = team and id > after order by id limit page) paged;
      update audit_events e set
        details = case when e.target = person
            and e.action in ('users.edited', 'users.sessions_revoked', 'users.session_revoked', 'users.deactivated', 'users.removed')
          then erased_traces(erased_json(e.details, erase_audit_rows.address, names, ids, replacement))
          else erased_json(e.details, erase_audit_rows.address, names, ids, replacement) end,
        address = case when e.actor_id = person then '' else e.address end
      where e.team_id = team and e.id > after and e.id <= reached
        and (e.target = person or e.actor_id = person or strpos(lower(e.details::text), erase_audit_rows.address) > 0
          or exists (select 1 from unnest(names || ids) as wanted (part) where strpos(lower(e.details::text), part) > 0));
      return coalesce(reached, '');
    end $$`,
  // Names, devices and network addresses in what was done to a person; the shape and everything else stays.
  `create function erased_traces(value jsonb) returns jsonb language plpgsql immutable as $$
    begin
      case jsonb_typeof(value)
      when 'array' then
        return coalesce((select jsonb_agg(erased_traces(item) order by nth)
          from jsonb_array_elements(value) with ordinality as items (item, nth)), '[]');
      when 'object' then
        return coalesce((select jsonb_object_agg(key, case
            when key in ('first_name', 'last_name', 'device', 'address') then '""'::jsonb else erased_traces(item) end)
          from jsonb_each(value) as fields (key, item)), '{}');
      else
        return value;
      end case;
    end $$`,
];

const ERASING = [
  // Erases the rows of a team about a person except its audit log and content. Returns the ids of their directory entries.
  `create function erase_team_rows(team text, person text, address text, names text[], replacement text) returns text[]
    language plpgsql as $$
    declare entries text[];
    begin
      select array_agg(id) into entries from directory_entries
        where team_id = team and (user_id = person or lower(directory_entries.email) = address);
      entries := coalesce(entries, '{}') || array(select distinct entry_id from directory_import_changes
        where team_id = team and lower(before ->> 'email') = address);
      delete from directory_entries where team_id = team and id = any(entries);
      delete from directory_import_changes where team_id = team and entry_id = any(entries);
      update directory_imports set file_name = erased_file_name(file_name, address, replacement)
        where team_id = team and strpos(lower(file_name), address) > 0;
      delete from channel_members where person_id = person and team_id = team;
      delete from memberships where team_id = team and (person_id = person or memberships.email = address);
      delete from former_members where team_id = team and person_id = person;
      delete from sign_ins where team_id = team and person_id = person;
      delete from signups where team_id = team and owner_email = address;
      update signups set invitees = array_remove(invitees, address) where team_id = team and address = any(invitees);
      return entries;
    end $$`,

  // The account itself, which has no membership anymore.
  `create function erase_account(person text, address text) returns void language plpgsql as $$
    begin
      delete from sessions where person_id = person;
      delete from links where person_id = person;
      delete from known_addresses where person_id = person;
      delete from presence where person_id = person;
      delete from channel_members where person_id = person;
      delete from sign_ins where person_id = person;
      delete from idempotency_keys where person_id = person;
      delete from signups where owner_email = address;
      delete from people where id = person;
    end $$`,

  // One page of a kind of content; '' once there is nothing after it.
  `create function erase_in_messages(team text, address text, replacement text, after text, page integer) returns text
    language plpgsql as $$
    declare reached text;
    begin
      select max(id) into reached from (
        select id from messages where team_id = team and id > after order by id limit page) paged;
      update messages set text = erased_text(text, address, '{}', replacement),
          size = octet_length(erased_text(text, address, '{}', replacement)),
          props = erased_json(props, address, '{}', '{}', replacement)
        where team_id = team and id > after and id <= reached
          and (strpos(lower(text), address) > 0 or strpos(lower(props::text), address) > 0);
      return coalesce(reached, '');
    end $$`,
  `create function erase_in_deliveries(team text, address text, replacement text, after text, page integer) returns text
    language plpgsql as $$
    declare reached text;
    begin
      select max(id) into reached from (
        select id from deliveries where team_id = team and id > after order by id limit page) paged;
      update deliveries set body = erased_text(body, address, '{}', replacement), text = erased_text(text, address, '{}', replacement),
          headers = erased_json(headers, address, '{}', '{}', replacement)
        where team_id = team and id > after and id <= reached and strpos(lower(body || text || headers::text), address) > 0;
      return coalesce(reached, '');
    end $$`,
  `create function erase_in_files(team text, address text, replacement text, after text, page integer) returns text
    language plpgsql as $$
    declare reached text;
    begin
      select max(id) into reached from (
        select id from files where team_id = team and id > after order by id limit page) paged;
      update files set name = erased_file_name(name, address, replacement)
        where team_id = team and id > after and id <= reached and strpos(lower(name), address) > 0;
      return coalesce(reached, '');
    end $$`,
  // Walked by kind and id, as their key is.
  `create function erase_in_records(team text, address text, replacement text, after text, page integer) returns text
    language plpgsql as $$
    declare last_kind text := split_part(after, ' ', 1); last_id text := split_part(after, ' ', 2); reached text[];
    begin
      select array[kind, id] into reached from (
        select kind, id from records where team_id = team and (kind, id) > (last_kind, last_id) order by kind, id limit page
      ) paged order by kind desc, id desc limit 1;
      update records set title = erased_text(title, address, '{}', replacement), text = erased_text(text, address, '{}', replacement),
          name = erased_file_name(name, address, replacement)
        where team_id = team and (kind, id) > (last_kind, last_id) and (kind, id) <= (reached[1], reached[2])
          and strpos(lower(title || E'\\n' || text || E'\\n' || name), address) > 0;
      return coalesce(reached[1] || ' ' || reached[2], '');
    end $$`,
  `create function erase_in_content(kind text, team text, address text, replacement text, after text, page integer)
    returns text language plpgsql as $$
    begin
      return case kind
        when 'messages' then erase_in_messages(team, address, replacement, after, page)
        when 'files' then erase_in_files(team, address, replacement, after, page)
        when 'records' then erase_in_records(team, address, replacement, after, page)
        when 'deliveries' then erase_in_deliveries(team, address, replacement, after, page) end;
    end $$`,
];

const STATEMENTS = [...TABLES, ...FORMER_MEMBERS, ...FOREIGN_KEYS, ...AUDIT, ...ERASING];
