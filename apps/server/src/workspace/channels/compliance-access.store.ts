import { sql } from 'kysely';

/** Whether a row of `compliance_access a` is in effect, by the clock of the database. */
export const isInEffect = sql<boolean>`a.expires_at > now()`;
