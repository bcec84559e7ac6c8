import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Id, text, wholeNumber } from '../api/fields.ts';
import {
  MESSAGE_MAX,
  POST_FILES_MAX,
  POST_PROPS_DEPTH_MAX,
  POST_PROPS_MAX,
  POSTS_PER_PAGE_MAX,
} from '../api/limits.ts';

/** O public, P private, D direct. */
export const ChannelType = z.enum(['O', 'P', 'D']);
export type ChannelType = z.infer<typeof ChannelType>;

/** A channel in Mattermost's format; times are milliseconds since 1970. */
export const Channel = z.object({
  id: Id,
  create_at: z.int(),
  update_at: z.int(),
  /** Time at which it was archived; 0 if it isn't. */
  delete_at: z.int(),
  team_id: z.string(),
  type: ChannelType,
  display_name: z.string(),
  name: z.string(),
  header: z.string(),
  purpose: z.string(),
  last_post_at: z.int(),
  creator_id: z.string(),
});
export type Channel = z.infer<typeof Channel>;

/** The response for users who may read the channel. */
export const OpenedChannel = Channel.extend({
  /** Users who may read it without being members; `until` is in milliseconds. Empty for public channels. */
  compliance_access: z.array(z.object({ user_id: Id, until: z.int(), reason: z.string() })),
});

export const ChannelMember = z.object({
  channel_id: Id,
  user_id: Id,
  roles: z.string(),
  last_update_at: z.int(),
});
export type ChannelMember = z.infer<typeof ChannelMember>;

export const Post = z.object({
  id: Id,
  create_at: z.int(),
  update_at: z.int(),
  edit_at: z.int(),
  delete_at: z.int(),
  is_pinned: z.boolean(),
  user_id: z.string(),
  channel_id: Id,
  root_id: z.string(),
  /** The post that it replies to was deleted, by a user or by a retention rule; replies stay. Not in Mattermost's format. */
  root_deleted: z.boolean(),
  original_id: z.string(),
  message: z.string(),
  type: z.string(),
  props: z.record(z.string(), z.unknown()),
  hashtags: z.string(),
  file_ids: z.array(z.string()),
  pending_post_id: z.string(),
});
export type Post = z.infer<typeof Post>;

const ChannelParams = z.object({ channelId: z.string() });

/** For members of the channel and, if it is public, admins of its team. */
export const getChannel = endpoint({
  name: 'getChannel',
  method: 'GET',
  path: '/channels/:channelId',
  summary: 'Get a channel.',
  params: ChannelParams,
  answer: OpenedChannel,
});

/** `me` is the caller. */
export const getChannelMember = endpoint({
  name: 'getChannelMember',
  method: 'GET',
  path: '/channels/:channelId/members/:userId',
  summary: 'Get the membership of a user in a channel.',
  params: z.object({ channelId: z.string(), userId: z.string() }),
  answer: ChannelMember,
});

/** Id of a post, or '' for none, as clients of Mattermost's API send it. */
const PostId = z.string().regex(/^(?:[a-z0-9]{26})?$/, 'is not an id');

/**
 * Posts of a channel, newest first, in Mattermost's format: ids in order, and posts by id, including the posts they reply
 * to. `since` takes precedence over `after`, `after` over `before`, and each of them over `page`.
 */
export const listPosts = endpoint({
  name: 'listPosts',
  method: 'GET',
  path: '/channels/:channelId/posts',
  summary: 'List the posts of a channel, newest first.',
  params: ChannelParams,
  query: z.object({
    page: wholeNumber(0, 1_000_000).optional(),
    /** 60 when absent. */
    per_page: wholeNumber(0, POSTS_PER_PAGE_MAX).optional(),
    /** Only posts created or changed after this time: the newest 1,000, on one page. 0 means no limit. */
    since: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
    /** Only posts older than this one, newest first; none if the channel has no such post. */
    before: PostId.optional(),
    /** Only posts newer than this one: the closest ones, newest first. */
    after: PostId.optional(),
  }),
  answer: z.object({
    order: z.array(Id),
    posts: z.record(z.string(), Post),
    /** The next newer post above the page and the next older one below it; '' at the ends and with `since`. */
    next_post_id: z.string(),
    prev_post_id: z.string(),
  }),
});

/** PostgreSQL can't store NUL and unpaired surrogates; nesting is limited for us. */
function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (depth === POST_PROPS_DEPTH_MAX) return false;
  return Object.entries(value).every(([key, inner]) => isStorable(key) && isStorable(inner, depth + 1));
}

const Props = z
  .record(z.string(), z.unknown())
  .refine((props) => isStorable(props), {
    error: 'contains a character that cannot be stored, or is nested too deeply',
    abort: true,
  })
  .refine((props) => JSON.stringify(props).length <= POST_PROPS_MAX, 'is too long');

/** Posts a message to a channel as the caller; responds with 201, like Mattermost. */
export const addPost = endpoint({
  name: 'addPost',
  method: 'POST',
  path: '/posts',
  summary: 'Post a message to a channel.',
  success: 201,
  body: z.object({
    channel_id: z.string().max(100),
    message: text(MESSAGE_MAX).refine((message) => message.trim() !== '', 'is required'),
    /** First post of the thread it replies to, in the same channel; '' for none. */
    root_id: PostId.optional(),
    /** Files of the caller in this channel that aren't attached to a post yet. */
    file_ids: z.array(Id).max(POST_FILES_MAX).optional(),
    props: Props.optional(),
    pending_post_id: text(100).optional(),
  }),
  answer: Post,
});
