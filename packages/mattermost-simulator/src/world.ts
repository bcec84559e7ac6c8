import type {
  Audit,
  Bot,
  Channel,
  ChannelMember,
  FileInfo,
  PersonalToken,
  Post,
  Reaction,
  Session,
  Team,
  TeamMember,
  Thread,
  User,
} from './model.ts';
import { createPostTable, type PostTable } from './post-table.ts';
import { createSettings, type Settings } from './settings.ts';

/** What a call of somebody else does while a post is being deleted. */
export type Race = 'edit' | 'pin' | 'reply survives' | 'reply is lost' | 'reaction';

/**
 * Where the server dies in a permanent deletion: after the files left the disk, after their rows went too, or after everything,
 * before the answer.
 */
export type KillStage = 'disk' | 'files' | 'done';

/** Answers instead of the server, or after it did its work. */
export interface Fault {
  method?: string;
  /** Matches `/api/v4/…` with the query. */
  path: RegExp;
  /** How many calls pass first, and how many are hit. */
  skip?: number;
  times?: number;
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** The call's work is done first. */
  after?: boolean;
  /** The connection closes without an answer. */
  drop?: boolean;
}

export interface LoggedRequest {
  method: string;
  /** Without `/api/v4`, with the query. */
  path: string;
  /** Undefined without an answer. */
  status?: number;
}

export interface World {
  now(): number;
  id(): string;
  settings: Settings;
  isLicensed: boolean;
  /** Another version than 10.12.0, for clients that refuse what they don't know. */
  version: string | undefined;
  limits: Record<string, number>;
  users: Map<string, User>;
  bots: Map<string, Bot>;
  sessions: Map<string, Session>;
  tokens: Map<string, PersonalToken>;
  teams: Map<string, Team>;
  /** By team, then by user. */
  teamMembers: Map<string, Map<string, TeamMember>>;
  channels: Map<string, Channel>;
  /** By channel, then by user. */
  channelMembers: Map<string, Map<string, ChannelMember>>;
  posts: PostTable;
  files: Map<string, FileInfo>;
  /** Ids of files by post, with those that an edit removed. */
  filesOfPost: Map<string, string[]>;
  /** Paths of files; a thumbnail has a path of its own. */
  disk: Map<string, Buffer>;
  /** File rows of posts as the server remembers them, with the time of the reading. */
  fileCache: Map<string, { files: FileInfo[]; at: number }>;
  reactions: Map<string, Reaction[]>;
  threads: Map<string, Thread>;
  /** Users by post, as the next three. */
  threadMembers: Map<string, string[]>;
  flags: Map<string, string[]>;
  reminders: Map<string, string[]>;
  drafts: Map<string, string[]>;
  /** Numbers of rows that nothing removes. */
  history: { channelMemberHistory: number; sidebarCategories: number };
  audits: Audit[];
  mails: { to: string; subject: string }[];
  requests: LoggedRequest[];
  faults: Fault[];
  whenDeleting: (post: Post) => Race | undefined;
  whenSoftDeleting: (post: Post) => 'edit' | undefined;
  /** Called at each stage of a permanent deletion. True ends the server there. */
  killAt: (post: Post, stage: KillStage) => boolean;
  isDown: boolean;
  /** Milliseconds that each call waits. */
  delay: number;
  /** Calls that an address may still make, and when that was counted. */
  buckets: Map<string, { left: number; at: number }>;
}

const ALPHABET = 'ybndrfg8ejkmcpqxot1uwisza345h769';

/** Makes ids of 26 characters. They only have to be different, and reproducible with a seed. */
function createIds(seed: number): () => string {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const characters = Buffer.alloc(26);
  let count = 0;
  const write = (at: number, value: number) => characters.write(ALPHABET[value & 31] ?? '', at, 'latin1');
  return () => {
    count += 1;
    for (let word = 0; word < 4; word += 1) {
      for (let rest = next(), at = 0; at < 5; at += 1, rest >>>= 5) write(word * 5 + at, rest);
    }
    for (let rest = count, at = 20; at < 26; at += 1, rest = Math.floor(rest / 32)) write(at, rest);
    return characters.toString('latin1');
  };
}

export function createWorld(now: () => number, seed: number): World {
  return {
    now,
    id: createIds(seed),
    settings: createSettings(),
    isLicensed: false,
    version: undefined,
    limits: { maxUsersLimit: 2_500, maxUsersHardLimit: 5_000 },
    ...createTables(),
    requests: [],
    faults: [],
    whenDeleting: () => undefined,
    whenSoftDeleting: () => undefined,
    killAt: () => false,
    isDown: false,
    delay: 0,
    buckets: new Map(),
  };
}

function createTables() {
  return {
    users: new Map(),
    bots: new Map(),
    sessions: new Map(),
    tokens: new Map(),
    teams: new Map(),
    teamMembers: new Map(),
    channels: new Map(),
    channelMembers: new Map(),
    posts: createPostTable(),
    files: new Map(),
    filesOfPost: new Map(),
    disk: new Map(),
    fileCache: new Map(),
    reactions: new Map(),
    threads: new Map(),
    threadMembers: new Map(),
    flags: new Map(),
    reminders: new Map(),
    drafts: new Map(),
    history: { channelMemberHistory: 0, sidebarCategories: 0 },
    audits: [],
    mails: [],
  };
}
