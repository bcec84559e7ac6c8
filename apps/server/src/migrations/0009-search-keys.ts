import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Searches by keys that carry the team, and lists with deactivated people by an index alone (decision 0032). */
export const searchKeys: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

// The last two characters of an id are random and have 256 values: enough to keep teams apart, and few enough for a server with
// many small teams, where a key of each team's own would make the index fifteen times as large.
const MARK = 'right(team, 2)';

// Each of the statements can be repeated: a run that is killed in the middle leaves a part, or an index that is not valid.
const STATEMENTS = [
  // Its cost is told, so that a plan compares the text itself first where it has the choice.
  `create or replace function search_keys(team text, said text) returns tsvector language sql immutable parallel safe strict
    cost 2000
    return array_to_tsvector(
      string_to_array(${MARK} || array_to_string(show_trgm(said), '|' || ${MARK}), '|'))`,

  // The keys of what was typed in other letters than ASCII: of each three characters the trigram, kept as a hash, which is what
  // three have and neither their first nor their last two have. Null where there is none: what counts as a letter is up to the
  // database's locale.
  `create or replace function search_query(team text, typed text) returns tsquery language sql immutable parallel safe strict
    return (select string_agg(distinct '''' || ${MARK} || key || '''', ' & ')::tsquery
      from generate_series(1, length(typed) - 2) as at, lateral (
        select unnest(show_trgm(substr(typed, at, 3)))
        except select unnest(show_trgm(substr(typed, at, 2)) || show_trgm(substr(typed, at + 1, 2)))
      ) as trigrams (key))`,

  ...['memberships', 'directory_entries'].flatMap((table) => [
    `drop index concurrently if exists ${table}_by_key`,
    `create index concurrently ${table}_by_key on ${table} using gin (search_keys(team_id, search))`,
    `analyze ${table}`,
    `drop index concurrently if exists ${table}_search`,
  ]),

  // A page that has deactivated people too is read from the index alone, as one without them is.
  'drop index concurrently if exists memberships_by_any_name',
  `create index concurrently memberships_by_any_name on memberships (team_id, name_key, person_id) include (roles, search)`,
  'drop index concurrently if exists memberships_by_name_all',
];
