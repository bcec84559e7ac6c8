// SCIM 2.0 (RFC 7644) for identity providers. Bodies and errors have the format of the standard, so these calls are not in the
// contract. The token identifies the team, and session cookies are ignored.

import { SCIM_BODY_MAX } from '@steward/contract/api/limits';
import { SCIM_BASE } from '@steward/contract/scim';
import type { FastifyInstance, HTTPMethods } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import { acceptOnlyJson } from '#platform/http/json.ts';
import { createFairQueue } from '#platform/jobs/fair-queue.ts';
import { getServiceProviderConfig, listResourceTypes, listSchemas } from './answers/discovery.ts';
import { createProvisionerGuard } from './authenticate.ts';
import * as groups from './group-calls.ts';
import { listGroupResources } from './group-calls.ts';
import { type ListQuery, readListQuery, readSearch, toListResponse } from './list-query.ts';
import { logRefusals, type ScimAnswer, type ScimCall, sendScim, toScimCall } from './scim-call.ts';
import * as users from './user-calls.ts';
import { listUserResources } from './user-calls.ts';

const CONNECTIONS = describeLimit({
  name: 'scim.connections',
  counts: 'database connections of provisioning calls; teams take turns',
  atOnce: 3,
  atOncePerKey: 2,
  waitingPerKey: 100,
  waiting: 500,
});

type Handle = (call: ScimCall) => Promise<ScimAnswer> | ScimAnswer;

export function protocolRoutes(app: FastifyInstance, deps: Deps): void {
  const guard = createProvisionerGuard(deps);
  const queue = createFairQueue(CONNECTIONS);
  app.register((scope, _options, done) => {
    acceptOnlyJson(scope, ['application/scim+json', 'application/json']);
    logRefusals(scope, deps);
    scope.addHook('onRequest', async (request) => {
      request.who = await guard(request);
    });
    for (const [method, path, handle] of ROUTES)
      scope.route({
        method,
        url: SCIM_BASE + path,
        bodyLimit: SCIM_BODY_MAX,
        config: { endpoint: `scim ${method} ${path}` },
        handler: async (request, reply) => {
          const call = toScimCall(deps, request, reply);
          const answer = await queue.run({ key: call.teamId }, async () => handle(call));
          return sendScim(reply, answer);
        },
      });
    done();
  });
}

const notSupported = (text: string): Handle => {
  return () => refuse('scim.not_supported', text);
};
const noBulk = notSupported('Bulk operations are not supported.');
const noMe = notSupported('The token belongs to an identity provider, not to a user, so there is no Me.');

/** Refusals of unknown paths have the format of SCIM too. */
const unknown: Handle = ({ request }) => {
  const path = request.url.split('?')[0] ?? '';
  return refuse(
    ROUTES.some(([, route, handle]) => handle !== unknown && matches(SCIM_BASE + route, path))
      ? 'request.method_not_allowed'
      : 'request.not_found',
  );
};

function matches(route: string, path: string): boolean {
  return (
    !route.includes('*') && new RegExp(`^${route.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`).test(path)
  );
}

function findIn(list: (baseUrl: string) => readonly { id: string }[]): Handle {
  return ({ baseUrl, request, id }) => {
    const wanted = id || (request.params as { '*'?: string })['*'];
    return { status: 200, body: list(baseUrl).find((each) => each.id === wanted) ?? refuse('record.not_found') };
  };
}

function serveList(list: (baseUrl: string) => readonly object[]): Handle {
  return ({ baseUrl }) => {
    const all = list(baseUrl);
    return { status: 200, body: toListResponse(all, { total: all.length, startIndex: 1 }) };
  };
}

const listing =
  (kind: 'Users' | 'Groups'): Handle =>
  async (call) => ({
    status: 200,
    body: await listKind(call, kind, readListQuery(call.request.query)),
  });
const searching =
  (kind: 'Users' | 'Groups'): Handle =>
  async (call) => ({
    status: 200,
    body: await listKind(call, kind, readSearch(call.request.body)),
  });

const ALL: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const ROUTES: readonly (readonly [HTTPMethods | HTTPMethods[], string, Handle])[] = [
  ['GET', '/ServiceProviderConfig', ({ baseUrl }) => ({ status: 200, body: getServiceProviderConfig(baseUrl) })],
  ['GET', '/ResourceTypes', serveList(listResourceTypes)],
  ['GET', '/ResourceTypes/:id', findIn(listResourceTypes)],
  ['GET', '/Schemas', serveList(listSchemas)],
  ['GET', '/Schemas/:id', findIn(listSchemas)],
  ['GET', '/Users', listing('Users')],
  ['POST', '/Users', users.postUser],
  ['POST', '/Users/.search', searching('Users')],
  ['GET', '/Users/:id', users.getUser],
  ['PUT', '/Users/:id', users.putUser],
  ['PATCH', '/Users/:id', users.patchUserCall],
  ['DELETE', '/Users/:id', users.deleteUser],
  ['GET', '/Groups', listing('Groups')],
  ['POST', '/Groups', groups.postGroup],
  ['POST', '/Groups/.search', searching('Groups')],
  ['GET', '/Groups/:id', groups.getGroup],
  ['PUT', '/Groups/:id', groups.putGroup],
  ['PATCH', '/Groups/:id', groups.patchGroupCall],
  ['DELETE', '/Groups/:id', groups.deleteGroup],
  [
    'POST',
    '/.search',
    async (call) => ({ status: 200, body: await listAllKinds(call, readSearch(call.request.body)) }),
  ],
  ['POST', '/Bulk', noBulk],
  [ALL, '/Me', noMe],
  // A query against the root is one for all resources (RFC 7644, section 3.4.2.1).
  ['GET', '', async (call) => ({ status: 200, body: await listAllKinds(call, readListQuery(call.request.query)) })],
  [['POST', 'PUT', 'PATCH', 'DELETE'], '', unknown],
  [ALL, '/*', unknown],
];

/** A search for all resources lists the kinds in this order. */
const LISTS = { Users: listUserResources, Groups: listGroupResources } as const;
type Kind = keyof typeof LISTS;

async function listKind(call: ScimCall, kind: Kind, query: ListQuery): Promise<object> {
  const { resources, total } = await LISTS[kind](call, query);
  return toListResponse(resources, { total, startIndex: query.startIndex });
}

/** Lists users first. */
async function listAllKinds(call: ScimCall, query: ListQuery): Promise<object> {
  const found: object[] = [];
  let total = 0;
  for (const list of Object.values(LISTS)) {
    const startIndex = Math.max(query.startIndex - total, 1);
    const page = await list(call, { ...query, startIndex, count: query.count - found.length });
    found.push(...page.resources);
    total += page.total;
  }
  return toListResponse(found, { total, startIndex: query.startIndex });
}
