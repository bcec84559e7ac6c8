import type { OwnLink } from '@steward/contract/sso/identities';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { isActive } from '#workspace/users/active-members.store.ts';

export interface Identity {
  teamId: string;
  /** Id of the user, or of an invitation that the user has not accepted yet. */
  userId: string;
  connectionId: string;
  issuer: string;
  subject: string;
  email: string;
}

/** Returns undefined if the provider's user isn't linked. */
export async function findIdentity(
  db: Database | Trx,
  { connectionId, issuer, subject }: Pick<Identity, 'connectionId' | 'issuer' | 'subject'>,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('sso_identities')
    .select('person_id')
    .where('connection_id', '=', connectionId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.person_id;
}

/** Returns false if either user is already linked to another one. */
export async function addIdentity(trx: Trx, identity: Identity): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('sso_identities')
    .values({
      team_id: identity.teamId,
      person_id: identity.userId,
      connection_id: identity.connectionId,
      issuer: identity.issuer,
      subject: identity.subject,
      email: identity.email,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Records the time of a sign-in and the address that the provider sent. */
export async function saveIdentityUse(
  trx: Trx,
  { teamId, userId, email }: { teamId: string; userId: string; email: string | null },
): Promise<void> {
  await trx
    .updateTable('sso_identities')
    .set({ used_at: sql<Date>`now()`, ...(email !== null && { email }) })
    .where('team_id', '=', teamId)
    .where('person_id', '=', userId)
    .execute();
}

/** Returns the connection of the removed link; undefined if there was none. */
export async function removeIdentity(trx: Trx, teamId: string, userId: string): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('sso_identities')
    .where('team_id', '=', teamId)
    .where('person_id', '=', userId)
    .returning('connection_id')
    .executeTakeFirst();
  return row?.connection_id;
}

/** Teams of a user with active single sign-on, and their connections. */
export async function listLinkedIdentities(
  db: Database,
  userId: string,
): Promise<(OwnLink & { connection_id: string })[]> {
  const { rows } = await sql<OwnLink & { connection_id: string }>`
    select m.team_id, t.display_name as team_name, c.name as provider, c.id as connection_id, i.person_id is not null as is_linked
    from memberships m
    join teams t on t.id = m.team_id
    join sso_connections c on c.team_id = m.team_id and c.enabled
    left join sso_identities i on i.team_id = m.team_id and i.person_id = m.person_id and i.connection_id = c.id
    where m.person_id = ${userId} and m.email is null and ${isActive()}
    order by t.display_name, m.team_id`.execute(db);
  return rows;
}
