import type { Database, Trx } from '#platform/database/database.ts';
import { findConnection, findProvedDomain } from '#workspace/users/identity-providers/connections.store.ts';

/** Groups never give the owner role. */
export type GroupRole = 'team_admin' | 'team_user';

export async function isProvedBy(db: Database | Trx, teamId: string, domain: string): Promise<boolean> {
  return (await findProvedDomain(db, domain))?.team_id === teamId;
}

/** Empty without a connection. The connection may be switched off. */
export async function findGroupRoles(db: Database | Trx, teamId: string): Promise<Readonly<Record<string, GroupRole>>> {
  return (await findConnection(db, teamId))?.group_roles ?? {};
}
