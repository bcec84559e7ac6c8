import { sql } from 'kysely';
import type { Trx } from '#platform/database/database.ts';

/** A user of the provider of a connection. */
export interface Identity {
  teamId: string;
  /** The person, or the invitation that they have yet to accept. */
  personId: string;
  connectionId: string;
  issuer: string;
  subject: string;
  email: string;
}

/** Who a user of the provider is in the team; undefined if they aren't linked. */
export async function findIdentity(
  trx: Trx,
  { connectionId, issuer, subject }: Pick<Identity, 'connectionId' | 'issuer' | 'subject'>,
): Promise<string | undefined> {
  const row = await trx
    .selectFrom('sso_identities')
    .select('person_id')
    .where('connection_id', '=', connectionId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.person_id;
}

/** Links a user of the provider; false if either of them is linked to another. */
export async function addIdentity(trx: Trx, identity: Identity): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('sso_identities')
    .values({
      team_id: identity.teamId,
      person_id: identity.personId,
      connection_id: identity.connectionId,
      issuer: identity.issuer,
      subject: identity.subject,
      email: identity.email,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Records that a linked user signed in, and the address that the provider knows. */
export async function saveIdentityUse(
  trx: Trx,
  { teamId, personId, email }: { teamId: string; personId: string; email: string | null },
): Promise<void> {
  await trx
    .updateTable('sso_identities')
    .set({ used_at: sql<Date>`now()`, ...(email !== null && { email }) })
    .where('team_id', '=', teamId)
    .where('person_id', '=', personId)
    .execute();
}

/** Removes the link of a user; returns its connection, or undefined if there was none. */
export async function removeIdentity(trx: Trx, teamId: string, personId: string): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('sso_identities')
    .where('team_id', '=', teamId)
    .where('person_id', '=', personId)
    .returning('connection_id')
    .executeTakeFirst();
  return row?.connection_id;
}
