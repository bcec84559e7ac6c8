import type { IntegrationsSummary, PeopleSummary, RetentionSummary, SignInSummary } from '@steward/contract/home';
import { sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { toMilliseconds } from '#platform/database/milliseconds.ts';
import { factorExists } from '#workspace/access/factors/factors.store.ts';
import { endsWithin } from '#workspace/users/active-members.store.ts';
import { countGroups, GROUP_KINDS, GROUP_STATES, memberGroup } from '#workspace/users/member-counts.store.ts';

const DAY_MS = 86_400_000;

const { owner, admin, member } = GROUP_KINDS;
const ACTIVE = [owner, admin, member].map((kind) => GROUP_STATES.active + kind);
const ADMINS = [owner, admin].map((kind) => GROUP_STATES.active + kind);
const INVITED = [owner, admin, member].map((kind) => GROUP_STATES.invited + kind);

/** Members in some groups of a team; a range of an index that the list of users has. */
const inGroups = (teamId: string, groups: readonly number[]) =>
  sql`team_id = ${teamId} and ${memberGroup} = any(${groups}::smallint[])`;

/** The numbers are those of the list of users with the same filters. */
export async function summarizePeople(db: Database, teamId: string): Promise<PeopleSummary> {
  const now = Date.now();
  const since = (days: number) => now - days * DAY_MS;
  const active = inGroups(teamId, ACTIVE);
  const count = (condition: unknown) => sql<number>`(select count(*)::int from memberships where ${condition})`;
  const leaving = (days: number) => count(sql`team_id = ${teamId} and ${endsWithin(days)}`);
  const { rows } = await sql<PeopleSummary>`select ${countGroups(teamId, ACTIVE)} as members,
    ${count(sql`${active} and last_active_at >= ${since(7)}`)} as active_7_days,
    ${count(sql`${active} and last_active_at >= ${since(30)}`)} as active_30_days,
    ${count(sql`${active} and last_active_at is null`)} as never_active,
    ${count(sql`${active} and (last_active_at is null or last_active_at < ${since(90)})`)} as inactive_90_days,
    ${leaving(14)} as leaving_14_days, ${leaving(30)} as leaving_30_days,
    ${countGroups(teamId, INVITED)} as invited,
    ${count(sql`${inGroups(teamId, INVITED)} and coalesce(invited_at, create_at) < ${since(14)}`)} as invited_over_14_days`.execute(
    db,
  );
  return rows[0] as PeopleSummary;
}

/** Reads all members once, and the factors of all users: planned as hashes, this takes a tenth of a second for 100,000. */
export async function summarizeSignIn(db: Database, teamId: string): Promise<SignInSummary> {
  const isAdmin = sql`${memberGroup} = any(${ADMINS}::smallint[])`;
  const { rows } = await sql<SignInSummary>`
    select count(*)::int as members, count(*) filter (where has_factor)::int as with_second_factor,
      count(*) filter (where is_linked)::int as with_single_sign_on, count(*) filter (where is_admin)::int as admins,
      count(*) filter (where is_admin and not has_factor)::int as admins_without_second_factor
    from (
      select ${factorExists(sql`m.person_id`)} as has_factor, ${isAdmin} as is_admin,
        exists (select from sso_identities s where s.team_id = ${teamId} and s.person_id = m.person_id) as is_linked
      from memberships m where ${inGroups(teamId, ACTIVE)}
    ) members`.execute(db);
  return rows[0] as SignInSummary;
}

export async function summarizeRetention(db: Database, teamId: string): Promise<RetentionSummary> {
  const { rows } = await sql<RetentionSummary>`
    with night as (
      select started_at, deleted, bytes, failed, state from retention_runs r
      where team_id = ${teamId} and origin = 'night' and state <> 'running'
        and started_at > (select max(started_at) - interval '12 hours' from retention_runs
          where team_id = ${teamId} and origin = 'night' and state <> 'running')
    )
    select
      (select count(*)::int from (select case when effective_at <= now() then waiting else rule end as rule
        from retention_policies where team_id = ${teamId}) current
        where rule ->> 'value' = '1' or rule ->> 'canmark' = '1') as rules,
      (select case when count(*) > 0 then jsonb_build_object('at', ${toMilliseconds(sql`max(started_at)`)},
        'deleted', sum(deleted), 'bytes', sum(bytes),
        'failed', bool_or(failed > 0 or state in ('failed', 'refused'))) end from night) as last_night,
      (select count(*)::int from holds
        where team_id = ${teamId} and (release_at is null or release_at > now())) as holds`.execute(db);
  return rows[0] as RetentionSummary;
}

export async function summarizeIntegrations(db: Database, teamId: string): Promise<IntegrationsSummary> {
  const { rows } = await sql<IntegrationsSummary>`
    with recent as (
      select d.state from integrations i
      join deliveries d on d.team_id = i.team_id and d.integration_id = i.id
        and d.state in ('posted', 'partly', 'failed') and d.received_at > now() - interval '7 days'
      where i.team_id = ${teamId} and i.state = 'on'
    )
    select (select count(*)::int from integrations where team_id = ${teamId} and state = 'on') as connected,
      count(*) filter (where state = 'posted')::int as posted_7_days,
      count(*) filter (where state <> 'posted')::int as failed_7_days from recent`.execute(db);
  return rows[0] as IntegrationsSummary;
}
