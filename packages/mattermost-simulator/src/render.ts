import { createHash } from 'node:crypto';
import type { Channel, ChannelMember, FileInfo, Post, Team, TeamMember, User } from './model.ts';
import type { World } from './world.ts';

const NOTIFY = {
  channel: 'true',
  comments: 'never',
  desktop: 'mention',
  desktop_sound: 'true',
  desktop_threads: 'all',
  email: 'true',
  email_threads: 'all',
  first_name: 'false',
  mention_keys: '',
  push: 'mention',
  push_status: 'online',
  push_threads: 'all',
};
const TIME_ZONE = { automaticTimezone: '', manualTimezone: '', useAutomaticTimezone: 'true' };

export function userRow({ password: _, is_bot, last_login: __, last_activity_at: ___, ...user }: User) {
  const shown = { ...user, auth_service: '', notify_props: NOTIFY, locale: 'en', timezone: TIME_ZONE, remote_id: '' };
  return { ...shown, disable_welcome_email: false, ...(is_bot && { is_bot }) };
}

export function teamRow(team: Team) {
  const shown = { ...team, description: '', company_name: '', allowed_domains: '', allow_open_invite: false };
  return { ...shown, scheme_id: null, group_constrained: null, policy_id: null, cloud_limits_archived: false };
}

export function teamMemberRow(member: TeamMember) {
  const roles = member.scheme_admin ? 'team_user team_admin' : 'team_user';
  return { ...member, roles, scheme_guest: false, scheme_user: true, explicit_roles: '' };
}

export function channelRow(channel: Channel) {
  const { total_msg_count, last_post_at } = channel;
  const counts = { total_msg_count_root: total_msg_count, last_root_post_at: last_post_at };
  const empty = { scheme_id: null, props: null, group_constrained: null, shared: null, policy_id: null };
  const more = { header: '', purpose: '', extra_update_at: 0, banner_info: null, policy_enforced: false };
  return { ...channel, ...counts, ...empty, ...more, default_category_name: '' };
}

export function channelMemberRow(member: ChannelMember) {
  const roles = member.scheme_admin ? 'channel_user channel_admin' : 'channel_user';
  const counts = { msg_count: 0, mention_count: 0, mention_count_root: 0, urgent_mention_count: 0, msg_count_root: 0 };
  const scheme = { scheme_guest: false, scheme_user: true, explicit_roles: '', notify_props: {} };
  return { ...member, roles, last_viewed_at: 0, ...counts, ...scheme };
}

export function fileRow(file: FileInfo) {
  return { ...file, mini_preview: null, remote_id: '', archived: false };
}

/** A post as each call shows it: without text and files if it is deleted or a version, whoever asks. */
export function postRow(world: World, post: Post, countsDeleted = false) {
  const withheld = post.delete_at > 0;
  const reactions = withheld ? [] : (world.reactions.get(post.id) ?? []);
  const files = withheld ? [] : post.file_ids.flatMap((id) => world.files.get(id) ?? []);
  const metadata = {
    ...(files.length > 0 && { files: files.map(fileRow) }),
    ...(reactions.length > 0 && { reactions: reactions.map(reactionRow) }),
  };
  return {
    ...post,
    message: withheld ? '' : post.message,
    hashtags: '',
    pending_post_id: '',
    remote_id: '',
    ...(reactions.length > 0 && { has_reactions: true }),
    reply_count: countReplies(world, post, countsDeleted),
    last_reply_at: 0,
    participants: null,
    metadata,
  };
}

export function reactionRow(reaction: { create_at: number }) {
  return { ...reaction, update_at: reaction.create_at, delete_at: 0, remote_id: '' };
}

/** Counts the rows with the same root. With deleted ones it counts versions too, so that one reply can make it 3. */
function countReplies(world: World, post: Post, countsDeleted: boolean): number {
  let count = 0;
  for (const row of world.posts.inThread(post.root_id || post.id)) if (countsDeleted || row.delete_at === 0) count += 1;
  return count;
}

export function postList(world: World, posts: readonly Post[], countsDeleted = false) {
  return {
    order: posts.map((post) => post.id),
    posts: Object.fromEntries(posts.map((post) => [post.id, postRow(world, post, countsDeleted)])),
    next_post_id: '',
    prev_post_id: '',
    first_inaccessible_post_time: 0,
  };
}

export function groupName(ids: readonly string[]): string {
  return createHash('sha1')
    .update([...ids].sort().join(''))
    .digest('hex');
}
