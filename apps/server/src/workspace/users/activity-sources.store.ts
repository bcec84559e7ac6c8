import type { ActivitySource, ActivitySourceKind } from '@steward/contract/users/inactivity';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { toMilliseconds } from '#platform/database/milliseconds.ts';

// A connected server will be another kind of source: it calls recordHeard and saveReportedActivity as the others do.

/** After a longer silence, nobody knows who was active in that time, so the source begins anew. */
const FORGETTING = sql.raw(`interval '7 days'`);

/** Part of a statement on `activity_sources s`. */
const isSilent = sql<boolean>`s.heard_at < now() - interval '1 day'`;

/** The source is alive. It begins with its first report. Written at most once in five minutes. */
export async function recordHeard(db: Database | Trx, teamId: string, kind: ActivitySourceKind): Promise<void> {
  await sql`insert into activity_sources as s (team_id, kind, began_at, heard_at) values (${teamId}, ${kind}, now(), now())
    on conflict (team_id, kind) do update set heard_at = now(),
      began_at = case when s.heard_at < now() - ${FORGETTING} then now() else s.began_at end
    where s.heard_at < now() - interval '5 minutes'`.execute(db);
}

/** Part of a statement on `activity_sources s`: true if it can report at all. */
const isOn: RawBuilder<boolean> = sql`case s.kind
  when 'sso' then exists (select from sso_connections c where c.team_id = s.team_id and c.enabled)
  else exists (select from service_tokens t where t.team_id = s.team_id and t.speak_for_users
    and t.stopped_at is null and t.expires_at > now()) end`;

/** Sources that have reported, in a fixed order. */
export async function listActivitySources(db: Database | Trx, teamId: string): Promise<ActivitySource[]> {
  const { rows } =
    await sql<ActivitySource>`select s.kind, ${isOn} as is_on, ${toMilliseconds(sql.ref('s.began_at'))} as began_at,
      ${toMilliseconds(sql.ref('s.heard_at'))} as heard_at, ${isSilent} as is_silent
    from activity_sources s where s.team_id = ${teamId} order by s.kind desc`.execute(db);
  return rows;
}

/**
 * A restored workspace doesn't know who was active after the backup: sources begin anew with their next report, and count as silent
 * until then.
 */
export async function removeActivitySources(trx: Trx): Promise<void> {
  await trx.deleteFrom('activity_sources').execute();
}
