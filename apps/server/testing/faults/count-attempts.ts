import { sql } from 'kysely';
import { type Limit, toCounter } from '#platform/security/throttle.ts';
import type { TestApp } from '#testing/app/start-app.ts';

/** Sets the counter of a limit, as if the client had tried so many times. An earlier attempt still decides when the period ends. */
export async function countAttempts(
  node: TestApp,
  limit: Pick<Limit, 'name'>,
  key: string,
  attempts: number,
): Promise<void> {
  await sql`insert into throttles (key, points, expire)
    values (${toCounter(limit, key)}, ${attempts}, (extract(epoch from now()) * 1000)::bigint + 3600000)
    on conflict (key) do update set points = excluded.points`.execute(node.db);
}
