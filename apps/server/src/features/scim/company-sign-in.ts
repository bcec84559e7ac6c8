import type { Database, Trx } from '#platform/database/database.ts';
import { findConnection, findProvedDomain } from '#workspace/people/identity-providers/connections.store.ts';

/** A role that a group gives; never owner. */
export type GroupRole = 'team_admin' | 'team_user';

export async function isProvedBy(db: Database | Trx, teamId: string, domain: string): Promise<boolean> {
  return (await findProvedDomain(db, domain))?.team_id === teamId;
}

/** Roles by the names of groups; none without a connection, which may be switched off. */
export async function findGroupRoles(db: Database | Trx, teamId: string): Promise<Readonly<Record<string, GroupRole>>> {
  return (await findConnection(db, teamId))?.group_roles ?? {};
}
