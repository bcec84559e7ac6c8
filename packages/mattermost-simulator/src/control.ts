import { addChannel, addToChannel } from './channels/add-channel.ts';
import { openDirect, openGroup } from './channels/channels.ts';
import type { Channel, FileInfo, Post, Team, User } from './model.ts';
import { addUser } from './people/add-user.ts';
import { addBot } from './people/bots.ts';
import { addSession } from './people/sessions.ts';
import { addTeam, addToTeam } from './people/teams.ts';
import { addPost, attachFile, newPost } from './posts/add-post.ts';
import { changePost, softDelete } from './posts/change-post.ts';
import { addFile } from './posts/files.ts';
import type { Fault, LoggedRequest, World } from './world.ts';

/** Everything a test does without the API: the database's tables, the disk, the operator's console and bad luck. */
export interface Control {
  /** The tables themselves, to read and to change. */
  world: World;
  /** All calls, oldest first. */
  requests: LoggedRequest[];
  set(section: string, name: string, value: string | number | boolean): void;
  advance(ms: number): void;
  addUser(username: string, more?: Partial<User>): User;
  /** A system admin's bot with a token, as an operator sets one up. */
  addAdminBot(username?: string): { bot: User; owner: User; token: string };
  token(user: User): string;
  addTeam(name: string, members?: User[]): Team;
  addToTeam(team: Team, user: User): void;
  addChannel(team: Team, name: string, more?: Partial<Channel>): Channel;
  addToChannel(channel: Channel, user: User): void;
  openDirect(...users: User[]): Channel;
  post(channel: Channel, user: User, more?: Partial<Post>): Post;
  /** Adds rows as an import does: no counter, no last post and no change shows it. */
  importPost(channel: Channel, user: User, more?: Partial<Post>): Post;
  edit(post: Post, message: string): void;
  pin(post: Post): void;
  softDelete(post: Post): void;
  file(user: User, name: string, content?: string): FileInfo;
  fault(fault: Fault): void;
  /** Starts the server again after it was killed, with its database and disk. */
  restart(): void;
  /** Number of rows by table, and of files on disk. */
  counts(): Record<string, number>;
  /** Names the tables and files that contain a word. */
  search(word: string): string[];
}

export function createControl(world: World, clock: { shift: number }): Control {
  return {
    world,
    requests: world.requests,
    set(section, name, value) {
      world.settings[section] = { ...world.settings[section], [name]: value };
    },
    advance(ms) {
      clock.shift += ms;
    },
    fault: (fault) => void world.faults.push({ ...fault }),
    restart() {
      world.isDown = false;
      world.fileCache.clear();
      world.buckets.clear();
      world.killAt = () => false;
    },
    counts: () => countRows(world),
    search: (word) => searchTables(world, word),
    ...peopleControl(world),
    ...contentControl(world),
  };
}

function peopleControl(world: World) {
  const newToken = (user: User) => {
    const token = { id: world.id(), token: world.id(), user_id: user.id, description: 'test', is_active: true };
    world.tokens.set(token.id, token);
    return token.token;
  };
  return {
    addUser: (username: string, more: Partial<User> = {}) => addUser(world, { username, ...more }),
    addAdminBot(username = 'governance-bot') {
      const roles = 'system_admin system_user';
      const owner = addUser(world, { username: `${username}-owner`, roles });
      const bot = world.users.get(addBot(world, owner.id, { username }).user_id) ?? owner;
      bot.roles = roles;
      return { bot, owner, token: newToken(bot) };
    },
    token: (user: User) => (user.is_bot ? newToken(user) : addSession(world, user).token),
    addTeam(name: string, members: User[] = []) {
      const team = addTeam(world, { name });
      for (const member of members) addToTeam(world, team, member);
      return team;
    },
    addToTeam: (team: Team, user: User) => void addToTeam(world, team, user),
  };
}

function contentControl(world: World) {
  return {
    addChannel: (team: Team, name: string, more: Partial<Channel> = {}) =>
      addChannel(world, { team_id: team.id, name, display_name: name, ...more }),
    addToChannel: (channel: Channel, user: User) => void addToChannel(world, channel, user),
    openDirect: (...users: User[]) => {
      const ids = users.map((user) => user.id);
      return ids.length > 2 ? openGroup(world, ids) : openDirect(world, ids);
    },
    post: (channel: Channel, user: User, more: Partial<Post> = {}) =>
      addPost(world, { message: 'a message', ...more, channel_id: channel.id, user_id: user.id }),
    importPost(channel: Channel, user: User, more: Partial<Post> = {}) {
      const post = newPost(world, { message: 'an import', ...more, channel_id: channel.id, user_id: user.id });
      world.posts.insert(post);
      for (const id of post.file_ids) attachFile(world, id, post);
      return post;
    },
    edit: (post: Post, message: string) => changePost(world, post, { message }),
    pin: (post: Post) => changePost(world, post, { is_pinned: !post.is_pinned }),
    softDelete: (post: Post) => softDelete(world, post, post.user_id),
    file: (user: User, name: string, content = 'content') =>
      addFile(world, { name, user_id: user.id }, Buffer.from(content)),
  };
}

const countNested = (rows: Map<string, { size: number }>) =>
  [...rows.values()].reduce((sum, { size }) => sum + size, 0);
const countLists = (rows: Map<string, unknown[]>) => [...rows.values()].reduce((sum, { length }) => sum + length, 0);

function countRows(world: World): Record<string, number> {
  return {
    users: world.users.size,
    bots: world.bots.size,
    teams: world.teams.size,
    teamMembers: countNested(world.teamMembers),
    channels: world.channels.size,
    channelMembers: countNested(world.channelMembers),
    ...world.history,
    posts: world.posts.byId.size,
    fileInfo: world.files.size,
    reactions: countLists(world.reactions),
    threads: world.threads.size,
    threadMembers: countLists(world.threadMembers),
    flags: countLists(world.flags),
    reminders: countLists(world.reminders),
    drafts: countLists(world.drafts),
    audits: world.audits.length,
    disk: world.disk.size,
  };
}

function searchTables(world: World, word: string): string[] {
  const found = [];
  for (const post of world.posts.byId.values()) {
    if (post.message.includes(word)) found.push(post.original_id ? `version ${post.id}` : `post ${post.id}`);
  }
  for (const file of world.files.values()) if (file.name.includes(word)) found.push(`fileInfo ${file.id}`);
  for (const [path, bytes] of world.disk) if (bytes.includes(word)) found.push(`disk ${path}`);
  return found;
}
