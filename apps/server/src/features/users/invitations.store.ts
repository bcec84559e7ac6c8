import type { InvitationLink } from '@steward/contract/users/invitation-links';
import type { FailedInvitation, Invitation } from '@steward/contract/users/invitations';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { toMilliseconds } from '#platform/database/milliseconds.ts';
import { isOldLink, linkState } from '#workspace/users/invitation-links.store.ts';
import { nameInTeam } from '#workspace/users/users.store.ts';

/** Most failed invitations that are listed at once. */
const SHOWN = 100;

export async function findInvitationMail(
  db: Database | Trx,
  teamId: string,
  userId: string,
): Promise<Pick<Invitation, 'sent_at' | 'mail' | 'error'>> {
  const row = await db
    .selectFrom('mails')
    .select([toMilliseconds(sql.ref('created_at')).as('sent_at'), 'state as mail'])
    .select(sql<string>`case when state = 'failed' then error else '' end`.as('error'))
    .where('person_id', '=', userId)
    .where('team_id', '=', teamId)
    .where('kind', '=', 'users.invitation')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? { sent_at: null, mail: null, error: '' };
}

/** Pending invitees of the team whose newest invitation wasn't delivered, the latest failure first. */
export async function listUndeliveredInvitations(db: Database, teamId: string): Promise<FailedInvitation[]> {
  const { rows } = await sql<FailedInvitation>`
    select m.person_id as user_id, m.email, ${toMilliseconds(sql`f.ended_at`)} as failed_at, f.error
    from mails f
    join memberships m on m.team_id = f.team_id and m.person_id = f.person_id and m.email is not null
    where f.team_id = ${teamId} and f.state = 'failed' and f.kind = 'users.invitation'
      and not exists (select 1 from mails n where n.person_id = f.person_id and n.team_id = f.team_id
        and n.kind = f.kind and (n.created_at, n.id) > (f.created_at, f.id))
    order by f.ended_at desc, f.id desc limit ${SHOWN}`.execute(db);
  return rows;
}

const MOST = 200;

/** Those that can admit people come first, then the newest, without links that ended long ago. */
export function listInvitationLinkRows(db: Database, teamId: string): Promise<InvitationLink[]> {
  return selectLinks(
    db,
    sql`l.team_id = ${teamId} and not ${isOldLink}
      order by ${linkState} in ('open', 'stopped') desc, l.id desc limit ${MOST}`,
  );
}

export async function findInvitationLink(trx: Trx, teamId: string, id: string): Promise<InvitationLink | undefined> {
  return (await selectLinks(trx, sql`l.team_id = ${teamId} and l.id = ${id}`))[0];
}

async function selectLinks(db: Database | Trx, matches: RawBuilder<unknown>): Promise<InvitationLink[]> {
  const { rows } = await sql<InvitationLink>`
    select l.id, l.name, l.domains, l.max_uses, l.uses, ${linkState} as state, l.created_by,
      ${nameInTeam({ team: 'l.team_id', user: 'l.created_by', users: 'p' })} as created_by_name,
      ${toMilliseconds(sql`l.created_at`)} as created_at, ${toMilliseconds(sql`l.expires_at`)} as expires_at,
      l.members_end_on::text as members_end_on,
      (select count(*)::int from memberships m where m.team_id = l.team_id and m.invitation_link_id = l.id
        and m.email is not null) as pending
    from invitation_links l left join people p on p.id = l.created_by where ${matches}`.execute(db);
  return rows;
}
