import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Folds search text and sort keys of existing rows, in short steps. Running it again changes nothing. */
export const foldStoredNames: Migration = {
  async up(db) {
    await foldTable(db, {
      table: 'memberships',
      key: 'person_id',
      name: sql`name_key`,
      text: sql`case when search ~ '[A-Z]' then search else search_fold(search) end`,
    });
    await foldTable(db, {
      table: 'directory_entries',
      key: 'id',
      name: sql`name`,
      text: sql`search_fold(concat_ws(e'\n', name, email, phone_number, sms))`,
    });
    for (const table of ['memberships', 'directory_entries'])
      for (const statement of [
        `drop index concurrently if exists ${table}_by_text`,
        `create index concurrently ${table}_by_text on ${table} using gin (team_id, search gin_trgm_ops)`,
        `drop index concurrently if exists ${table}_by_key`,
      ])
        await sql.raw(statement).execute(db);
    await sql`analyze memberships, directory_entries`.execute(db);
  },
};

const STEP = 10_000;

interface FoldedTable {
  table: string;
  /** The column that follows the team in the primary key. */
  key: string;
  /** The text to sort by, before it is folded. */
  name: RawBuilder<unknown>;
  /** The search text that triggers store. */
  text: RawBuilder<unknown>;
}

// biome-ignore lint/suspicious/noExplicitAny: a migration does not know the tables of a later version
async function foldTable(db: Kysely<any>, { table, key, name, text }: FoldedTable): Promise<void> {
  const [rows, id] = [sql.table(table), sql.ref(key)];
  for (let last: { team: string; id: string } | undefined = { team: '', id: '' }; last !== undefined; ) {
    // Triggers fold what is written. Rows are locked in key order, as everywhere else.
    const step = await sql<{ team: string; id: string }>`
      with step as materialized (
        select team_id, ${id} as id, (name_key, search) is distinct from (fold_letters(${name}), ${text}) as differs
        from ${rows} where (team_id, ${id}) > (${last.team}, ${last.id}) order by team_id, ${id} limit ${STEP}
      ), locked as materialized (
        select team_id, ${id} as id from ${rows}
        where (team_id, ${id}) in (select team_id, id from step where differs) order by 1, 2 for update
      ), folded as (
        update ${rows} t set search = t.search from locked l where t.team_id = l.team_id and t.${id} = l.id
      )
      select team_id as team, id from step order by team_id desc, id desc limit 1`.execute(db);
    last = step.rows[0];
  }
}
