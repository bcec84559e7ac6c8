import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Folds the search text of existing rows, in short steps. Running it again changes nothing. */
export const foldStoredSearch: Migration = {
  async up(db) {
    await foldTable(db, 'memberships', 'person_id');
    await foldTable(db, 'directory_entries', 'id');
  },
};

const STEP = 10_000;

/** `key` is the column that follows the team in the primary key. */
// biome-ignore lint/suspicious/noExplicitAny: a migration does not know the tables of a later version
async function foldTable(db: Kysely<any>, table: string, key: string): Promise<void> {
  const [rows, id] = [sql.table(table), sql.ref(key)];
  for (let last: { team: string; id: string } | undefined = { team: '', id: '' }; last !== undefined; ) {
    // Triggers fold what is written. Rows are locked in key order, as everywhere else.
    const step = await sql<{ team: string; id: string }>`
      with step as materialized (
        select t.team_id, t.${id} as id, t.search <> search_fold(t.search) as differs from ${rows} t
        where (t.team_id, t.${id}) > (${last.team}, ${last.id}) order by t.team_id, t.${id} limit ${STEP}
      ), locked as materialized (
        select t.team_id, t.${id} as id from ${rows} t
        where (t.team_id, t.${id}) in (select team_id, id from step where differs) order by 1, 2 for update
      ), folded as (
        update ${rows} t set search = t.search from locked l where t.team_id = l.team_id and t.${id} = l.id
      )
      select team_id as team, id from step order by team_id desc, id desc limit 1`.execute(db);
    last = step.rows[0];
  }
}
