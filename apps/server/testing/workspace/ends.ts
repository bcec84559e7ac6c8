import { sql } from 'kysely';
import type { TestApp } from '#testing/app/start-app.ts';

/** Sets the last day of a membership, or of an invitation, without a call: by default yesterday in UTC. */
export async function setEnd(node: TestApp, { teamId, userId }: { teamId: string; userId: string }, days = -1) {
  await sql`update memberships set ends_on = (now() at time zone 'UTC')::date + ${days}::int,
      ends_at = ((now() at time zone 'UTC')::date + ${days}::int + 1)::timestamp at time zone 'UTC'
    where team_id = ${teamId} and person_id = ${userId}`.execute(node.db);
}

/** Replaces one of PostgreSQL's clocks in the whole database. */
export async function setTime(node: TestApp, clock: 'now' | 'clock_timestamp', moment: number): Promise<void> {
  await sql`create schema if not exists travel`.execute(node.db);
  await sql
    .raw(`create or replace function travel.${clock}() returns timestamptz language sql stable
    as $$ select to_timestamp(${moment / 1000}) $$`)
    .execute(node.db);
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(node.db);
  await sql.raw(`alter database "${rows[0]?.name}" set search_path = travel, pg_catalog, public`).execute(node.db);
  await sql`grant usage on schema travel to public`.execute(node.db);
  for (const db of new Set([node.db, node.deps.db]))
    await sql`set search_path = travel, pg_catalog, public`.execute(db);
}

/**
 * Sets what `now()` returns in the database, and keeps the sessions valid; the app needs only one connection. Defaults of columns
 * keep the real time.
 */
export async function setNow(node: TestApp, moment: number): Promise<void> {
  await setTime(node, 'now', moment);
  await sql`update sessions set created_at = now(), active_at = now(), auth_at = now()`.execute(node.db);
}
