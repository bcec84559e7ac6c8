import { type RawBuilder, sql } from 'kysely';

/**
 * Part of a statement: true for memberships that give access to their team. It compares the end date itself, so that access
 * ends with the day and doesn't wait for the job that stores the deactivation. Lists are read by the stored state instead,
 * which indexes have. Also true for open invitations.
 */
export function isActive(memberships = 'm'): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${memberships}.${name}`);
  return sql<boolean>`(not ${column('deactivated')} and ${isUnended(memberships)})`;
}

/** Part of a statement: true for members who accepted and whose access ends within these days. Without a name, of the one table. */
export function endsWithin(days: number, memberships?: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(memberships === undefined ? name : `${memberships}.${name}`);
  return sql<boolean>`(not ${column('deactivated')} and ${column('email')} is null and ${column('ends_at')} > now()
    and ${column('ends_at')} <= now() + make_interval(days => ${days}))`;
}

/** Part of a statement: true for memberships without an end date, or before the end of that day. */
export function isUnended(memberships = 'm'): RawBuilder<boolean> {
  const endsAt = sql.ref(`${memberships}.ends_at`);
  return sql<boolean>`(${endsAt} is null or ${endsAt} > now())`;
}
