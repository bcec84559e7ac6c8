import type { Call, Route } from '../call.ts';
import type { AccessToken, OAuthClient } from '../model.ts';
import { type Answer, isRecord, json } from '../responses.ts';

/** Access tokens by client credentials, the one grant without a browser. */
export const OAUTH_ROUTES: Route[] = [{ method: 'POST', path: '/oauth/tokens', run: grant }];

/** Seconds; both ends are excluded. */
const LIFE = { shortest: 300, longest: 172_800, usual: 1_800 };
const RESOURCES = [
  'tickets',
  'users',
  'auditlogs',
  'organizations',
  'hc',
  'apps',
  'triggers',
  'automations',
  'targets',
  'webhooks',
];

function grant({ world, account, body }: Call): Answer {
  const sent = isRecord(body) ? body : {};
  if (sent.grant_type !== 'client_credentials') {
    return refusal(400, 'unsupported_grant_type', 'The simulator grants client_credentials only.');
  }
  const client = account.clients.find(({ client_id }) => client_id === sent.client_id);
  if (!client || client.client_secret !== sent.client_secret) {
    return refusal(401, 'invalid_client', 'The client is unknown or its secret is wrong.');
  }
  const life = sent.expires_in ?? LIFE.usual;
  if (typeof life !== 'number' || life <= LIFE.shortest || life >= LIFE.longest) {
    return refusal(400, 'invalid_request', `expires_in must be between ${LIFE.shortest} and ${LIFE.longest} seconds.`);
  }
  const now = world.clock.now();
  const access: AccessToken = {
    id: world.number(),
    token: world.random(32).toString('hex'),
    client_id: client.client_id,
    user_id: client.user_id,
    ...granted(client, sent.scope),
    created_at: now,
    expires_at: now + life * 1_000,
  };
  account.accessTokens.push(access);
  return json(201, {
    access_token: access.token,
    token_type: 'bearer',
    scope: access.scopes.join(' '),
    expires_in: life,
  });
}

/** An unknown scope still returns a token, but without access. The response shows the granted scopes. */
function granted(client: OAuthClient, scope: unknown): Pick<AccessToken, 'scopes' | 'usable'> {
  const requested = typeof scope === 'string' ? scope.split(' ').filter((name) => name !== '') : [];
  const usable = requested.length > 0 && requested.every(isScope);
  const within = (name: string) =>
    client.scopes.includes(name) || client.scopes.includes(name.slice(name.indexOf(':') + 1));
  return { scopes: requested.filter((name) => isScope(name) && within(name)), usable };
}

function isScope(name: string): boolean {
  const [, resource, access] = /^(?:(\w+):)?(read|write)$/.exec(name) ?? [];
  return access !== undefined && (resource === undefined || RESOURCES.includes(resource));
}

function refusal(status: number, error: string, error_description: string): Answer {
  return json(status, { error, error_description });
}
