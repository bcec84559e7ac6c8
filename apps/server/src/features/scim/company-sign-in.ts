import type { Database, Trx } from '#platform/database/database.ts';

/** A role that a group gives; never owner. */
export type GroupRole = 'team_admin' | 'team_user';

/** What provisioning needs to know about the single sign-on of a team. */
interface CompanySignIn {
  /** Whether the team has proved that it owns the domain of email addresses. */
  isProvedBy(db: Database | Trx, teamId: string, domain: string): Promise<boolean>;
  /** Roles by the names of groups. */
  findGroupRoles(db: Database | Trx, teamId: string): Promise<Readonly<Record<string, GroupRole>>>;
}

/** No team has verified domains or a connection. */
export const companySignIn: CompanySignIn = {
  isProvedBy: async () => false,
  findGroupRoles: async () => ({}),
};
