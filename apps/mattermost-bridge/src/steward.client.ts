// The calls of Steward's connector API, as its API document describes them.
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';

export interface RemoteUser {
  id: string;
  username: string;
  name: string;
  email: string;
  roles: string[];
  team_ids: string[];
  is_bot: boolean;
  owns_bots: boolean;
  is_protected: boolean;
  deactivated_at: number;
}

type ChannelType = 'O' | 'P' | 'D' | 'G';

export interface RemoteChannel {
  id: string;
  type: ChannelType;
  team_id: string;
  name: string;
  member_ids: string[];
  archived_at: number;
}

/** A message without its text: an unknown field is refused. */
export interface RemoteMessage {
  id: string;
  user_id: string;
  root_id: string;
  original_id: string;
  created_at: number;
  updated_at: number;
  edited_at: number;
  deleted_at: number;
  kind: string;
  size: number | null;
  files: { id: string; size: number | null }[];
}

/** The most rows of one page. */
export const PAGE_MOST = 1_000;
/** The most characters of a sentence. */
export const SENTENCE_MOST = 300;
/** Seconds for which a call for work waits. */
const WORK_SECONDS = 25;

const Mapping = z.object({ remote_team_id: z.string(), accepted: z.boolean(), direct_messages: z.boolean() });
const Lease = z.object({
  lease: z.string(),
  seconds: z.number(),
  connection: z.object({ name: z.string(), mappings: z.array(Mapping) }),
  users_listed_at: z.number(),
  channels_listed_at: z.number(),
  wants_rehearsal: z.boolean(),
});
export type Lease = z.output<typeof Lease>;

const ChannelToRead = z.object({
  id: z.string(),
  listed_at: z.number(),
  /** The value that the server had for the channel when it was last read; '' if it never was. */
  hint: z.string(),
  /** The reason for which the channel is only read; '' if messages in it can be deleted. */
  read_only: z.string().default(''),
  /** An open order needs a new list. */
  needed: z.boolean(),
});
export type ChannelToRead = z.output<typeof ChannelToRead>;

const Work = z.object({
  id: z.string(),
  action: z.enum([
    'revoke_sessions',
    'send_password_reset',
    'deactivate',
    'reactivate',
    'remove_from_team',
    'add_to_channels',
  ]),
  user_id: z.string(),
  /** The team of the server in which it was asked for. */
  team_id: z.string(),
  /** For `add_to_channels`. */
  channel_ids: z.array(z.string()),
});
export type Work = z.output<typeof Work>;

const PermitRow = z.object({
  id: z.string(),
  thread_id: z.string(),
  original_id: z.string(),
  created_at: z.number(),
  file_ids: z.array(z.string()),
});
const Permit = z.object({
  id: z.string(),
  channel_id: z.string(),
  rows: z.array(PermitRow),
  whole_threads: z.boolean(),
  begun: z.boolean(),
  only_read: z.boolean().default(false),
  last: z.boolean().default(false),
});
export type StewardPermit = z.output<typeof Permit>;

const Done = z.object({ status_code: z.literal(200) });

/** `:name` is a part of the path. */
const CALLS = {
  takeLease: { call: 'POST connector/lease', answer: Lease },
  releaseLease: { call: 'DELETE connector/lease', answer: Done },
  reportStatus: { call: 'PUT connector/status', answer: Done },
  reportRehearsal: { call: 'PUT connector/rehearsal', answer: z.object({ passed: z.boolean() }) },
  startList: { call: 'POST connector/lists', answer: z.object({ list_id: z.string() }) },
  addListPage: { call: 'PUT connector/lists/:list/pages/:page', answer: z.object({ taken: z.number() }) },
  finishList: { call: 'POST connector/lists/:list/finish', answer: z.object({ removed: z.number() }) },
  saveMessages: { call: 'POST connector/messages', answer: z.object({ taken: z.number() }) },
  listChannelsToRead: {
    call: 'GET connector/channels',
    answer: z.object({ records: z.array(ChannelToRead), last_key: z.string().nullable() }),
  },
  takeWork: { call: `GET connector/work?wait=${WORK_SECONDS}`, answer: z.object({ records: z.array(Work) }) },
  reportWork: { call: 'POST connector/work/:work/outcome', answer: Done },
  takePermit: {
    call: 'POST connector/permits',
    answer: z.object({ permit: Permit.nullable(), reason: z.string(), channel_id: z.string() }),
  },
  beginPermit: { call: 'POST connector/permits/:permit/begin', answer: Done },
  reportOutcomes: { call: 'POST connector/permits/:permit/outcomes', answer: z.object({ open: z.number() }) },
} as const;

type StewardCall = keyof typeof CALLS;
type Answer<N extends StewardCall> = z.output<(typeof CALLS)[N]['answer']>;

