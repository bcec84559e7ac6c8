import type { ChannelType } from '@steward/contract/channels';

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
