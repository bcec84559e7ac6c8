import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AccountSeed, createAccount, SEEDS } from './accounts/accounts.ts';
import { applyFault, type Fault, takeFault } from './accounts/faults.ts';
import { type AccountControl, createAccountControl } from './control.ts';
import type { Account } from './model.ts';
import { type Answer, errors, helpDeskNotFound, json, page } from './responses.ts';
import { answer, type RawCall } from './routes.ts';
import { createWorld, type LoggedRequest, type World, type WorldOptions } from './world.ts';

export interface SimulatorOptions extends WorldOptions {
  port?: number;
  accounts?: AccountSeed[];
}

export interface HelpdeskSimulator extends AsyncDisposable {
  url: string;
  /** The value of `HELPDESK_URL` for this simulator. */
  template: string;
  clock: World['clock'];
  /** All calls to accounts, oldest first. */
  requests: LoggedRequest[];
  account(subdomain: string): AccountControl;
  addAccount(seed: AccountSeed): AccountControl;
  /** Removes an account, so that its subdomain doesn't exist. */
  removeAccount(subdomain: string): void;
  /** Injects a fault into the next matching calls. */
  fault(fault: Fault): void;
  clearFaults(): void;
  /** Restores the initial state, except the time. */
  reset(): void;
  /** Waits until nothing is being sent: deliveries are done, or wait for the clock. */
  settled(): Promise<void>;
  /** Advances the clock past every wait until all deliveries are done. */
  finished(): Promise<void>;
}

const LARGEST_BODY = 4 * 1024 * 1024;

/** Starts a simulator on loopback, on a free port unless one is given. */
export async function startHelpdeskSimulator(options: SimulatorOptions = {}): Promise<HelpdeskSimulator> {
  const world = createWorld(options);
  const seed = () => {
    world.accounts.clear();
    world.requests.length = 0;
    world.faults.length = 0;
    for (const each of options.accounts ?? SEEDS) world.accounts.set(each.subdomain, createAccount(world, each));
  };
  seed();
  const server = createServer((request, response) => {
    serve(world, { request, response }).catch(() => response.destroy());
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  world.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const simulator: HelpdeskSimulator = {
    url: world.origin,
    template: `${world.origin}/{subdomain}`,
    clock: world.clock,
    requests: world.requests,
    ...createAccountsApi(world),
    fault: (fault) => void world.faults.push({ ...fault }),
    clearFaults: () => void world.faults.splice(0),
    reset: seed,
    settled: world.settled,
    finished: world.finished,
    [Symbol.asyncDispose]: () => stop(world, server),
  };
  return simulator;
}

function createAccountsApi(world: World): Pick<HelpdeskSimulator, 'account' | 'addAccount' | 'removeAccount'> {
  return {
    account(subdomain) {
      const account = world.accounts.get(subdomain);
      if (!account) throw new Error(`There is no account ${subdomain}.`);
      return createAccountControl(world, account);
    },
    addAccount(seed) {
      const account = createAccount(world, seed);
      world.accounts.set(seed.subdomain, account);
      return createAccountControl(world, account);
    },
    removeAccount: (subdomain) => void world.accounts.delete(subdomain),
  };
}

async function stop(world: World, server: Server): Promise<void> {
  world.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

async function serve(
  world: World,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const body = await toBody(request);
  if (body === undefined) return write(response, errors(413, { code: 'TooLarge', title: 'The body is too large' }));
  const { pathname, searchParams } = new URL(request.url ?? '/', world.origin);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
  const raw: RawCall = { method: request.method ?? 'GET', path: pathname, query: searchParams, headers, body };
  const [, subdomain = '', path = ''] = /^\/([^/]*)(.*)$/.exec(pathname) ?? [];
  const said = await serveAccount(world, subdomain.toLowerCase(), { ...raw, path });
  if (said) write(response, said);
  else response.destroy();
}

/** Handles a call to an account; no response if a fault says so. */
async function serveAccount(world: World, subdomain: string, raw: RawCall): Promise<Answer | undefined> {
  const { method, path, query, headers, body } = raw;
  const logged: LoggedRequest = {
    at: world.clock.now(),
    account: subdomain,
    method,
    path,
    query: query.toString(),
    headers,
    body,
  };
  world.requests.push(logged);
  const account = world.accounts.get(subdomain);
  const fault = takeFault(world, { account: subdomain, method, path });
  const said = await applyFault(fault, world, () => counted(world, account, { ...raw, subdomain }));
  if (said) logged.status = said.status;
  return said;
}

async function counted(
  world: World,
  account: Account | undefined,
  raw: RawCall & { subdomain: string },
): Promise<Answer> {
  if (!account) return helpDeskNotFound(raw.subdomain);
  if (account.settings.suspended) return page(403, 'This account is suspended');
  const { headers, refused } = countCall(account, raw.path, world.clock.now());
  const said = refused ?? (await answer(world, account, raw).catch(broken));
  return { ...said, headers: { ...said.headers, ...headers, 'x-zendesk-api-version': 'v2' } };
}

function broken(error: unknown): Answer {
  return json(500, { error: { title: 'The simulator is broken', message: String(error) } });
}

async function toBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > LARGEST_BODY) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function write(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers);
  response.end(body);
}

const MINUTE_MS = 60_000;

/** The rate limit state of a call. */
interface Allowance {
  headers: Record<string, string>;
  /** The refusal if the limit is exceeded. */
  refused?: Answer;
}

/** Counts a call: the webhooks service, its tests and everything else have separate limits. */
function countCall(account: Account, path: string, now: number): Allowance {
  const { bucket, limit } = getBucket(account, path);
  const minute = Math.floor(now / MINUTE_MS);
  const held = account.buckets.get(bucket);
  const used = (held?.minute === minute ? held.used : 0) + 1;
  account.buckets.set(bucket, { minute, used });
  const remaining = String(Math.max(0, limit - used));
  const reset = String(Math.ceil(((minute + 1) * MINUTE_MS - now) / 1_000));
  const headers: Record<string, string> = { 'x-rate-limit': String(limit), 'x-rate-limit-remaining': remaining };
  if (path.startsWith('/api/v2/trigger')) {
    for (const name of ['rate-limit', 'ratelimit']) {
      Object.assign(headers, { [name === 'ratelimit' ? 'ratelimit-limit' : name]: String(limit) });
      Object.assign(headers, { [`${name}-remaining`]: remaining, [`${name}-reset`]: reset });
    }
  }
  return used > limit ? { headers, refused: tooMany(reset) } : { headers };
}

/** The response to too many calls: plain text, not JSON. */
function tooMany(seconds: string): Answer {
  return {
    status: 429,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'retry-after': seconds },
    body: 'Number of allowed API requests per minute exceeded',
  };
}

function getBucket({ settings }: Account, path: string): { bucket: string; limit: number } {
  if (path === '/api/v2/webhooks/test') return { bucket: 'tests', limit: settings.webhook_tests_per_minute };
  if (/^\/api\/v2\/webhooks(\/|$)/.test(path))
    return { bucket: 'webhooks', limit: settings.webhook_requests_per_minute };
  return { bucket: 'account', limit: settings.requests_per_minute };
}
