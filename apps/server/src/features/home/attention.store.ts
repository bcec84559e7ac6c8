import { ENDING_SOON_DAYS } from '@steward/contract/api/limits';
import { ATTENTION_COUNT_MAX, type Attention, type AttentionKind } from '@steward/contract/home';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { toMilliseconds } from '#platform/database/milliseconds.ts';
import type { StoredIntegration } from '#workspace/integrations/integration-health.ts';
import { endsWithin } from '#workspace/users/active-members.store.ts';
import { isLinkEnded, isStillThere } from '#workspace/users/connected-links.store.ts';

/** Emails queued for longer than this indicate a problem with the email server. */
const UNSENT = sql.raw(`interval '10 minutes'`);

/** Nights are 24 hours apart, 25 at the end of daylight saving time; the rest is tolerance for a late server. */
const OVERDUE = sql.raw(`interval '30 hours'`);

const LIMIT = sql.lit(ATTENTION_COUNT_MAX);

/** One statement reads all kinds; those that have nothing are left out. */
export async function listAttention(db: Database, teamId: string): Promise<Attention[]> {
  const { rows } = await sql<{ kind: AttentionKind; count: number; since: number | null; text: string | null }>`
    select kind, count, ${toMilliseconds(sql.ref('since'))} as since, nullif(text, '') as text from (${sql.join(
      [
        ...retentionAttention(teamId),
        failedDeliveries(teamId),
        failedInvitations(teamId),
        failedMails(teamId),
        waitingMails(teamId),
        ...inactivityAttention(teamId),
        ...connectionAttention(teamId),
        leavingMembers(teamId),
        pendingInvitations(teamId),
      ],
      sql` union all `,
    )}) as found where count > 0`.execute(db);
  return rows.map(({ text, ...found }) => ({ ...found, ...(text !== null && { text }) }));
}

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

/** Each row counts kinds of content. */
function retentionAttention(teamId: string): readonly RawBuilder<unknown>[] {
  return [
    sql`select 'retention_failed' as kind, count(*)::int as count, min(ended_at) as since,
        coalesce((array_agg(note order by ended_at desc))[1], '') as text
      from ${deletingRules(teamId)} deleting where state in ('failed', 'refused') or failed > 0`,
    sql`select 'retention_overdue', count(*)::int, min(greatest(started_at, since)), ''
      from ${deletingRules(teamId)} deleting where greatest(started_at, since) < now() - ${OVERDUE}`,
    sql`select 'retention_waiting', count(*)::int, min(effective_at), ''
      from retention_policies where team_id = ${teamId} and effective_at > now()`,
  ];
}

/** Counts deliveries that reached some channels or none, of connected integrations only: others can't be redelivered. */
function failedDeliveries(teamId: string): RawBuilder<unknown> {
  const inState = (state: string) => sql`(select received_at from deliveries
    where team_id = i.team_id and integration_id = i.id and state = ${sql.lit(state)} order by id limit ${LIMIT})`;
  return sql`select 'deliveries_failed' as kind, count(*)::int as count, min(received_at) as since, '' as text
    from (select d.received_at from integrations i
      cross join lateral (${inState('failed')} union all ${inState('partly')}) d
      where i.team_id = ${teamId} and i.state = 'on' limit ${LIMIT}) found`;
}

/** The last failed emails of a team. The limit is there because reading more of them would be slow and tell nothing new. */
function recentFailures(teamId: string): RawBuilder<unknown> {
  return sql`(select * from mails where team_id = ${teamId} and state = 'failed' order by ended_at desc limit 1000)`;
}

/** State of the newest invitation of a member: a subquery per member, never a join with all emails. */
const newestMailTo = sql`(select n.state from mails n
  where n.person_id = m.person_id and n.team_id = m.team_id and n.kind = 'users.invitation'
  order by n.created_at desc, n.id desc limit 1)`;

/** The email address if there is exactly one. */
const onlyOne = sql`case when count(*) = 1 then min(email) else '' end`;

function failedInvitations(teamId: string): RawBuilder<unknown> {
  return sql`select 'invitations_failed', count(*)::int, min(ended_at), ${onlyOne}
    from (select max(f.ended_at) as ended_at, min(m.email) as email from ${recentFailures(teamId)} f
      join memberships m on m.team_id = f.team_id and m.person_id = f.person_id and m.email is not null
      where f.kind = 'users.invitation' and ${newestMailTo} = 'failed'
      group by f.person_id limit ${LIMIT}) found`;
}

/** Without warnings about inactivity, which have a list of their own. */
function failedMails(teamId: string): RawBuilder<unknown> {
  return sql`select 'mails_failed', count(*)::int, min(ended_at), (array_agg(error order by ended_at desc))[1]
    from (select f.ended_at, f.error from ${recentFailures(teamId)} f
      where f.kind not in ('users.invitation', 'users.inactive')
        and f.ended_at > now() - interval '7 days'
        and not exists (select 1 from mails n where n.person_id = f.person_id and n.team_id = f.team_id
          and n.created_at > f.created_at and n.state = 'sent')
      order by f.ended_at limit ${LIMIT}) found`;
}

function waitingMails(teamId: string): RawBuilder<unknown> {
  return sql`select 'mails_waiting', count(*)::int, min(created_at), (array_agg(error order by created_at desc))[1]
    from (select created_at, error from mails
      where team_id = ${teamId} and state = 'waiting' and created_at < now() - ${UNSENT}
      order by created_at limit ${LIMIT}) found`;
}

