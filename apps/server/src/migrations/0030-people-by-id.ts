import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Hash indexes for the two rows that a list looks up for each user. */
export const peopleById: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

// An id is found by one page of the index instead of three or four, without comparing texts. The primary keys stay, since a hash
// index can't be unique. Each statement may be repeated: a run that is killed leaves an index that isn't valid.
const STATEMENTS = [
  'drop index concurrently if exists people_by_id',
  'create index concurrently people_by_id on people using hash (id)',
  'drop index concurrently if exists presence_by_person',
  'create index concurrently presence_by_person on presence using hash (person_id)',
];
