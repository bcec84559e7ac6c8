import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';

/** A user of a connected server, in the connection of a team. */
export interface LinkKey {
  serverId: string;
  teamId: string;
  remoteUserId: string;
}

/** Binds an invitation to the user it was sent from. False if the user has an account or an invitation already. */
export async function addInvitedLink(trx: Trx, link: LinkKey & { invitationId: string }): Promise<boolean> {
  const row = await trx
    .insertInto('connected_links')
    .values({
      server_id: link.serverId,
      team_id: link.teamId,
      user_id: link.remoteUserId,
      person_id: link.invitationId,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['server_id', 'team_id', 'user_id'])
        .doUpdateSet({
          person_id: link.invitationId,
          invited_at: sql<Date>`clock_timestamp()`,
          linked_at: null,
          removal_asked_at: null,
        })
        .where('connected_links.person_id', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

interface Acceptance {
  teamId: string;
  invitationId: string;
  userId: string;
}

/**
 * The account accepted the invitation. If it was a member already, the link moves to it before the invitation is removed,
 * unless another user of the server is linked to it.
 */
export async function saveAcceptedLink(trx: Trx, { teamId, invitationId, userId }: Acceptance): Promise<void> {
  await sql`update connected_links l set person_id = ${userId}, linked_at = clock_timestamp()
    where l.team_id = ${teamId} and l.person_id in (${invitationId}, ${userId}) and l.linked_at is null
      and not exists (select from connected_links o where o.team_id = l.team_id and o.server_id = l.server_id
        and o.person_id = ${userId} and o.user_id <> l.user_id)`.execute(trx);
}

/** Returns the account or invitation that was linked; null if it had left the team; undefined without a link. */
export async function removeLink(trx: Trx, key: LinkKey): Promise<{ person_id: string | null } | undefined> {
  return trx
    .deleteFrom('connected_links')
    .where('server_id', '=', key.serverId)
    .where('team_id', '=', key.teamId)
    .where('user_id', '=', key.remoteUserId)
    .where((eb) => eb.or([eb('person_id', 'is not', null), eb('linked_at', 'is not', null)]))
    .returning('person_id')
    .executeTakeFirst();
}

/** For a team that stopped governing the server. */
export async function removeLinksOf(trx: Trx, key: Omit<LinkKey, 'remoteUserId'>): Promise<void> {
  await trx
    .deleteFrom('connected_links')
    .where('server_id', '=', key.serverId)
    .where('team_id', '=', key.teamId)
    .execute();
}

/** Links of invitations that were canceled. */
export async function removeCanceledLinks(db: Database): Promise<void> {
  await db.deleteFrom('connected_links').where('person_id', 'is', null).where('linked_at', 'is', null).execute();
}
