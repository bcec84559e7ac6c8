import { sql } from 'kysely';
import { newId } from '#platform/database/ids.ts';
import { hashToken, newToken } from '#platform/security/secrets.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { serviceToken } from '#testing/workspace/content.ts';
import { deactivate, type TestUser, user } from '#testing/workspace/factories.ts';

const REPORTER = 'Reports activity';

/** A service that has reported activity for years, and just did. */
export async function activitySource(node: TestApp, teamId: string): Promise<void> {
  const tokens = node.db.selectFrom('service_tokens').select('id').where('team_id', '=', teamId);
  // A team can have only so many.
  if (!(await tokens.where('name', '=', REPORTER).executeTakeFirst()))
    await serviceToken(node, teamId, { name: REPORTER, expiresAt: Date.now() + 10 * 365 * 86_400_000 });
  await sql`insert into activity_sources (team_id, kind, began_at, heard_at)
    values (${teamId}, 'reports', now() - interval '5 years', now())
    on conflict (team_id, kind) do update set heard_at = now()`.execute(node.db);
}

/** A rule that has been on for a while, so that the night that has begun is one of its nights. */
export async function inactivityRule(node: TestApp, teamId: string, days = 90): Promise<void> {
  await activitySource(node, teamId);
  await sql`insert into inactivity_rules (team_id, source, days, skips_held, skips_provisioned, on_since)
    values (${teamId}, 'reports', ${days}, true, true, now() - interval '40 days')
    on conflict (team_id) do update set on_since = excluded.on_since`.execute(node.db);
}

/** Somebody who joined long ago and was last active so many days ago; never if null. */
export async function inactiveMember(
  node: TestApp,
  teamId: string,
  daysAgo: number | null,
  kind: 'member' | 'admin' | 'owner' | 'zendesk' = 'member',
): Promise<TestUser> {
  const created = await user(node, { team: teamId, kind });
  await setLastActive(node, { teamId, userId: created.id }, daysAgo);
  return created;
}

export async function setLastActive(
  node: TestApp,
  { teamId, userId }: { teamId: string; userId: string },
  daysAgo: number | null,
): Promise<void> {
  await sql`update memberships set create_at = extract(epoch from now() - interval '2 years')::bigint * 1000,
      last_active_at = extract(epoch from now() - make_interval(days => ${daysAgo}::int))::bigint * 1000
    where team_id = ${teamId} and person_id = ${userId}`.execute(node.db);
}

/** A warning of a member, and the token of its link. */
export async function inactivityWarning(
  node: TestApp,
  { teamId, userId }: { teamId: string; userId: string },
): Promise<string> {
  await inactivityRule(node, teamId);
  const token = newToken();
  await sql`insert into inactivity_warnings (team_id, person_id, warned_on, first_mail_id, first_token_hash)
    values (${teamId}, ${userId}, now()::date, ${newId()}, ${hashToken(token)})`.execute(node.db);
  return token;
}

/** The night that has begun, as one that asks an owner, or as one that deactivated a member. Returns its date. */
export async function inactivityNight(node: TestApp, teamId: string, state: 'asks' | 'done'): Promise<string> {
  await inactivityRule(node, teamId);
  const { id } = await user(node, { team: teamId });
  if (state === 'done') await deactivate(node, teamId, id);
  const ids = { asked: state === 'asks' ? [id] : [], deactivated: state === 'done' ? [id] : [] };
  const { rows } = await sql<{ night: string }>`
    insert into inactivity_nights (team_id, night, state, members, asked_ids, deactivated_ids, deactivated_times, started_at)
    select t.id, ((now() at time zone t.time_zone) - interval '2 hours')::date, ${state}, 5, ${ids.asked}, ${ids.deactivated},
      array(select m.deactivated_at from memberships m where m.team_id = t.id and m.person_id = any(${ids.deactivated})), now()
    from teams t where t.id = ${teamId}
    on conflict (team_id, night) do update set state = excluded.state, asked_ids = excluded.asked_ids, undone_at = null,
      deactivated_ids = excluded.deactivated_ids, deactivated_times = excluded.deactivated_times
    returning night::text as night`.execute(node.db);
  return rows[0]?.night ?? '';
}
