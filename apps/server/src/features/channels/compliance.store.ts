import { isId } from '@steward/contract/api/fields';
import type { ChannelType } from '@steward/contract/channels';
import type { ComplianceAccess } from '@steward/contract/channels/compliance';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { millisecondsIn, toMilliseconds } from '#platform/database/milliseconds.ts';
import { isInEffect } from '#workspace/channels/channels.store.ts';
import { isActive } from '#workspace/users/active-members.store.ts';
import { isIntegrationMember } from '#workspace/users/managers.store.ts';
import { nameInTeam } from '#workspace/users/users.store.ts';

/** A channel of a team, regardless of its members. */
export interface ComplianceChannel {
  team_id: string;
  id: string;
  type: ChannelType;
}

export async function findTeamChannel(
  db: Database | Trx,
  teamId: string,
  channelId: string,
): Promise<ComplianceChannel | undefined> {
  // An id from a path may contain characters that PostgreSQL rejects.
  if (!isId(channelId)) return undefined;
  return db
    .selectFrom('channels')
    .select(['team_id', 'id', 'type'])
    .where('team_id', '=', teamId)
    .where('id', '=', channelId)
    .executeTakeFirst();
}

/**
 * Finds an active member of the team with an account, and locks them until the transaction ends, so that
 * two grants to one member wait for each other.
 */
export async function lockReader(trx: Trx, teamId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from memberships m join people p on p.id = m.person_id
    where m.team_id = ${teamId} and m.person_id = ${userId} and ${canRead}
    for no key update of m`.execute(trx);
  return rows.length > 0;
}

/** Needs `memberships m`. */
const canRead = sql<boolean>`${isActive()} and m.email is null and not ${isIntegrationMember}`;

export interface Grant {
  teamId: string;
  channelId: string;
  userId: string;
  grantedBy: string;
  reason: string;
  hours: number;
}

/**
 * Grants access from now on and replaces an earlier grant. Returns the end of the access and the end of the replaced grant,
 * null if none was in effect.
 */
export async function saveGrant(trx: Trx, grant: Grant): Promise<{ until: number; replaced_until: number | null }> {
  const { teamId, channelId, userId, grantedBy, reason, hours } = grant;
  const { rows: earlier } = await sql<{ until: number }>`
    select ${toMilliseconds(sql`a.expires_at`)} as until from compliance_access a
    where ${isGrant(grant)} and ${isInEffect} for update`.execute(trx);
  const { rows } = await sql<{ until: number }>`
    insert into compliance_access as a (team_id, channel_id, person_id, granted_by, reason, expires_at)
    values (${teamId}, ${channelId}, ${userId}, ${grantedBy}, ${reason}, now() + make_interval(hours => ${hours}))
    on conflict (team_id, channel_id, person_id) do update set granted_by = excluded.granted_by, reason = excluded.reason,
      created_at = excluded.created_at, expires_at = excluded.expires_at
    returning ${toMilliseconds(sql`a.expires_at`)} as until`.execute(trx);
  return { until: rows[0]?.until ?? 0, replaced_until: earlier[0]?.until ?? null };
}

/** Ends access that is in effect. Returns when it would have ended; undefined if there was none. */
export async function removeGrant(trx: Trx, key: GrantKey): Promise<{ until: number } | undefined> {
  const { rows } = await sql<{ until: number }>`delete from compliance_access a where ${isGrant(key)} and ${isInEffect}
    returning ${toMilliseconds(sql`a.expires_at`)} as until`.execute(trx);
  return rows[0];
}

/** Returns the number of grants that were in effect. */
export async function removeAllGrants(trx: Trx): Promise<number> {
  const { rows } = await sql`delete from compliance_access a where ${isInEffect} returning 1`.execute(trx);
  return rows.length;
}

type GrantKey = Pick<Grant, 'teamId' | 'channelId' | 'userId'>;

function isGrant({ teamId, channelId, userId }: GrantKey): RawBuilder<unknown> {
  return sql`a.team_id = ${teamId} and a.channel_id = ${channelId} and a.person_id = ${userId}`;
}

/** Lists the access to a team's channels or to one of them, the earliest end first. A direct channel has no name. */
export async function listGrants(db: Database | Trx, teamId: string, channelId?: string): Promise<ComplianceAccess[]> {
  return db
    .selectFrom('compliance_access as a')
    .innerJoin('channels as c', (join) => join.onRef('c.team_id', '=', 'a.team_id').onRef('c.id', '=', 'a.channel_id'))
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.team_id', '=', 'a.team_id').onRef('m.person_id', '=', 'a.person_id'),
    )
    .innerJoin('people as p', 'p.id', 'a.person_id')
    .leftJoin('people as o', 'o.id', 'a.granted_by')
    .select(['a.channel_id', 'c.type as channel_type', 'a.person_id as user_id', 'p.email', 'a.granted_by', 'a.reason'])
    .select([
      sql<string>`case when c.type = 'D' then '' else c.display_name end`.as('channel_name'),
      nameInTeam({ team: 'a.team_id', user: 'a.person_id', users: 'p' }).as('user_name'),
      nameInTeam({ team: 'a.team_id', user: 'a.granted_by', users: 'o' }).as('granted_by_name'),
      millisecondsIn('a.created_at').as('granted_at'),
      millisecondsIn('a.expires_at').as('until'),
    ])
    .where('a.team_id', '=', teamId)
    .where(sql<boolean>`(${channelId ?? null}::text is null or a.channel_id = ${channelId ?? null})`)
    .where(isInEffect)
    .where(canRead)
    .orderBy('a.expires_at')
    .orderBy('a.channel_id')
    .orderBy('a.person_id')
    .execute();
}

export async function removeOldGrants(db: Database): Promise<void> {
  await sql`delete from compliance_access a where not ${isInEffect}`.execute(db);
}
