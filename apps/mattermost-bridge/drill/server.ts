// Calls that only the drill makes, and the fence: it changes nothing that it didn't make.
import { setTimeout as wait } from 'node:timers/promises';
import type { Row } from '../src/answers.ts';
import { type Args, CALLS, type CallName, type Mattermost } from '../src/mattermost.client.ts';

export interface Reply {
  status: number;
  headers: Headers;
  /** Undefined if the answer isn't JSON. */
  body: unknown;
}

export interface Server {
  token: string;
  url: string;
  /** Ids of what the drill made: teams, channels, accounts and messages. */
  own: Set<string>;
  /** Calls `METHOD path` below `/api/v4/` as the bot, with the token of somebody else, or without one if that is empty. */
  send(call: string, options?: { body?: unknown; as?: string }): Promise<Reply>;
}

/** An id that nothing has. The bridge asks for its deletion to see whether it may delete. */
const NO_POST = 'z'.repeat(26);
const TIME_LIMIT_MS = 30_000;
const ID = /\b[a-z0-9]{26}\b/g;

/** The drill was about to change something of others: a fault of the drill, not of the server. */
class OutsideFence extends Error {}

export function createServer(url: string, token: string, pause: (ms: number) => Promise<unknown> = wait): Server {
  const own = new Set<string>([NO_POST]);
  const base = `${url.replace(/\/+$/, '')}/api/v4/`;
  return {
    url,
    token,
    own,
    async send(call, { body, as = token } = {}) {
      const [method = '', path = ''] = call.split(' ');
      if (method !== 'GET') guard(own, call, `${path} ${JSON.stringify(body ?? '')}`);
      for (;;) {
        const response = await fetch(base + path, {
          method,
          headers: { ...(as !== '' && { authorization: `Bearer ${as}` }), 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          redirect: 'error',
          signal: AbortSignal.timeout(TIME_LIMIT_MS),
        });
        const text = await response.text();
        if (response.status !== 429) return { status: response.status, headers: response.headers, body: parse(text) };
        await pause(1_000);
      }
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function guard(own: ReadonlySet<string>, call: string, text: string): void {
  const stranger = text.match(ID)?.find((id) => !own.has(id));
  if (stranger !== undefined) throw new OutsideFence(`The drill did not make ${stranger}, so ${call} was not sent.`);
}

export interface Watch {
  before?: (name: CallName, args: Args) => unknown;
  after?: (name: CallName, answer: unknown) => void;
}

/** Returns a client that tells each call before it is sent, and each answer. */
export function watch(mattermost: Mattermost, { before, after }: Watch): Mattermost {
  return {
    ...mattermost,
    async call(name, args = {}) {
      await before?.(name, args);
      const answer = await mattermost.call(name, args);
      after?.(name, answer);
      return answer;
    },
    async find(name, args = {}) {
      await before?.(name, args);
      const answer = await mattermost.find(name, args);
      after?.(name, answer);
      return answer;
    },
  };
}

/** `readRows` is a POST because its list of ids is long. */
export const isChange = (name: CallName) => CALLS[name].method !== 'GET' && name !== 'readRows';

interface Uploaded {
  file_infos: { id: string }[];
}

/** Returns the bridge's client, which then refuses to change what the drill didn't make. */
export function fence(mattermost: Mattermost, own: Set<string>): Mattermost {
  return watch(mattermost, {
    before(name, { ids = {}, body }) {
      if (!isChange(name)) return;
      const sent = body instanceof FormData ? String(body.get('channel_id')) : JSON.stringify(body ?? '');
      guard(own, name, `${Object.values(ids).join(' ')} ${sent}`);
    },
    after(name, answer) {
      if (name === 'upload') for (const { id } of (answer as Uploaded).file_infos) own.add(id);
      // Rows in the drill's channels by its accounts are its own, versions too.
      for (const row of [answer].flat() as Partial<Row>[]) {
        if (row?.id && own.has(row.channel_id ?? '') && own.has(row.user_id ?? '')) own.add(row.id);
      }
    },
  });
}
