import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Browsers that people signed in with, by a cookie of their own. */
export const knownDevices: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

const STATEMENTS = [
  `create table known_devices (
    person_id ${ID} not null references people on delete cascade,
    token_hash text not null,
    seen_at timestamptz not null default now(),
    primary key (person_id, token_hash)
  )`,
  'create index known_devices_by_age on known_devices (seen_at)',
  'alter table sessions add column known_device text',
];
