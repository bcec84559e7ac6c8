import { authenticate, type Caller, mayUse, reaches } from './accounts/auth.ts';
import { OAUTH_ROUTES } from './accounts/oauth.ts';
import { USER_ROUTES } from './accounts/users.ts';
import type { Route } from './call.ts';
import type { Account } from './model.ts';
import { type Answer, forbidden, invalidEndpoint, json, notAuthenticated } from './responses.ts';
import { TICKET_ROUTES } from './tickets/ticket-routes.ts';
import { TRIGGER_ROUTES } from './tickets/triggers.ts';
import { TEST_ROUTES } from './webhooks/webhook-test.ts';
import { WEBHOOK_ROUTES } from './webhooks/webhooks.ts';
import type { World } from './world.ts';

/** The raw call, with its body as text. */
export interface RawCall {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: string;
}

// Fixed paths come before those with an id in the same position.
const ROUTES: Route[] = [
  ...OAUTH_ROUTES,
  ...USER_ROUTES,
  ...TEST_ROUTES,
  ...WEBHOOK_ROUTES,
  ...TICKET_ROUTES,
  ...TRIGGER_ROUTES,
];

/** Handles a call to an account: authenticates, finds the route, checks permissions, runs it. */
export async function answer(world: World, account: Account, raw: RawCall): Promise<Answer> {
  const found = findRoute(account, raw);
  const caller = authenticate(account, raw.headers.authorization, world.clock.now());
  if (found?.route.open && !isRefusal(caller)) return run(found, { world, account, raw, caller });
  if (found?.route.path.startsWith('/')) return run(found, { world, account, raw, caller: {} });
  if (isRefusal(caller)) return caller;
  if (!caller.person) return notAuthenticated();
  if (!found) return invalidEndpoint();
  const { scope } = found.route;
  if (scope && !reaches(caller, scope)) return forbidden();
  if (scope && !scope.startsWith('users:') && !mayUse(caller, scope)) return forbidden();
  return run(found, { world, account, raw, caller });
}

interface Found {
  route: Route;
  params: Record<string, string>;
}

/** All paths except those of the webhooks service may end in `.json`. */
function findRoute({ settings }: Account, { method, path }: RawCall): Found | undefined {
  const below = path.startsWith('/api/v2/') ? path.slice('/api/v2/'.length) : path;
  if (/^webhooks(\/|$)/.test(below) && !settings.webhooks_offered) return undefined;
  if (/^trigger/.test(below) && !settings.triggers_offered) return undefined;
  const name = below.startsWith('webhooks') ? below : below.replace(/\.json$/, '');
  for (const route of ROUTES) {
    const params = route.method === method ? matched(route.path, name) : undefined;
    if (params) return { route, params };
  }
  return undefined;
}

function matched(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? '';
    if (part.startsWith(':')) {
      if (value === '' || value.includes('.')) return undefined;
      params[part.slice(1)] = decodeURIComponent(value);
    } else if (part !== value) return undefined;
  }
  return params;
}

async function run(
  { route, params }: Found,
  { world, account, raw, caller }: { world: World; account: Account; raw: RawCall; caller: Caller },
): Promise<Answer> {
  let body: unknown;
  if (raw.method !== 'GET' && raw.body !== '') {
    if (!/^application\/json\b/i.test(raw.headers['content-type'] ?? '')) {
      return json(415, { error: { title: 'Unsupported media type', message: 'Send JSON as application/json.' } });
    }
    try {
      body = JSON.parse(raw.body);
    } catch {
      return json(400, { error: { title: 'Bad request', message: 'The body is not valid JSON.' } });
    }
  }
  const base = `${world.origin}/${account.subdomain}`;
  return route.run({ world, account, caller, params, query: raw.query, body, base });
}

function isRefusal(caller: Caller | Answer): caller is Answer {
  return 'status' in caller;
}
