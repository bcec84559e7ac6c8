import { done, forbid, json, refuse } from '../answer.ts';
import { asks, badBody, type Call, fields, found, isAdmin, list, type Route, text } from '../call.ts';
import { readable } from '../channels/channels.ts';
import type { Post } from '../model.ts';
import { postList, postRow, reactionRow } from '../render.ts';
import { isOn } from '../settings.ts';
import { addPost } from './add-post.ts';
import { addReaction, type Change, changePost, softDelete } from './change-post.ts';
import { deletePostForever } from './deletion.ts';
import { listPosts } from './listing.ts';

const MISSING = 'app.post.get.app_error';
/** The most characters of a message. */
const MESSAGE_MOST = 16_383;

export const POST_ROUTES: Route[] = [
  { call: 'POST posts', by: 'user', run: createPost },
  { call: 'POST posts/ids', by: 'user', run: listByIds },
  { call: 'GET posts/:post', by: 'user', run: getPost },
  { call: 'DELETE posts/:post', by: 'user', run: deletePost },
  { call: 'PUT posts/:post/patch', by: 'user', run: patchPost },
  { call: 'POST posts/:post/pin', by: 'user', run: (call) => pin(call, true) },
  { call: 'POST posts/:post/unpin', by: 'user', run: (call) => pin(call, false) },
  { call: 'GET posts/:post/thread', by: 'user', run: getThread },
  { call: 'GET posts/:post/edit_history', by: 'user', run: listVersions },
  { call: 'POST posts/:post/restore/:version', by: 'user', run: restoreVersion },
  { call: 'POST reactions', by: 'user', run: react },
  { call: 'GET channels/:channel/posts', by: 'user', run: listPosts },
  {
    call: 'GET channels/:channel/pinned',
    by: 'user',
    run: (call) => {
      const rows = call.world.posts.inOrder(readable(call).id);
      return json(
        200,
        postList(
          call.world,
          rows.filter((post) => post.is_pinned && post.delete_at === 0),
        ),
      );
    },
  },
  { call: 'POST teams/:team/posts/search', by: 'user', run: search },
];

/** A system admin's `create_at` is taken as it is, past or future; other people's is ignored. */
function createPost(call: Call) {
  const { world, caller } = call;
  const { channel_id, message, root_id, file_ids, create_at, metadata, props } = fields(call);
  const channel = world.channels.get(text(channel_id));
  if (!channel || !mayRead(call, channel.id)) return forbid();
  if (channel.delete_at > 0) refuse(400, 'api.post.create_post.can_not_post_to_deleted.error');
  if ((metadata as { priority?: unknown } | undefined)?.priority) refuse(501, 'license_error.feature_unavailable');
  if (text(message).length > MESSAGE_MOST) refuse(400, 'model.post.is_valid.message_length.app_error');
  const root = text(root_id);
  const rootPost = world.posts.byId.get(root);
  if (root && (!rootPost || rootPost.delete_at > 0)) refuse(400, 'api.post.create_post.root_id.app_error');
  const isDated = isAdmin(caller) && typeof create_at === 'number' && create_at > 0;
  const post = addPost(world, {
    channel_id: channel.id,
    user_id: caller.id,
    message: text(message),
    root_id: root,
    file_ids: toIds(file_ids),
    props: { ...(props as Post['props'] | undefined), ...(caller.is_bot && { from_bot: 'true' }) },
    ...(isDated && { create_at, update_at: create_at }),
  });
  caller.last_activity_at = world.now();
  return json(201, postRow(world, post));
}

const toIds = (value: unknown) => (Array.isArray(value) ? value.map((id) => text(id)) : []);

const mayRead = ({ world, caller }: Call, channelId: string) =>
  isAdmin(caller) || world.channelMembers.get(channelId)?.has(caller.id) === true;

/** Returns a row, also a deleted one, if the caller may read its channel. */
function anyPost(call: Call): Post {
  const post = found(call.world.posts.byId, call.params.post, MISSING);
  if (!mayRead(call, post.channel_id)) forbid();
  return post;
}

function getPost(call: Call) {
  const post = anyPost(call);
  const withDeleted = asks(call.query, 'include_deleted');
  if (withDeleted && !isAdmin(call.caller)) forbid();
  if (post.delete_at > 0 && !withDeleted) refuse(404, MISSING);
  return json(200, postRow(call.world, post, withDeleted));
}

