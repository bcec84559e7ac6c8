import { type RawBuilder, sql } from 'kysely';

/** Columns with the ids of the team and of the person, and the alias of `people`. */
interface NameSource {
  team: string;
  person: string;
  people: string;
}

/**
 * What a team calls a person: a pseudonym once it has erased them, else their name, or their email address without one. Needs
 * `left join people` under the alias `people`. Someone who came back has their name again.
 */
export function nameInTeam({ team, person, people }: NameSource): RawBuilder<string> {
  const column = (name: string) => sql.ref(`${people}.${name}`);
  return sql<string>`coalesce(
    (select 'Deleted user ' || d.code from erasures d where d.team_id = ${sql.ref(team)} and d.person_id = ${sql.ref(person)}
      and not exists (select 1 from memberships b where b.team_id = d.team_id and b.person_id = d.person_id)),
    nullif(trim(${column('first_name')} || ' ' || ${column('last_name')}), ''), ${column('email')}, '')`;
}
