import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import * as answers from './answers.ts';

/**
 * Every call that the bridge can make. A call that isn't here can't be made: the bridge changes no configuration and no role, and
 * deletes no person, team or channel for good. `:name` is an id; only the queries named here can be added.
 */
export const CALLS = {
  ping: define('GET system/ping?get_server_status=true', answers.Ping),
  readClientConfig: define('GET config/client?format=old', answers.ClientConfig),
  readLicense: define('GET license/client?format=old', answers.License),
  readConfig: define('GET config', answers.Config),
  readLimits: define('GET limits/server', answers.Limits),
  readRetentionPolicy: define('GET data_retention/policy', answers.RetentionPolicy),
  listRetentionPolicies: define('GET data_retention/policies', answers.RetentionPolicies),
  readMyself: define('GET users/me', answers.Person),
  readPerson: define('GET users/:user', answers.Person),
  listTeamsOfPerson: define('GET users/:user/teams/members', z.array(answers.TeamMember)),
  listTokens: define('GET users/:user/tokens?per_page=200', z.array(answers.Token), ['page']),
  listBots: define('GET bots?per_page=200&include_deleted=true', z.array(answers.Bot), ['page']),
  listPeople: define('GET users?per_page=200', z.array(answers.Person), ['page', 'in_team']),
  listTeams: define('GET teams?per_page=200&include_total_count=true', answers.TeamList, ['page']),
  listTeamMembers: define('GET teams/:team/members?per_page=200', z.array(answers.TeamMember), ['page']),
  listChannels: define('GET channels?include_deleted=true&include_total_count=true&per_page=200', answers.ChannelList, [
    'page',
  ]),
  listPrivateChannels: define('GET teams/:team/channels/private?per_page=200', z.array(answers.Channel), ['page']),
  listChannelsOfPerson: define(
    'GET users/:user/channels?include_deleted=true&last_delete_at=0',
    z.array(answers.Channel),
  ),
  listChannelMembers: define('GET channels/:channel/members?per_page=200', z.array(answers.ChannelMember), ['page']),
  readChannel: define('GET channels/:channel', answers.Channel),
  listRows: define(
    'GET channels/:channel/posts?include_deleted=true&skipFetchThreads=true&per_page=200',
    answers.RowList,
    ['page'],
  ),
  readHint: define(
    'GET channels/:channel/posts?page=0&per_page=1&include_deleted=true&skipFetchThreads=true',
    z.object({}),
  ),
  listChangedRows: define('GET channels/:channel/posts?skipFetchThreads=true', answers.RowList, ['since']),
  readRow: define('GET posts/:post?include_deleted=true', answers.Row),
  readRows: define('POST posts/ids', z.array(answers.Row)),
  readFile: define('GET files/:file/info', answers.Exists),
  deleteForever: define('DELETE posts/:post?permanent=true', answers.Done),
  upload: define('POST files', answers.Upload),
  changePost: define('PUT posts/:post/patch', answers.Exists),
  // Only for people whom people.ts lets through.
  revokeSessions: define('POST users/:user/sessions/revoke/all', answers.Done),
  disableToken: define('POST users/tokens/disable', answers.Done),
  sendPasswordReset: define('POST users/password/reset/send', answers.Done),
  setActive: define('PUT users/:user/active', answers.Done),
  removeFromTeam: define('DELETE teams/:team/members/:user', answers.Done),
  addToChannel: define('POST channels/:channel/members', answers.ChannelMember),
  // Only in the rehearsal's own team.
  createTeam: define('POST teams', answers.Team),
  restoreTeam: define('POST teams/:team/restore', answers.Team),
  archiveTeam: define('DELETE teams/:team', answers.Done),
  createChannel: define('POST channels', answers.Channel),
  openDirect: define('POST channels/direct', answers.Channel),
  createPost: define('POST posts', answers.Row),
  pinPost: define('POST posts/:post/pin', answers.Done),
  softDelete: define('DELETE posts/:post', answers.Done),
  react: define('POST reactions', z.object({ post_id: answers.Id })),
} as const;

interface Definition<T extends z.ZodType> {
  method: string;
  path: string;
  answer: T;
  query: readonly string[];
}

