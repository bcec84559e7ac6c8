import { sql } from 'kysely';
import type { TestApp } from '#testing/app/start-app.ts';

/** Sets the last day of a membership, or of an invitation, without a call: by default yesterday in UTC. */
export async function setEnd(
  node: TestApp,
  { teamId, userId }: { teamId: string; userId: string },
  daysFromToday = -1,
): Promise<void> {
  await sql`update memberships set ends_on = (now() at time zone 'UTC')::date + ${daysFromToday}::int,
      ends_at = ((now() at time zone 'UTC')::date + ${daysFromToday}::int + 1)::timestamp at time zone 'UTC'
    where team_id = ${teamId} and person_id = ${userId}`.execute(node.db);
}