/** Leaves out failed invitations, which are a kind of their own. */
function pendingInvitations(teamId: string): RawBuilder<unknown> {
  return sql`select 'invitations_pending', count(*)::int,
      case when count(*) < ${LIMIT} then to_timestamp(min(create_at) / 1000.0) end, ${onlyOne}
    from (select m.create_at, m.email from memberships m
      where m.team_id = ${teamId} and m.email is not null
        and ${newestMailTo} is distinct from 'failed'
      limit ${LIMIT}) found`;
}

/** The last nights say what the rule waits for. */
function inactivityAttention(teamId: string): readonly RawBuilder<unknown>[] {
  const later = (state: string) => sql`(select n.* from inactivity_nights n
    where n.team_id = ${teamId} and n.state = ${state}
      and not exists (select from inactivity_nights l
        where l.team_id = n.team_id and l.night > n.night and l.state <> n.state)
      and exists (select from inactivity_rules r where r.team_id = n.team_id and r.on_since is not null)
    order by n.night desc limit ${LIMIT})`;
  return [
    sql`select 'inactivity_asks', least(cardinality(asked_ids), ${LIMIT}), started_at, ''
      from (select * from ${later('asks')} asking order by night desc limit 1) last`,
    sql`select 'inactivity_paused', count(*)::int, min(started_at), '' from ${later('paused')} paused`,
  ];
}

/** `text` is the first failed check, or the name of the server. A connection that no owner accepted only waits. */
function connectionAttention(teamId: string): readonly RawBuilder<unknown>[] {
  const accepted = sql`connected_teams t join connected_servers s on s.id = t.server_id
    where t.team_id = ${teamId} and t.accepted_at is not null`;
  const isSilent = sql`coalesce(s.reported_at < now() - interval '10 minutes', t.accepted_at < now() - interval '10 minutes')`;
  const failed = (checks: string) => sql`(select coalesce(nullif(c ->> 'detail', ''), c ->> 'name')
    from jsonb_array_elements(${sql.ref(`s.${checks}`)}) c where not (c ->> 'passed')::boolean limit 1)`;
  const newest = sql`(select o.state from connected_orders o
    where o.server_id = t.server_id and o.team_id = t.team_id order by o.id desc limit 1)`;
  const incomplete = (reason: string) => sql`coalesce((o.kept_by ->> ${sql.lit(reason)})::int, 0)`;
  const lastClosed = sql`cross join lateral (select o.closed_at, ${incomplete('residue')} + ${incomplete('unverified')} as kept
    from connected_orders o where o.server_id = t.server_id and o.team_id = t.team_id and o.state in ('done', 'stopped')
    order by o.id desc limit 1) last`;
  return [
    sql`select 'connection_silent', count(*)::int, min(s.reported_at), min(s.name) from ${accepted} and ${isSilent}`,
    sql`select 'connection_failing', count(*)::int, min(s.reported_at), min(${failed('checks')})
      from ${accepted} and not ${isSilent} and ${failed('checks')} is not null`,
    sql`select 'rehearsal_failed', count(*)::int, min(s.rehearsed_at), min(${failed('rehearsal')})
      from ${accepted} and ${failed('rehearsal')} is not null`,
    sql`select 'order_refused', count(*)::int, null::timestamptz, min(s.name) from ${accepted} and ${newest} = 'refused'`,
    sql`select 'order_incomplete', coalesce(sum(last.kept), 0)::int, min(last.closed_at), min(s.name)
      from connected_teams t join connected_servers s on s.id = t.server_id ${lastClosed}
      where t.team_id = ${teamId} and t.accepted_at is not null and last.kept > 0`,
    usersOnServers(teamId),
    sql`select 'connection_waiting', count(*)::int, min(s.created_at), min(s.name)
      from connected_teams t join connected_servers s on s.id = t.server_id
      where t.team_id = ${teamId} and t.accepted_at is null`,
  ];
}

/** Users whom no job removes: another team of theirs there has not agreed, they own bots, or the server refused. */
function usersOnServers(teamId: string): RawBuilder<unknown> {
  return sql`select 'connected_users_ended', count(*)::int, null::timestamptz, min(name)
    from (select s.name from connected_links l
      join connected_teams t on t.server_id = l.server_id and t.team_id = l.team_id and t.accepted_at is not null
      join connected_servers s on s.id = l.server_id
      join connected_users u on u.server_id = l.server_id and u.id = l.user_id
      left join memberships m on m.team_id = l.team_id and m.person_id = l.person_id
      where l.team_id = ${teamId} and ${isLinkEnded} and ${isStillThere} limit ${LIMIT}) found`;
}

function leavingMembers(teamId: string): RawBuilder<unknown> {
  return sql`select 'members_leaving', count(*)::int, null::timestamptz, min(ends_on)::text
    from (select m.ends_on from memberships m where m.team_id = ${teamId} and ${endsWithin(ENDING_SOON_DAYS, 'm')}
      order by m.ends_at limit ${LIMIT}) found`;
}

/** Connected integrations with the fields that their health depends on. */
export async function listConnected(db: Database, teamId: string): Promise<StoredIntegration[]> {
  return db
    .selectFrom('integrations')
    .select(['state', 'credentials', 'path_key', 'signing_secret', 'warnings', 'broken'])
    .select([
      toMilliseconds(sql.ref('last_delivery_at')).as('last_delivery_at'),
      toMilliseconds(sql.ref('last_error_at')).as('last_error_at'),
    ])
    .where('team_id', '=', teamId)
    .where('state', '=', 'on')
    .orderBy('id')
    .execute();
}
