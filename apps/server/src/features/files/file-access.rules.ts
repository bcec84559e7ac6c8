import { isAdminOfTeam } from '@steward/contract/users/roles';
import { mayEnter } from '#workspace/access/channel-access.rules.ts';

/** What decides whether a member of the file's team may view it. */
export interface FileAccess {
  user_id: string;
  /** '' outside any channel. */
  channel_id: string;
  channel_name: string | null;
  roles: readonly string[];
  has_joined: boolean;
}

/** A file in a channel is visible to those who can read the channel, any other to its owner and the team's admins. */
export function canViewFile(file: FileAccess, personId: string): boolean {
  const { roles, has_joined, channel_name } = file;
  if (roles.includes('zendesk')) return false;
  if (channel_name !== null) return mayEnter({ channel: { name: channel_name }, roles, has_joined });
  return (file.channel_id === '' && file.user_id === personId) || isAdminOfTeam(roles);
}
