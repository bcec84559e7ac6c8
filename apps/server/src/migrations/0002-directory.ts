import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The company directory, and what undoing an import needs to know. */
export const directory: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';
const toDigits = (column: string) => `regexp_replace(${column}, '[^0-9]', '', 'g')`;

const STATEMENTS = [
  // An answer gives wrong rows back as they were sent, and jsonb refuses some of what JSON can say: NUL, half surrogates.
  'alter table idempotency_keys alter column answer type text using answer::text',

  // The searched text contains each number a second time without its punctuation, so that digits alone find it.
  `create table directory_entries (
    team_id ${ID} not null references teams,
    id ${ID} not null,
    name text not null,
    phone_number text not null default '',
    sms text not null default '',
    email text not null default '',
    user_id ${ID} not null default '',
    last_picture_update bigint not null default 0,
    revision integer not null default 1,
    import_id ${ID} not null default '',
    name_key ${ID} not null generated always as (lower(name)) stored,
    search text not null generated always as (
      lower(name || E'\\n' || email || E'\\n' || phone_number || E'\\n' || sms || E'\\n'
        || ${toDigits('phone_number')} || E'\\n' || ${toDigits('sms')})) stored,
    primary key (team_id, id)
  )`,
  'create index directory_entries_by_name on directory_entries (team_id, name_key, id)',
  'create index directory_entries_search on directory_entries using gin (team_id, search gin_trgm_ops)',

  `create table directory_imports (
    team_id ${ID} not null references teams,
    id ${ID} not null,
    file_name text not null,
    state text not null
      check (state in ('running', 'finished', 'cancelled', 'interrupted', 'undoing', 'undone')),
    started_by ${ID} not null references people,
    started_at timestamptz not null default now(),
    touched_at timestamptz not null default now(),
    ended_at timestamptz,
    created integer not null default 0,
    changed integer not null default 0,
    unchanged integer not null default 0,
    failed integer not null default 0,
    first_id ${ID},
    last_id ${ID},
    removed integer not null default 0,
    restored integer not null default 0,
    kept integer not null default 0,
    undone_by ${ID} references people,
    undone_at timestamptz,
    primary key (team_id, id)
  )`,
  // Few imports run at a time; the sweep finds the forgotten ones among all teams here.
  "create index directory_imports_running on directory_imports (touched_at) where state = 'running'",
  'create index directory_imports_by_age on directory_imports (started_at)',

  `create table directory_import_changes (
    team_id ${ID} not null,
    import_id ${ID} not null,
    entry_id ${ID} not null,
    before jsonb,
    revision integer not null,
    outcome text check (outcome in ('restored', 'edited', 'deleted')),
    primary key (team_id, import_id, entry_id),
    foreign key (team_id, import_id) references directory_imports on delete cascade
  )`,
];
