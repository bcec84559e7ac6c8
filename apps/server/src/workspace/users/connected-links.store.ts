import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { isActive } from './active-members.store.ts';

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
export async function removeTeamLinks(trx: Trx, key: Omit<LinkKey, 'remoteUserId'>): Promise<void> {
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

/**
 * Part of a statement on `connected_links l` with its `memberships m`, if there is one: the account lost its access to the team,
 * by an end date, inactivity, an admin or by leaving.
 */
export const isLinkEnded = sql<boolean>`(l.linked_at is not null and coalesce(not ${isActive('m')}, true))`;

/**
 * Part of a statement on `connected_users u`, `connected_teams t` and `connected_servers s`: the user is an active one of the team
 * there, and neither a removal nor a deactivation is waiting or was done since the last list of users.
 */
export const isStillThere = sql<boolean>`(t.remote_id = any(u.team_ids) and u.deactivated_at = 0 and not u.is_bot
  and not exists (select from connected_work w where w.server_id = u.server_id and w.user_id = u.id
    and (w.action = 'deactivate' or w.action = 'remove_from_team' and w.remote_team_id = t.remote_id)
    and (w.outcome = '' or w.outcome = 'done' and w.done_at > s.users_listed_at)))`;

/** Records that the server was asked to deactivate these users because their access here ended; once for each end. */
export async function saveRemovalsAsked(
  trx: Trx,
  { serverId, teamId }: Omit<LinkKey, 'remoteUserId'>,
  userIds: readonly string[],
): Promise<void> {
  await trx
    .updateTable('connected_links')
    .set({ removal_asked_at: sql<Date>`clock_timestamp()` })
    .where('server_id', '=', serverId)
    .where('team_id', '=', teamId)
    .where('user_id', '=', sql<string>`any(${[...userIds]})`)
    .execute();
}

/** Accounts that have access again; the next end is passed on again. */
export async function clearRemovals(trx: Trx): Promise<void> {
  await sql`update connected_links l set removal_asked_at = null from memberships m
    where l.removal_asked_at is not null and m.team_id = l.team_id and m.person_id = l.person_id and ${isActive('m')}`.execute(
    trx,
  );
}