function define<T extends z.ZodType>(call: string, answer: T, query: readonly string[] = []): Definition<T> {
  const [method = '', path = ''] = call.split(' ');
  return { method, path, answer, query };
}

export type CallName = keyof typeof CALLS;
type Answer<N extends CallName> = z.output<(typeof CALLS)[N]['answer']>;

/**
 * Calls that find one thing or nothing, with the error that says that there is nothing. Any other 404 may come from a proxy or a
 * maintenance page, and proves nothing.
 */
const NOTHING = {
  readPerson: 'app.user.missing_account.const',
  readChannel: 'app.channel.get.existing.app_error',
  readRow: 'app.post.get.app_error',
  readRows: 'app.post.get.app_error',
  readFile: 'app.file_info.get.app_error',
  deleteForever: 'app.post.get.app_error',
  listChannelsOfPerson: 'app.channel.get_channels.not_found.app_error',
} as const satisfies Partial<Record<CallName, string>>;
type FindName = keyof typeof NOTHING;

export interface Args {
  ids?: Record<string, string>;
  query?: Record<string, string | number>;
  body?: unknown;
}

/** A call without the answer that it should have. A status of 0 means no answer at all. */
export class CallError extends Error {
  readonly call: CallName;
  readonly status: number;
  /** The id of Mattermost's error, if that was the answer. */
  readonly error: string | undefined;

  constructor(call: CallName, status: number, { reason, error }: { reason: string; error?: string | undefined }) {
    super(`The call ${call} failed: ${reason}.`);
    this.call = call;
    this.status = status;
    this.error = error;
  }
}

export interface Mattermost {
  call<N extends CallName>(name: N, args?: Args): Promise<Answer<N>>;
  /** Returns undefined if the server says that there is no such thing. */
  find<N extends FindName>(name: N, args?: Args): Promise<Answer<N> | undefined>;
  /**
   * Asks whether a channel changed: returns a value that is another one after a post, an edit, a reaction or a soft deletion, or
   * undefined if it is still the one that is known. It proves nothing: what is dated back or gone for good changes it not.
   */
  readHint(channel: string, known?: string): Promise<string | undefined>;
  /** The server's clock in milliseconds, at most two seconds late: what changes from now on is newer. */
  time(): number;
  /** The number of requests so far. */
  count(): number;
}

export interface ClientOptions {
  url: string;
  token: string;
  /** Waits before a call that the server refused because of its rate limit, or after an answer that was slow. */
  pause?: (ms: number) => Promise<unknown>;
  /** Gives way to others: after an answer that took longer than a second, it waits as long as that took. */
  givesWay?: boolean;
  /** Milliseconds of a clock. */
  clock?: () => number;
}

/** An answer that takes longer is slow: usually one takes 5 to 200 ms. */
const SLOW_MS = 1_000;
const LONGEST_REST_MS = 10_000;

const TIME_LIMIT_MS = 30_000;
/** A server that is busy for longer is unavailable. */
const MOST_PAUSES = 60;
const LONGEST_PAUSE_MS = 60_000;

/** Sends calls one way: with the token, again after a refusal by the rate limit, and slower while the server is slow. */
function createSender(options: ClientOptions) {
  const { url, token, pause = wait, givesWay = false, clock = () => performance.now() } = options;
  const base = `${url.replace(/\/+$/, '')}/api/v4/`;
  const state = { requests: 0, serverTime: Date.now() - 60_000 };
  let rest = 0;
  async function send(name: CallName, args: Args, headers: Record<string, string> = {}): Promise<Response> {
    const { body } = args;
    const path = toPath(name, args);
    const isForm = body instanceof FormData;
    for (let pauses = 0; ; pauses += 1) {
      if (rest > 0) await pause(rest);
      state.requests += 1;
      const began = clock();
      const response = await fetch(base + path, {
        method: CALLS[name].method,
        headers: { ...headers, authorization: `Bearer ${token}`, ...(body !== undefined && !isForm && JSON_TYPE) },
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
        // The token must not follow the server elsewhere.
        redirect: 'error',
        signal: AbortSignal.timeout(TIME_LIMIT_MS),
      });
      const took = clock() - began;
      rest = givesWay && took > SLOW_MS ? Math.min(LONGEST_REST_MS, took) : 0;
      state.serverTime = Date.parse(response.headers.get('date') ?? '') || Date.now() - 60_000;
      if (response.status !== 429 || pauses === MOST_PAUSES) return response;
      await response.body?.cancel();
      await pause(getPause(response));
    }
  }
  return { send, state };
}

