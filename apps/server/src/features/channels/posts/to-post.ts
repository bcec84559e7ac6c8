import type { Post } from '@steward/contract/channels';
import type { PostRow } from './posts.store.ts';

/** A message in Mattermost's format. */
export function toPost(row: PostRow): Post {
  const { text, ...rest } = row;
  return {
    ...rest,
    message: text,
    edit_at: row.update_at > row.create_at ? row.update_at : 0,
    delete_at: 0,
    is_pinned: false,
    original_id: '',
    type: '',
    hashtags: '',
    pending_post_id: '',
  };
}
