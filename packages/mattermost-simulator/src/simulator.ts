import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, errorBody, json, Refusal, refuse } from './answer.ts';
import type { Call, Route } from './call.ts';
import { CHANNEL_ROUTES } from './channels/channels.ts';
import { type Control, createControl } from './control.ts';
import { BOT_ROUTES } from './people/bots.ts';
import { authenticate, SESSION_ROUTES } from './people/sessions.ts';
import { TEAM_ROUTES } from './people/teams.ts';
import { USER_ROUTES } from './people/users.ts';
import { Killed } from './posts/deletion.ts';
import { FILE_ROUTES } from './posts/files.ts';
import { POST_ROUTES } from './posts/posts.ts';
import { versionId } from './settings.ts';
import { SYSTEM_ROUTES } from './system.ts';
import { createWorld, type LoggedRequest, type World } from './world.ts';

export interface SimulatorOptions {
  port?: number;
  /** Makes ids reproducible. */
  seed?: number;
}

export interface MattermostSimulator extends Control, AsyncDisposable {
  url: string;
}

/** The oldest half of the log goes when it has more calls. */
const LOG_MOST = 200_000;
const ROUTER = createRouter([
  ...SYSTEM_ROUTES,
  ...SESSION_ROUTES,
  ...USER_ROUTES,
  ...BOT_ROUTES,
  ...TEAM_ROUTES,
  ...CHANNEL_ROUTES,
  ...POST_ROUTES,
  ...FILE_ROUTES,
]);

