import type { SsoRole } from '@steward/contract/sso/connection';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { millisecondsIn, toMilliseconds } from '#platform/database/milliseconds.ts';

export interface Connection {
  id: string;
  team_id: string;
  name: string;
  issuer: string;
  client_id: string;
  /** Sealed; null until it was entered. */
  client_secret: string | null;
  enabled: boolean;
  required: boolean;
  jit: boolean;
  default_role: SsoRole;
  group_claim: string;
  group_roles: Record<string, SsoRole>;
  /** In milliseconds. */
  tested_at: number | null;
}

function selectConnections(db: Database | Trx) {
  return db
    .selectFrom('sso_connections')
    .select(['id', 'team_id', 'name', 'issuer', 'client_id', 'client_secret', 'enabled', 'required', 'jit'])
    .select(['default_role', 'group_claim', 'group_roles', toMilliseconds(sql.ref('tested_at')).as('tested_at')]);
}

export async function findConnection(db: Database | Trx, teamId: string): Promise<Connection | undefined> {
  return selectConnections(db).where('team_id', '=', teamId).executeTakeFirst();
}

/** An earlier connection of a team, which had another issuer, isn't found. */
export async function findConnectionById(db: Database | Trx, id: string): Promise<Connection | undefined> {
  return selectConnections(db).where('id', '=', id).executeTakeFirst();
}

export async function hasConnection(db: Database): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from sso_connections where enabled) as has`.execute(db);
  return rows[0]?.has ?? false;
}

/** The connection is null unless it is on. */
export async function findProvedDomain(
  db: Database | Trx,
  domain: string,
): Promise<{ team_id: string; connection_id: string | null } | undefined> {
  return db
    .selectFrom('sso_domains as d')
    .leftJoin('sso_connections as c', (join) => join.onRef('c.team_id', '=', 'd.team_id').on('c.enabled', '=', true))
    .select(['d.team_id', 'c.id as connection_id'])
    .where('d.domain', '=', domain)
    .where('d.verified_at', 'is not', null)
    .executeTakeFirst();
}

export async function listProvedDomains(db: Database | Trx, teamId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('sso_domains')
    .select('domain')
    .where('team_id', '=', teamId)
    .where('verified_at', 'is not', null)
    .orderBy('domain')
    .execute();
  return rows.map(({ domain }) => domain);
}

export interface LinkedMember {
  id: string;
  email: string;
  /** Name of the identity provider, and the address of the user there, which may be ''. */
  provider: string;
  provider_email: string;
}

/** All linked members of a team, or those among these. Invitations aren't accounts yet. */
export async function listLinkedMembers(
  trx: Trx,
  teamId: string,
  userIds?: readonly string[],
): Promise<LinkedMember[]> {
  let query = trx
    .selectFrom('sso_identities as i')
    .innerJoin('sso_connections as c', 'c.id', 'i.connection_id')
    .innerJoin('people as p', 'p.id', 'i.person_id')
    .select(['p.id', 'p.email', 'c.name as provider', 'i.email as provider_email'])
    .where('i.team_id', '=', teamId);
  if (userIds !== undefined) query = query.where(sql<boolean>`i.person_id = any(${[...userIds]})`);
  return query.orderBy('p.id').execute();
}

/** The account of a member at the identity provider of the team. */
export async function findLinkedIdentity(
  db: Database | Trx,
  teamId: string,
  userId: string,
): Promise<{ provider: string; email: string; linked_at: number; used_at: number | null } | undefined> {
  return db
    .selectFrom('sso_identities as i')
    .innerJoin('sso_connections as c', 'c.id', 'i.connection_id')
    .select(['c.name as provider', 'i.email'])
    .select([millisecondsIn('i.linked_at').as('linked_at'), toMilliseconds(sql.ref('i.used_at')).as('used_at')])
    .where('i.team_id', '=', teamId)
    .where('i.person_id', '=', userId)
    .executeTakeFirst();
}
