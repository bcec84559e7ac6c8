import { type RawBuilder, sql } from 'kysely';

/** Nights are 24 hours apart, 25 at the end of daylight saving time; the rest is tolerance for a late server. */
const OVERDUE = sql.raw(`interval '30 hours'`);

/** Rules that delete, with the time they took effect, their last run and their last run that ended. */
function deletingRules(teamId: string): RawBuilder<unknown> {
  return sql`(select r.kind, r.since, begun.started_at, ended.state, ended.failed, ended.ended_at, ended.note
    from (select kind, case when effective_at <= now() then waiting else rule end as rule,
        case when effective_at <= now() then effective_at else saved_at end as since
      from retention_policies where team_id = ${teamId}) r
    left join lateral (select started_at from retention_runs
      where team_id = ${teamId} and kind = r.kind order by id desc limit 1) begun on true
    left join lateral (select state, failed, ended_at, note from retention_runs
      where team_id = ${teamId} and kind = r.kind and state <> 'running' order by id desc limit 1) ended on true
    where r.rule ->> 'value' = '1' or r.rule ->> 'canmark' = '1')`;
}

/** What needs attention in retention; each counts kinds of content. */
export function retentionAttention(teamId: string): readonly RawBuilder<unknown>[] {
  return [
    sql`select 'retention_failed' as kind, count(*)::int as count, min(ended_at) as since,
        coalesce((array_agg(note order by ended_at desc))[1], '') as text
      from ${deletingRules(teamId)} ruling where state in ('failed', 'refused') or failed > 0`,
    sql`select 'retention_overdue', count(*)::int, min(greatest(started_at, since)), ''
      from ${deletingRules(teamId)} ruling where greatest(started_at, since) < now() - ${OVERDUE}`,
    sql`select 'retention_waiting', count(*)::int, min(effective_at), ''
      from retention_policies where team_id = ${teamId} and effective_at > now()`,
  ];
}
