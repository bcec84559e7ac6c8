import type { ChannelType } from '@steward/contract/channels';
import { hasIntegrationRole, isAdminOfTeam } from '@steward/contract/users/roles';

/** Name of the channel that every team has. All members of the team belong to it, without rows of their own. */
export const GENERAL = 'general';

export interface ChannelRights {
  channel: { name: string; type: ChannelType };
  /** Roles in the channel's team; null outside it. */
  roles: readonly string[] | null;
  has_joined: boolean;
  has_compliance_access: boolean;
}

/** Members of a channel may read and write in it, and admins of the team if it is public; Zendesk users never. */
export function mayEnter({ channel, roles, has_joined }: Omit<ChannelRights, 'has_compliance_access'>): boolean {
  if (roles === null || hasIntegrationRole(roles)) return false;
  return has_joined || channel.name === GENERAL || (channel.type === 'O' && isAdminOfTeam(roles));
}

/** `own`: as someone who may enter the channel. `compliance`: by compliance access alone. */
export type Reading = 'own' | 'compliance';

/** Null if they may not read the channel. Compliance access never allows writing. */
export function getReading(rights: ChannelRights): Reading | null {
  if (mayEnter(rights)) return 'own';
  const { roles, has_compliance_access } = rights;
  return has_compliance_access && roles !== null && !hasIntegrationRole(roles) ? 'compliance' : null;
}

export interface OfferedChannel {
  id: string;
  type: ChannelType;
  name: string;
  display_name: string;
  /** 0, or the time when it was archived. */
  delete_at: number;
  has_joined: boolean;
}

/** An admin can choose open public and private channels. */
export function isOffered({ type, delete_at }: OfferedChannel): boolean {
  return delete_at === 0 && type !== 'D';
}
