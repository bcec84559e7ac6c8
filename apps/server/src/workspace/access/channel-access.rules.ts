import { isAdminOfTeam } from '@steward/contract/users/roles';

/** Name of the channel that every team has, and that everybody of the team belongs to without a row saying so. */
export const GENERAL = 'general';

/** How somebody stands to a channel. */
export interface Standing {
  channel: { name: string };
  /** Roles in the channel's team; null for who does not belong to it. */
  roles: readonly string[] | null;
  /** Whether they are among those who were let in one by one. */
  has_joined: boolean;
}

/** Members of a channel and the admins of its team read and write in it (design §11); the help desk's account never does. */
export function mayEnter({ channel, roles, has_joined }: Standing): boolean {
  if (roles === null || roles.includes('zendesk')) return false;
  return has_joined || channel.name === GENERAL || isAdminOfTeam(roles);
}
