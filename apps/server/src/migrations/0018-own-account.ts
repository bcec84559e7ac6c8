import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Pictures, email changes by link, and emails that a person switched off (decisions 0038 and 0044). */
export const ownAccount: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

const STATEMENTS = [
  `create table pictures (
    person_id ${ID} primary key references people on delete cascade,
    content bytea not null
  )`,
  // Already compressed.
  'alter table pictures alter column content set storage external',
  `alter table links drop constraint links_kind_check, add column email ${ID},
    add constraint links_kind_check check (kind in ('reset', 'invite', 'email')),
    add constraint links_email_check check ((kind = 'email') = (email is not null))`,
  `alter table people add column muted_emails text[] not null default '{}'`,
];
