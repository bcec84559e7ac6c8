import type { ChannelType } from '@steward/contract/channels';

/** A channel of the team that somebody wants to choose, as they stand to it. */
export interface OfferedChannel {
  id: string;
  type: ChannelType;
  name: string;
  display_name: string;
  /** 0, or when it was archived. */
  delete_at: number;
  has_joined: boolean;
}

/** Whether it is among the channels that somebody is offered: open ones, private ones only if they have joined them. */
export function isOffered({ type, delete_at, has_joined }: OfferedChannel): boolean {
  return delete_at === 0 && (type === 'O' || (type === 'P' && has_joined));
}
