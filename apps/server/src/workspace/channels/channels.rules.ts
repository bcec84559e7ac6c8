import type { ChannelType } from '@steward/contract/channels';
import { hasIntegrationRole, isAdminOfTeam } from '@steward/contract/users/roles';

/** Name of the channel that every team has. All members of the team belong to it, without rows of their own. */
export const GENERAL = 'general';

/** A person's relation to a channel. */
export interface Standing {
  channel: { name: string; type: ChannelType };
  /** Roles in the channel's team; null outside it. */
  roles: readonly string[] | null;
  /** Whether they have a membership of the channel. */
  has_joined: boolean;
  /** Whether they have compliance access to the channel now. */
  has_compliance_access: boolean;
}

/** Members of a channel may read and write in it, and admins of the team if it is public; Zendesk users never. */
export function mayEnter({ channel, roles, has_joined }: Omit<Standing, 'has_compliance_access'>): boolean {
  if (roles === null || hasIntegrationRole(roles)) return false;
  return has_joined || channel.name === GENERAL || (channel.type === 'O' && isAdminOfTeam(roles));
}

/** How a person reads a channel that they may read: as anyone who may enter it, or by compliance access alone. */
export type Reading = 'own' | 'compliance';

/** How a person may read a channel; null if they may not. Compliance access never allows writing. */
export function getReading(standing: Standing): Reading | null {
  if (mayEnter(standing)) return 'own';
  const { roles, has_compliance_access } = standing;
  return has_compliance_access && roles !== null && !hasIntegrationRole(roles) ? 'compliance' : null;
}

/** A channel of the team and whether the caller is a member. */
export interface OfferedChannel {
  id: string;
  type: ChannelType;
  name: string;
  display_name: string;
  /** 0, or when it was archived. */
  delete_at: number;
  has_joined: boolean;
}

/** Whether an admin can choose it: open public and private channels. */
export function isOffered({ type, delete_at }: OfferedChannel): boolean {
  return delete_at === 0 && type !== 'D';
}
