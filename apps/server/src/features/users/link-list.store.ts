import type { InvitationLink } from '@steward/contract/users/invitation-links';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { toMilliseconds } from '#platform/database/milliseconds.ts';
import { isOldLink, linkState } from '#workspace/users/invitation-links.store.ts';
import { nameInTeam } from '#workspace/users/users.store.ts';

const MOST = 200;

/** Those that can admit people come first, then the newest, without links that ended long ago. */
export function listLinks(db: Database, teamId: string): Promise<InvitationLink[]> {
  return selectLinks(
    db,
    sql`l.team_id = ${teamId} and not ${isOldLink}
      order by ${linkState} in ('open', 'stopped') desc, l.id desc limit ${MOST}`,
  );
}

export async function findLink(trx: Trx, teamId: string, id: string): Promise<InvitationLink | undefined> {
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