interface Args {
  parts?: Record<string, string | number>;
  query?: Record<string, string>;
  body?: unknown;
  /** Ends a call that waits. */
  signal?: AbortSignal;
}

/** Steward refused a call or didn't answer. A status of 0 means no answer at all. */
export class StewardError extends Error {
  readonly status: number;
  /** The id of Steward's error, such as `connector.leased`. */
  readonly error: string | undefined;

  constructor(call: StewardCall, status: number, { reason, error }: { reason: string; error?: string | undefined }) {
    super(`Steward's call ${call} failed: ${reason}.`);
    this.status = status;
    this.error = error;
  }
}

export interface Steward {
  call<N extends StewardCall>(name: N, args?: Args): Promise<Answer<N>>;
  /** Sent with each call. */
  lease: string | undefined;
}

interface StewardOptions {
  url: string;
  token: string;
  pause?: (ms: number) => Promise<unknown>;
}

const TIME_LIMIT_MS = 60_000;
const MOST_PAUSES = 20;
const ErrorBody = z.object({ id: z.string(), message: z.string() });

export function createSteward({ url, token, pause = wait }: StewardOptions): Steward {
  const base = `${url.replace(/\/+$/, '')}/api/v4/`;
  async function send(name: StewardCall, { parts = {}, query = {}, body, signal }: Args): Promise<Response> {
    const [method = '', path = ''] = CALLS[name].call.split(' ');
    const filled = path.replace(/:(\w+)/g, (_, part: string) => encodeURIComponent(parts[part] ?? ''));
    const added = new URLSearchParams(query).toString();
    for (let pauses = 0; ; pauses += 1) {
      const limit = AbortSignal.timeout(TIME_LIMIT_MS);
      const response = await fetch(base + filled + (added && `?${added}`), {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(steward.lease !== undefined && { 'connector-lease': steward.lease }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      if (response.status !== 429 || pauses === MOST_PAUSES) return response;
      await response.body?.cancel();
      await pause(Math.min(60, Math.max(1, Number(response.headers.get('retry-after')) || 1)) * 1_000);
    }
  }
  const steward: Steward = {
    lease: undefined,
    async call(name, args = {}) {
      try {
        const response = await send(name, args);
        return readAnswer(name, response.status, await response.text());
      } catch (error) {
        if (error instanceof StewardError) throw error;
        const reason = error instanceof Error && error.name === 'TimeoutError' ? 'no answer in time' : 'no answer';
        throw new StewardError(name, 0, { reason });
      }
    },
  };
  return steward;
}

function readAnswer<N extends StewardCall>(name: N, status: number, text: string): Answer<N> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  if (status !== 200) {
    const { id, message } = ErrorBody.safeParse(body).data ?? {};
    throw new StewardError(name, status, { reason: `${status} ${message ?? ''}`.trim().replace(/\.$/, ''), error: id });
  }
  const parsed = CALLS[name].answer.safeParse(body);
  if (!parsed.success) throw new StewardError(name, status, { reason: 'an unknown answer' });
  return parsed.data as Answer<N>;
}

export interface List {
  kind: 'users' | 'channels' | 'messages';
  /** For messages. */
  channel_id?: string;
  rows: AsyncIterable<readonly object[]>;
  hint?: string;
  /** Duration of the reading, called at the end. */
  seconds?: () => number;
}

/** Sends a complete list. What isn't in it is removed at Steward, so a list that fails is never finished. */
export async function sendList(steward: Steward, { kind, channel_id, rows, hint, seconds }: List): Promise<number> {
  const { list_id: list } = await steward.call('startList', { body: { kind, ...(channel_id && { channel_id }) } });
  let page = 0;
  let count = 0;
  for await (const part of inPages(rows)) {
    await steward.call('addListPage', { parts: { list, page }, body: { [kind]: part } });
    page += 1;
    count += part.length;
  }
  const about = { ...(hint !== undefined && { hint }), ...(seconds && { seconds: seconds() }) };
  await steward.call('finishList', { parts: { list }, body: { pages: page, ...about } });
  return count;
}

/** Says that the server refuses to list a channel. Nothing is removed. */
export async function sendFailedList(steward: Steward, channel_id: string): Promise<void> {
  const { list_id: list } = await steward.call('startList', { body: { kind: 'messages', channel_id } });
  await steward.call('finishList', { parts: { list }, body: { pages: 0, failed: true } });
}

async function* inPages(rows: AsyncIterable<readonly object[]>): AsyncGenerator<object[]> {
  let page: object[] = [];
  for await (const some of rows) {
    for (const row of some) {
      page.push(row);
      if (page.length < PAGE_MOST) continue;
      yield page;
      page = [];
    }
  }
  if (page.length > 0) yield page;
}