/** Starts an empty Mattermost Team Edition on loopback, on a free port unless one is given. */
export async function startMattermost({ port = 0, seed }: SimulatorOptions = {}): Promise<MattermostSimulator> {
  const clock = { shift: 0 };
  const world = createWorld(() => Date.now() + clock.shift, seed ?? Date.now());
  const server = createServer((request, response) => {
    serve(world, server, { request, response }).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    ...createControl(world, clock),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

async function serve(world: World, server: Server, { request, response }: Exchange): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const path = (request.url ?? '').replace(/^\/api\/v4\//, '');
  const logged: LoggedRequest = { method: request.method ?? 'GET', path };
  world.requests.push(logged);
  if (world.requests.length > LOG_MOST) world.requests.splice(0, LOG_MOST / 2);
  if (world.delay > 0) await new Promise((resolve) => setTimeout(resolve, world.delay));
  const answer = world.isDown ? undefined : await answerOrFault(world, request, Buffer.concat(chunks));
  if (world.isDown || !answer) {
    // A server that died drops every connection.
    if (world.isDown) server.closeAllConnections();
    return void response.destroy();
  }
  logged.status = answer.status;
  const { settings, version, isLicensed } = world;
  const common = { 'x-version-id': versionId(settings, version, isLicensed), 'x-request-id': world.id() };
  response.writeHead(answer.status, { ...common, ...answer.headers });
  response.end(answer.body);
}

/** Returns nothing if the connection closes without an answer. */
async function answerOrFault(world: World, request: IncomingMessage, raw: Buffer): Promise<Answer | undefined> {
  const fault = world.faults.find((each) => {
    if (each.times === 0 || (each.method ?? request.method) !== request.method) return false;
    if (!each.path.test(request.url ?? '')) return false;
    if (!each.skip) return true;
    each.skip -= 1;
    return false;
  });
  if (!fault) return countCall(world, request.socket.remoteAddress ?? '') ?? run(world, request, raw);
  if (fault.times !== undefined) fault.times -= 1;
  if (fault.after) await run(world, request, raw);
  if (fault.drop) return undefined;
  const status = fault.status ?? 200;
  if (fault.body !== undefined) return { status, headers: fault.headers ?? {}, body: fault.body };
  return status < 300 ? json(status, { status: 'OK' }) : json(status, errorBody('api.fault', status, world.id()));
}

async function run(world: World, request: IncomingMessage, raw: Buffer): Promise<Answer | undefined> {
  try {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://simulator');
    const found = findRoute(ROUTER, request.method ?? 'GET', pathname);
    return await found.route.run(toCall(world, found, { request, raw, query: searchParams }));
  } catch (error) {
    if (error instanceof Killed) return undefined;
    if (error instanceof Refusal) return json(error.status, errorBody(error.id, error.status, world.id()));
    return json(500, errorBody(`The simulator is broken: ${String(error)}`, 500, world.id()));
  }
}

interface Received {
  request: IncomingMessage;
  raw: Buffer;
  query: URLSearchParams;
}

/** Finds the caller, and refuses who may not call. */
function toCall(world: World, { route, params }: FoundRoute, { request, raw, query }: Received): Call {
  const caller = authenticate(world, request.headers.authorization);
  if (!caller && route.by !== 'anybody') throw new Refusal(401, 'api.context.session_expired.app_error');
  const user = caller?.user ?? NOBODY;
  if (route.by === 'admin' && !user.roles.includes('system_admin')) {
    throw new Refusal(403, 'api.context.permissions.app_error');
  }
  const named = { ...params, ...(params.user === 'me' && { user: user.id }) };
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const isJson = raw.length > 0 && !headers['content-type']?.startsWith('multipart/');
  const body = isJson ? parse(raw) : undefined;
  return { world, caller: user, session: caller?.session, params: named, query, headers, body, raw };
}

const NOBODY = {
  id: '',
  create_at: 0,
  update_at: 0,
  delete_at: 0,
  username: '',
  email: '',
  nickname: '',
  first_name: '',
  last_name: '',
  position: '',
  roles: '',
  is_bot: false,
  password: '',
  last_password_update: 0,
  last_login: 0,
  last_activity_at: 0,
};

function parse(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    throw new Refusal(400, 'api.context.invalid_body_param.app_error');
  }
}

/** Counts the calls of an address, an admin's too. The refusal is plain text. */
function countCall({ settings, buckets, now }: World, address: string): Answer | undefined {
  const { Enable, PerSec, MaxBurst } = settings.RateLimitSettings ?? {};
  if (Enable !== true) return undefined;
  const most = Number(MaxBurst) + 1;
  const before = buckets.get(address) ?? { left: most, at: now() };
  const left = Math.min(most, before.left + ((now() - before.at) / 1_000) * Number(PerSec));
  if (left >= 1) {
    buckets.set(address, { left: left - 1, at: now() });
    return undefined;
  }
  buckets.set(address, { left, at: now() });
  const reset = Math.ceil((most - left) / Number(PerSec));
  const counts = {
    'x-ratelimit-limit': String(most),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(reset),
  };
  return {
    status: 429,
    headers: { 'content-type': 'text/plain', 'retry-after': '1', ...counts },
    body: 'limit exceeded\n',
  };
}

interface FoundRoute {
  route: Route;
  params: Record<string, string>;
}

/** Routes by their method and number of parts, so that a call compares few of them. */
type Router = ReadonlyMap<string, readonly { route: Route; parts: string[] }[]>;

function createRouter(routes: readonly Route[]): Router {
  const prepared = routes.map((route) => {
    const [method = '', path = ''] = route.call.split(' ');
    return { route, method, parts: path.split('/') };
  });
  // A fixed part wins over an id.
  const ids = (parts: string[]) => parts.filter((part) => part.startsWith(':')).length;
  prepared.sort((a, b) => ids(a.parts) - ids(b.parts));
  return Map.groupBy(prepared, ({ method, parts }) => `${method} ${parts.length}`);
}

function findRoute(router: Router, method: string, path: string): FoundRoute {
  const given = path.replace(/^\/api\/v4\//, '').split('/');
  const found = router
    .get(`${method} ${given.length}`)
    ?.find(({ parts }) => parts.every((part, at) => part.startsWith(':') || part === given[at]));
  if (!found) return refuse(404, 'api.context.404.app_error');
  const params: Record<string, string> = {};
  for (const [at, part] of found.parts.entries()) {
    if (!part.startsWith(':')) continue;
    const value = given[at] ?? '';
    const isId = /^[a-z0-9]{26}$/.test(value) || (part === ':user' && value === 'me');
    if (!isId) refuse(400, 'api.context.invalid_url_param.app_error');
    params[part.slice(1)] = value;
  }
  return { route: found.route, params };
}
