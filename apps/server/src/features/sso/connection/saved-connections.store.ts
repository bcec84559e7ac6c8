import { sql } from 'kysely';
import type { Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { SealedRows } from '#platform/security/reseal.ts';
import type { Connection } from '#workspace/users/identity-providers/connections.store.ts';
import { CLIENT_SECRET_PURPOSE } from './client-secret.ts';

/** The secret is sealed. */
export type SavedConnection = Omit<Connection, 'id' | 'tested_at'>;

export async function addConnection(trx: Trx, { group_roles, ...row }: SavedConnection): Promise<string> {
  const id = newId();
  const groups = JSON.stringify(group_roles);
  await trx
    .insertInto('sso_connections')
    .values({ ...row, id, group_roles: groups })
    .execute();
  return id;
}

export async function updateConnection(
  trx: Trx,
  { team_id, group_roles, ...row }: SavedConnection,
  { keepsTest }: { keepsTest: boolean },
): Promise<void> {
  await trx
    .updateTable('sso_connections')
    .set({ ...row, group_roles: JSON.stringify(group_roles), ...(!keepsTest && { tested_at: null }) })
    .where('team_id', '=', team_id)
    .execute();
}

/** Also removes the links of users. */
export async function deleteConnection(trx: Trx, teamId: string): Promise<void> {
  await trx.deleteFrom('sso_connections').where('team_id', '=', teamId).execute();
}

export async function switchOff(trx: Trx, teamId: string): Promise<void> {
  await trx
    .updateTable('sso_connections')
    .set({ enabled: false, required: false })
    .where('team_id', '=', teamId)
    .execute();
}

export async function saveTested(trx: Trx, id: string): Promise<void> {
  await trx.updateTable('sso_connections').set({ tested_at: sql<Date>`now()` }).where('id', '=', id).execute();
}

/** Locks the connection's settings until the transaction ends. */
export async function lockConnection(trx: Trx, id: string): Promise<void> {
  await trx.selectFrom('sso_connections').select('id').where('id', '=', id).forShare().execute();
}

export const clientSecrets: SealedRows<{ id: string; sealed: string }> = {
  purpose: CLIENT_SECRET_PURPOSE,
  list: (db) =>
    db
      .selectFrom('sso_connections')
      .select(['id', sql<string>`client_secret`.as('sealed')])
      .where('client_secret', 'is not', null)
      .execute(),
  async replace(db, { id, sealed }, client_secret) {
    await db
      .updateTable('sso_connections')
      .set({ client_secret })
      .where('id', '=', id)
      .where('client_secret', '=', sealed)
      .execute();
  },
};
