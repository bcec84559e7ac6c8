import { ATTENTION_COUNT_MAX, type Attention, type AttentionKind } from '@steward/contract/home';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { toMilliseconds } from '#platform/database/milliseconds.ts';
import type { StoredIntegration } from '#workspace/integrations/integration-health.ts';
import { retentionAttention } from './retention-attention.store.ts';

/** Nothing of ours stays unsent for so long while the mail server answers. */
const UNSENT = sql.raw(`interval '10 minutes'`);

const MOST = sql.lit(ATTENTION_COUNT_MAX);

/** What stands in our tables, all kinds in one statement; those without anything are left out. */
export async function listAttention(db: Database, teamId: string): Promise<Attention[]> {
  const { rows } = await sql<{ kind: AttentionKind; count: number; since: number | null; text: string | null }>`
    select kind, count, ${toMilliseconds(sql.ref('since'))} as since, nullif(text, '') as text from (${sql.join(
      [
        ...retentionAttention(teamId),
        failedDeliveries(teamId),
        failedInvitations(teamId),
        failedMails(teamId),
        waitingMails(teamId),
        pendingInvitations(teamId),
      ],
      sql` union all `,
    )}) as found where count > 0`.execute(db);
  return rows.map(({ text, ...found }) => ({ ...found, ...(text !== null && { text }) }));
}

/** Posted in some channels or in none, of help desks that are connected: only there it can be done again. */
function failedDeliveries(teamId: string): RawBuilder<unknown> {
  const inState = (state: string) => sql`(select received_at from deliveries
    where team_id = i.team_id and integration_id = i.id and state = ${sql.lit(state)} order by id limit ${MOST})`;
  return sql`select 'deliveries_failed' as kind, count(*)::int as count, min(received_at) as since, '' as text
    from (select d.received_at from integrations i
      cross join lateral (${inState('failed')} union all ${inState('partly')}) d
      where i.team_id = ${teamId} and i.state = 'on' limit ${MOST}) found`;
}

/** The last mails of a team that were given up: of more nobody needs to know, and looking through them would take its time. */
function givenUp(teamId: string): RawBuilder<unknown> {
  return sql`(select * from mails where team_id = ${teamId} and state = 'failed' order by ended_at desc limit 1000)`;
}

/** What became of the newest invitation of a member: asked for each by itself, never joined with all mails there are. */
const newestMailTo = sql`(select n.state from mails n
  where n.person_id = m.person_id and n.team_id = m.team_id and n.kind = 'users.invitation'
  order by n.created_at desc, n.id desc limit 1)`;

/** Of a single one, who it is. */
const onlyOne = sql`case when count(*) = 1 then min(email) else '' end`;

function failedInvitations(teamId: string): RawBuilder<unknown> {
  return sql`select 'invitations_failed', count(*)::int, min(ended_at), ${onlyOne}
    from (select max(f.ended_at) as ended_at, min(p.email) as email from ${givenUp(teamId)} f
      join people p on p.id = f.person_id and p.type = 1 and p.delete_at = 0
      join memberships m on m.team_id = f.team_id and m.person_id = f.person_id
      where f.kind = 'users.invitation' and ${newestMailTo} = 'failed'
      group by f.person_id limit ${MOST}) found`;
}

function failedMails(teamId: string): RawBuilder<unknown> {
  return sql`select 'mails_failed', count(*)::int, min(ended_at), (array_agg(error order by ended_at desc))[1]
    from (select f.ended_at, f.error from ${givenUp(teamId)} f
      where f.kind <> 'users.invitation'
        and f.ended_at > now() - interval '7 days'
        and not exists (select 1 from mails n where n.person_id = f.person_id and n.team_id = f.team_id
          and n.created_at > f.created_at and n.state = 'sent')
      order by f.ended_at limit ${MOST}) found`;
}

function waitingMails(teamId: string): RawBuilder<unknown> {
  return sql`select 'mails_waiting', count(*)::int, min(created_at), (array_agg(error order by created_at desc))[1]
    from (select created_at, error from mails
      where team_id = ${teamId} and state = 'waiting' and created_at < now() - ${UNSENT}
      order by created_at limit ${MOST}) found`;
}

/**
 * Without those whose mail was given up: they are told of with that. A small team is looked through by its members; a large one
 * by the pending people of the whole server, at some microseconds each, until enough of them are its own.
 */
function pendingInvitations(teamId: string): RawBuilder<unknown> {
  return sql`select 'invitations_pending', count(*)::int,
      case when count(*) < ${MOST} then to_timestamp(min(create_at) / 1000.0) end, ${onlyOne}
    from (select m.create_at, p.email from memberships m
      join people p on p.id = m.person_id and p.type = 1 and p.delete_at = 0
      where m.team_id = ${teamId} and not 'zendesk' = any(m.roles)
        and ${newestMailTo} is distinct from 'failed'
      limit ${MOST}) found`;
}

/** The help desks that are connected, as far as it takes to tell whether they work. */
export async function listConnected(db: Database, teamId: string): Promise<StoredIntegration[]> {
  const { rows } = await sql<StoredIntegration>`select state, credentials, path_key, signing_secret, warnings, broken,
      ${toMilliseconds(sql.ref('last_delivery_at'))} as last_delivery_at,
      ${toMilliseconds(sql.ref('last_error_at'))} as last_error_at
    from integrations where team_id = ${teamId} and state = 'on' order by id`.execute(db);
  return rows;
}