/** Soft-deleted rows and versions are found; the whole call is 404 if no row is. */
function listByIds(call: Call) {
  const ids = list(call);
  if (ids.length === 0 || ids.length > 1_000) badBody();
  const posts = ids.flatMap((id) => call.world.posts.byId.get(text(id)) ?? []);
  const readablePosts = posts.filter((post) => mayRead(call, post.channel_id));
  if (readablePosts.length === 0) refuse(404, MISSING);
  const newestFirst = readablePosts.sort((a, b) => b.create_at - a.create_at);
  const rows = newestFirst.map((post) => postRow(call.world, post));
  return json(200, rows, { 'first-inaccessible-post-time': '0' });
}

/** The setting comes first, whoever asks and whether or not the row exists. */
function deletePost(call: Call) {
  const { world, caller, query } = call;
  if (asks(query, 'permanent')) {
    if (!isOn(world.settings, 'ServiceSettings', 'EnableAPIPostDeletion')) {
      refuse(501, 'api.post.delete_post.not_enabled.app_error');
    }
    if (!isAdmin(caller)) forbid();
    deletePostForever(world, anyPost(call));
    return done();
  }
  const post = anyPost(call);
  if (post.delete_at > 0) refuse(404, MISSING);
  const isArchived = (world.channels.get(post.channel_id)?.delete_at ?? 0) > 0;
  if (isArchived || (!isAdmin(caller) && post.user_id !== caller.id)) forbid();
  softDelete(world, post, caller.id);
  return done();
}

/** A row that is gone or deleted can't be changed, and the answer is 403. */
function changeable(call: Call): Post {
  const post = call.world.posts.byId.get(call.params.post ?? '');
  if (!post || post.delete_at > 0 || !mayRead(call, post.channel_id)) return forbid();
  return post;
}

function patchPost(call: Call) {
  const { world, caller } = call;
  const post = changeable(call);
  if (!isAdmin(caller) && post.user_id !== caller.id) forbid();
  const { message, file_ids } = fields(call);
  const change: Change = {
    ...(typeof message === 'string' && { message }),
    ...(Array.isArray(file_ids) && { file_ids: toIds(file_ids) }),
  };
  changePost(world, post, change);
  return json(200, postRow(world, post));
}

function pin(call: Call, is_pinned: boolean) {
  const post = changeable(call);
  if (post.is_pinned !== is_pinned) changePost(call.world, post, { is_pinned });
  return done();
}

/** Hides soft-deleted replies and versions. */
function getThread(call: Call) {
  const { world } = call;
  const post = anyPost(call);
  const root = world.posts.byId.get(post.root_id) ?? post;
  const rows = [root, ...world.posts.inThread(root.id)].filter((row) => row.delete_at === 0);
  if (rows.length === 0) refuse(404, MISSING);
  return json(200, { ...postList(world, rows), has_next: false });
}

/** Only for authors: an admin gets 403 for posts of others. */
function listVersions(call: Call) {
  const post = anyPost(call);
  if (post.user_id !== call.caller.id) forbid();
  const rows = [...call.world.posts.inChannel(post.channel_id)].filter((row) => row.original_id === post.id);
  const shown = (row: Post) => ({ ...postRow(call.world, row), message: row.message });
  return json(200, rows.reverse().map(shown));
}

function restoreVersion(call: Call) {
  const { world, params } = call;
  const post = changeable(call);
  if (post.user_id !== call.caller.id) forbid();
  const version = found(world.posts.byId, params.version, MISSING);
  if (version.original_id !== post.id) refuse(404, MISSING);
  changePost(world, post, { message: version.message, file_ids: version.file_ids });
  for (const id of post.file_ids) {
    const file = world.files.get(id);
    if (file) file.delete_at = 0;
  }
  return json(200, postRow(world, post));
}

function react(call: Call) {
  const { world, caller } = call;
  const { post_id, emoji_name } = fields(call);
  const post = changeable({ ...call, params: { post: text(post_id) } });
  return json(200, reactionRow(addReaction(world, post, { user_id: caller.id, emoji_name: text(emoji_name) })));
}

function search(call: Call) {
  const { world, params } = call;
  const terms = text(fields(call).terms).toLowerCase().split(/\s+/);
  const channels = [...world.channels.values()].filter(
    (each) => each.team_id === params.team && mayRead(call, each.id),
  );
  const rows = channels.flatMap((channel) =>
    [...world.posts.inOrder(channel.id)].filter(
      (post) => post.delete_at === 0 && terms.every((term) => post.message.toLowerCase().includes(term)),
    ),
  );
  return json(200, { ...postList(world, rows), matches: null });
}
