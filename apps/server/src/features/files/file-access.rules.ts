import type { ChannelType } from '@steward/contract/channels';
import { hasIntegrationRole, isAdminOfTeam } from '@steward/contract/users/roles';
import { getReading, type Reading } from '#workspace/channels/channels.rules.ts';

/** These facts decide whether a member of the file's team may view it. */
export interface FileAccess {
  user_id: string;
  /** '' outside any channel. */
  channel_id: string;
  /** Null outside any channel, and if the channel is gone. */
  channel_name: string | null;
  channel_type: ChannelType | null;
  roles: readonly string[];
  has_joined: boolean;
  has_compliance_access: boolean;
}

/**
 * Returns null if the user may not view the file. A file in a channel is visible to those who can read the channel, one
 * outside any channel to its owner and the team's admins, and one in a deleted channel to no one.
 */
export function getFileReading(file: FileAccess, userId: string): Reading | null {
  const { roles, channel_name: name, channel_type: type } = file;
  if (hasIntegrationRole(roles)) return null;
  if (name !== null && type !== null) return getReading({ ...file, channel: { name, type } });
  return file.channel_id === '' && (file.user_id === userId || isAdminOfTeam(roles)) ? 'own' : null;
}
