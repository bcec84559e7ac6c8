import type { Channel, User } from '../model.ts';
import type { World } from '../world.ts';

export function addChannel(world: World, more: Partial<Channel>): Channel {
  const now = world.now();
  const channel: Channel = {
    id: world.id(),
    create_at: now,
    update_at: now,
    delete_at: 0,
    team_id: '',
    type: 'O',
    name: '',
    display_name: '',
    creator_id: '',
    last_post_at: 0,
    total_msg_count: 0,
    ...more,
  };
  world.channels.set(channel.id, channel);
  world.channelMembers.set(channel.id, new Map());
  return channel;
}

/** Returns false if the person is a member already. */
export function addToChannel(world: World, { id }: Channel, user: User): boolean {
  const members = world.channelMembers.get(id);
  if (!members || members.has(user.id)) return false;
  const last_update_at = world.now();
  members.set(user.id, { channel_id: id, user_id: user.id, last_update_at, scheme_admin: false });
  world.history.channelMemberHistory += 1;
  return true;
}
