import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The log of sign-ins that the admins of each team read. */
export const signIns: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

const STATEMENTS = [
  `create table sign_ins (
    team_id ${ID} not null references teams,
    id ${ID} not null,
    person_id ${ID} not null,
    at timestamptz not null default now(),
    outcome text not null
      check (outcome in ('ok', 'bad_password', 'throttled', 'second_factor', 'deactivated', 'sso_refused')),
    method text not null check (method in ('password')),
    address text not null,
    device text not null,
    request_id text not null,
    primary key (team_id, id)
  )`,
  'create index sign_ins_by_person on sign_ins (team_id, person_id, id)',
  'create index sign_ins_by_outcome on sign_ins (team_id, outcome, id)',
  'create index sign_ins_by_age on sign_ins (at)',
];