export function createMattermost(options: ClientOptions): Mattermost {
  const { send, state } = createSender(options);
  async function call<N extends CallName>(name: N, args: Args = {}): Promise<Answer<N>> {
    try {
      const response = await send(name, args);
      return readAnswer(name, response.status, await response.text());
    } catch (error) {
      throw toCallError(name, error);
    }
  }
  async function readHint(channel: string, known = ''): Promise<string | undefined> {
    const headers: Record<string, string> = known === '' ? {} : { 'if-none-match': known };
    const response = await send('readHint', { ids: { channel } }, headers).catch((error) => {
      throw toCallError('readHint', error);
    });
    // The answer has the text of a message.
    await response.body?.cancel();
    const { status } = response;
    if (status !== 200 && status !== 304) throw new CallError('readHint', status, { reason: `status ${status}` });
    // Proxies mark values that they pass on.
    const now = (response.headers.get('etag') ?? '').replace(/^W\//, '').replaceAll('"', '').slice(0, LONGEST_HINT);
    return status === 304 || (now !== '' && now === known) ? undefined : now;
  }
  return {
    call,
    readHint,
    find: (name, args) =>
      call(name, args).catch((error) => {
        if (error instanceof CallError && error.status === 404 && error.error === NOTHING[name]) return undefined;
        throw error;
      }),
    time: () => state.serverTime - 1_000,
    count: () => state.requests,
  };
}

function toCallError(name: CallName, error: unknown): Error {
  if (error instanceof CallError || error instanceof ForbiddenCall) return error;
  return new CallError(name, 0, { reason: error instanceof Error ? describe(error) : String(error) });
}

const LONGEST_HINT = 200;
const JSON_TYPE = { 'content-type': 'application/json' };

/** The bridge itself asked for something that isn't in the list: a fault of the program, not of the server. */
class ForbiddenCall extends Error {}

function toPath(name: CallName, { ids = {}, query = {} }: Args): string {
  const { path, query: allowed } = CALLS[name];
  const filled = path.replace(/:(\w+)/g, (_, part: string) => {
    const id = answers.Id.safeParse(ids[part]);
    if (!id.success) throw new ForbiddenCall(`The call ${name} needs an id as its ${part}.`);
    return id.data;
  });
  const added = Object.entries(query).map(([key, value]) => {
    if (!allowed.includes(key)) throw new ForbiddenCall(`The call ${name} has no ${key}.`);
    return `${key}=${encodeURIComponent(value)}`;
  });
  if (added.length === 0) return filled;
  return `${filled}${filled.includes('?') ? '&' : '?'}${added.join('&')}`;
}

/** Answers may be plain text. For a person without channels, the answer is 404 with a list that is never closed. */
function readAnswer<N extends CallName>(name: N, status: number, text: string): Answer<N> {
  let body: unknown;
  try {
    body = JSON.parse(status === 404 ? text.replace(/^\[/, '') : text);
  } catch {
    body = undefined;
  }
  if (status < 200 || status > 299) {
    const error = answers.ErrorBody.safeParse(body).data?.id;
    throw new CallError(name, status, { reason: error ? `${status} ${error}` : `status ${status}`, error });
  }
  const parsed = CALLS[name].answer.safeParse(body);
  // The reason contains no part of the answer, which may be a person's text.
  if (!parsed.success) throw new CallError(name, status, { reason: `an unknown answer at ${where(parsed.error)}` });
  return parsed.data as Answer<N>;
}

const where = ({ issues }: z.ZodError) => issues[0]?.path.filter((key) => key !== '').join('.') || 'its start';

const describe = ({ name, message, cause }: Error) =>
  name === 'TimeoutError' ? 'no answer in time' : `no answer (${cause instanceof Error ? cause.message : message})`;

function getPause({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after'));
  return Math.min(LONGEST_PAUSE_MS, Math.max(1, Number.isFinite(seconds) ? seconds : 1) * 1_000);
}
