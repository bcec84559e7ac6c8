import { isAdminOfTeam } from '@steward/contract/users/roles';

/** Name of the channel that every team has. All members of the team belong to it, without rows of their own. */
export const GENERAL = 'general';

/** A person's relation to a channel. */
export interface Standing {
  channel: { name: string };
  /** Roles in the channel's team; null outside it. */
  roles: readonly string[] | null;
  /** Whether they have a membership of the channel. */
  has_joined: boolean;
}

/** Members of a channel and admins of its team may read and write in it; Zendesk users never. */
export function mayEnter({ channel, roles, has_joined }: Standing): boolean {
  if (roles === null || roles.includes('zendesk')) return false;
  return has_joined || channel.name === GENERAL || isAdminOfTeam(roles);
}
