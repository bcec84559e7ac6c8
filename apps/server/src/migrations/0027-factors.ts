import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Second factors of accounts (decision 0061). Deleting an account deletes them. */
export const factors: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';
const PERSON = `${ID} not null references people on delete cascade`;

const STATEMENTS = [
  `create table totp_factors (
    person_id ${ID} primary key references people on delete cascade,
    secret text not null,
    created_at timestamptz not null default now(),
    confirmed_at timestamptz,
    last_step bigint not null default 0
  )`,
  `create table recovery_codes (
    person_id ${PERSON},
    code_hash ${ID} not null,
    primary key (person_id, code_hash)
  )`,
  `create table passkeys (
    id ${ID} primary key,
    person_id ${PERSON},
    credential_id ${ID} not null unique,
    public_key text not null,
    counter bigint not null,
    transports text[] not null default '{}',
    device_type text not null,
    backed_up boolean not null,
    name text not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz
  )`,
  'create index passkeys_by_person on passkeys (person_id)',
  `create table used_challenges (
    challenge_hash ${ID} primary key,
    used_at timestamptz not null default now()
  )`,
  'create index used_challenges_by_time on used_challenges (used_at)',
];
