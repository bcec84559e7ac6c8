import type { FileInfo, Post } from '../model.ts';
import type { KillStage, World } from '../world.ts';
import { addPost } from './add-post.ts';
import { addReaction, changePost } from './change-post.ts';

/** How long the server remembers the file rows of a post that somebody listed. */
const FILE_CACHE_MS = 30 * 60_000;

/** The server died in the middle of a call. */
export class Killed extends Error {}

/**
 * Deletes a row for good, with every reply below it. There is no transaction: files go first, and what other calls do at the same
 * time stays. Files, reactions and flags of the replies stay, and so do the row's own versions.
 */
export function deletePostForever(world: World, post: Post): void {
  if (post.file_ids.length > 0) removeFiles(world, post);
  const race = world.whenDeleting(post);
  if (race === 'edit') changePost(world, post, { message: `${post.message} (edited)` });
  if (race === 'pin') changePost(world, post, { is_pinned: !post.is_pinned });
  if (race === 'reply is lost') reply(world, post);
  for (const row of [...world.posts.inThread(post.id)]) world.posts.remove(row);
  world.posts.remove(post);
  world.reactions.delete(post.id);
  world.threads.delete(post.id);
  for (const marks of [world.threadMembers, world.flags, world.drafts]) marks.delete(post.id);
  if (race === 'reply survives') reply(world, post);
  if (race === 'reaction') addReaction(world, post, { user_id: post.user_id, emoji_name: 'smile' });
  stopAt(world, post, 'done');
}

function reply(world: World, { id, channel_id, user_id }: Post): void {
  addPost(world, { channel_id, user_id, root_id: id, message: 'a reply in flight' });
}

/**
 * Rows of files go by the post's id, which finds detached ones too. Bytes go by the list of rows that may be remembered from before
 * an edit, and then those of a newer file stay.
 */
function removeFiles(world: World, post: Post): void {
  for (const file of listFiles(world, post.id, true)) removeBytes(world, file);
  stopAt(world, post, 'disk');
  for (const file of filesOf(world, post.id)) world.files.delete(file.id);
  world.fileCache.delete(post.id);
  stopAt(world, post, 'files');
}

function stopAt(world: World, post: Post, stage: KillStage): void {
  if (!world.killAt(post, stage)) return;
  world.isDown = true;
  throw new Killed();
}

/** Lists the file rows of a post; with deleted ones, as the server remembers them. */
export function listFiles(world: World, postId: string, withDeleted: boolean): FileInfo[] {
  if (!withDeleted) return filesOf(world, postId).filter((file) => file.delete_at === 0);
  const known = world.fileCache.get(postId);
  return known && world.now() - known.at < FILE_CACHE_MS ? known.files : filesOf(world, postId);
}

/** Returns the file rows of a post, with those that an edit removed. */
function filesOf(world: World, postId: string): FileInfo[] {
  return (world.filesOfPost.get(postId) ?? []).flatMap((id) => world.files.get(id) ?? []);
}

function removeBytes(world: World, { id, name }: FileInfo): void {
  for (const path of [`${id}/${name}`, `${id}/thumbnail`, `${id}/preview`]) world.disk.delete(path);
}

/** Deletes the rows of a person's posts and files, and other people's replies to them. */
export function deletePersonForever(world: World, userId: string): void {
  for (const post of [...world.posts.byId.values()]) {
    if (post.user_id !== userId) continue;
    for (const file of filesOf(world, post.id)) {
      removeBytes(world, file);
      world.files.delete(file.id);
    }
    for (const row of [...world.posts.inThread(post.id)]) world.posts.remove(row);
    world.posts.remove(post);
  }
  for (const members of [...world.teamMembers.values(), ...world.channelMembers.values()]) members.delete(userId);
  world.users.delete(userId);
  world.bots.delete(userId);
}

/** Deletes the rows of a channel. The files of its posts stay, with their bytes. */
export function deleteChannelForever(world: World, channelId: string): void {
  for (const post of [...world.posts.inChannel(channelId)]) world.posts.remove(post);
  world.channels.delete(channelId);
  world.channelMembers.delete(channelId);
}

export function deleteTeamForever(world: World, teamId: string): void {
  for (const channel of [...world.channels.values()]) {
    if (channel.team_id === teamId) deleteChannelForever(world, channel.id);
  }
  world.teams.delete(teamId);
  world.teamMembers.delete(teamId);
}
