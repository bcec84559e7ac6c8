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

/** Part of a statement: true for memberships without an end date, or before the end of that day. */
export function isUnended(memberships = 'm'): RawBuilder<boolean> {
  const endsAt = sql.ref(`${memberships}.ends_at`);
  return sql<boolean>`(${endsAt} is null or ${endsAt} > now())`;
}
