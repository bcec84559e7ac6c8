import { type AnyEndpoint, API_BASE } from '@steward/contract/api/endpoint';
import { endpoints } from '@steward/contract/api/endpoints';
import { DELIVERY_MAX, PICTURE_MAX, SCIM_BODY_MAX } from '@steward/contract/api/limits';
import { SCIM_BASE } from '@steward/contract/scim';
import { callAt, type Sending } from '@steward/server/testing/app/call.ts';
import { killableServer } from '@steward/server/testing/app/killable-server.ts';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import { createActor, createWorld, type World } from '@steward/server/testing/authorization/actors.ts';
import { prepareRequest } from '@steward/server/testing/authorization/audited-changes.ts';
import { encodePng, paint } from '@steward/server/testing/images/images.ts';
import { buildGroup, buildUser, scimToken, toPatch } from '@steward/server/testing/peers/scim.ts';
import { serviceToken } from '@steward/server/testing/workspace/content.ts';
import { readVitals } from '../setup/server.ts';
import { boundFigure, type Figure } from '../setup/statistics.ts';
import { FILLERS, listRawBodies, listWorstBodies, listWorstQueries } from '../setup/worst-bodies.ts';

const STALL_MS = 500;
const BODY_MAX = 1024 * 1024;
/** Another program may stop the server for a while; a slow call is slow each time. */
const ATTEMPTS = 3;

type NamedRequest = [sends: string, request: () => Promise<unknown>];

type Requests = Record<string, NamedRequest[1]>;

interface Target {
  node: TestApp;
  url: string;
}

/** Measures how long the event loop stalls at most while a call has the worst body or query that its limits allow. */
export async function worstBodies(): Promise<Figure[]> {
  await using node = await startApp({ work: false });
  using server = killableServer(node, { env: { PUBLIC_URL: 'http://127.0.0.1', LIMITS: 'off' } });
  const target = { node, url: await server.start() };
  return [
    await measure(target, 'calls of the contract', generateCalls(target)),
    await measure(target, 'the content import', Object.entries(await listImports(target))),
    await measure(target, 'pictures', Object.entries(await listPictures(target))),
    await measure(target, 'provisioning', Object.entries(await listProvisioning(target))),
    await measure(target, 'calls without a session that aren’t in the contract', Object.entries(listOpenCalls(target))),
  ];
}

/** Prints each request that stalls the event loop for a tenth of the bound. */
async function measure(
  { url }: Target,
  what: string,
  requests: AsyncIterable<NamedRequest> | Iterable<NamedRequest>,
): Promise<Figure> {
  let longest = 0;
  for await (const [name, request] of requests) {
    const stall = await measureStall(Number(new URL(url).port), request);
    if (stall > STALL_MS / 10) process.stderr.write(`${Math.round(stall)} ms: ${name}\n`);
    longest = Math.max(longest, stall);
  }
  return boundFigure(`longest stall of the event loop by ${what}`, longest, { max: STALL_MS, unit: 'ms' });
}

async function measureStall(port: number, request: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < ATTEMPTS && least > STALL_MS; i += 1) {
    await readVitals({ port });
    await request();
    least = Math.min(least, (await readVitals({ port })).stallMs);
  }
  return least;
}

/** The bodies of one endpoint at a time, because those of all would not fit into memory. */
async function* generateCalls({ node, url }: Target): AsyncGenerator<NamedRequest> {
  for (const endpoint of endpoints)
    for (const [name, request] of Object.entries(await listRequests(url, await createWorld(node), endpoint)))
      yield [`${endpoint.name}, ${name}`, request];
}

async function listRequests(url: string, world: World, endpoint: AnyEndpoint): Promise<Requests> {
  const { request } = await prepareRequest(endpoint.name, world);
  const send = (more: Sending) => () => callAt(url, endpoint, { ...request, ...more });
  const requests: Requests = {};
  if (endpoint.query)
    for (const [name, query] of Object.entries(listWorstQueries(endpoint.query, request.query ?? {})))
      requests[`query: ${name}`] = send({ query });
  if (endpoint.method === 'GET' || endpoint.accepts) return requests;
  const bytes = endpoint.bodyLimit ?? BODY_MAX;
  const typed = endpoint.body === undefined ? {} : listWorstBodies(endpoint.body, request.body, bytes);
  const bodies: Record<string, string> = { ...listRawBodies(bytes), ...typed };
  for (const [name, text] of Object.entries(bodies))
    requests[name] = send({ text, headers: { 'content-type': 'application/json' } });
  return requests;
}

async function listImports({ node, url }: Target): Promise<Requests> {
  const world = await createWorld(node);
  const { token, teamId } = await serviceToken(node, world.teamId);
  const note = (at: number, text: string) =>
    JSON.stringify({ kind: 'note', external_id: `${at}`, created_at: 1, updated_at: 1, text });
  const bodies: Record<string, string> = {
    'one line': 'x'.repeat(8_000_000),
    'empty lines': '\n'.repeat(4_000_000),
    'short lines': '0\n'.repeat(1_000_000),
    'quotes that aren’t closed': `${'{"a\n'.repeat(800_000)}`,
    'deep lists': `${'['.repeat(500_000)}\n`.repeat(8),
    ...Object.fromEntries(
      Object.entries(FILLERS).map(([name, filler]) => [
        name,
        Array.from({ length: 200 }, (_, at) => note(at, filler(20_000))).join('\n'),
      ]),
    ),
  };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
  const post = (body: string) => () =>
    fetch(`${url}${API_BASE}/teams/${teamId}/content`, { method: 'POST', headers, body }).then((reply) => reply.text());
  return Object.fromEntries(Object.entries(bodies).map(([name, body]) => [name, post(body)]));
}

async function listPictures({ node, url }: Target): Promise<Requests> {
  const { cookie } = await createActor(node, await createWorld(node), { name: 'an owner', column: 'TO' });
  const one = encodePng(
    paint(1, 1, () => [0, 0, 0]),
    { width: 6_000, height: 6_000 },
  );
  const pictures = {
    'many pixels': encodePng(paint(6_300, 6_300, () => [0, 0, 0])),
    'fewer pixels than claimed': one,
    'no end': Buffer.concat([one.subarray(0, 40), Buffer.alloc(PICTURE_MAX - 100)]),
  };
  const put = (body: Buffer) => () =>
    fetch(`${url}${API_BASE}/users/me/picture`, {
      method: 'PUT',
      headers: { cookie, 'content-type': 'image/png' },
      body: new Uint8Array(body),
    }).then((reply) => reply.text());
  return Object.fromEntries(Object.entries(pictures).map(([name, body]) => [name, put(body)]));
}

async function listProvisioning({ node, url }: Target): Promise<Requests> {
  const world = await createWorld(node);
  const { id: ownerId } = await createActor(node, world, { name: 'an owner', column: 'TO' });
  const { token } = await scimToken(node, world.teamId, ownerId);
  const ids = Array.from({ length: 20_000 }, () => FILLERS.ids?.(26) ?? '');
  const operation = (path: string) => ({ op: 'replace', path, value: 'x' });
  const bodies: [string, string, object | string][] = [
    ['POST', '/Groups', buildGroup('Everyone', ids)],
    [
      'POST',
      '/Groups',
      buildGroup(
        'Twice',
        ids.map(() => world.member.id),
      ),
    ],
    [
      'PATCH',
      `/Users/${world.member.id}`,
      toPatch(...Array.from({ length: 20_000 }, () => operation('name.givenName'))),
    ],
    ['PATCH', `/Users/${world.member.id}`, toPatch(operation(`emails[${'('.repeat(100_000)}`))],
    ['PATCH', `/Users/${world.member.id}`, toPatch(operation(`emails[type eq "${'x'.repeat(500_000)}`))],
    ...Object.values(FILLERS).map((filler): [string, string, object] => [
      ...(['POST', '/Users'] as const),
      buildUser(filler(100_000), { displayName: filler(100_000), externalId: filler(100_000) }),
    ]),
    ...Object.values(listRawBodies(SCIM_BODY_MAX)).map((text): [string, string, string] => ['POST', '/Users', text]),
    ...Object.values(FILLERS).map((filler): [string, string, object] => [
      ...(['POST', '/Users/.search'] as const),
      { filter: filler(500_000) },
    ]),
    ['POST', '/Users/.search', { filter: 'not ('.repeat(100_000) }],
    ['POST', '/Users/.search', { filter: Array.from({ length: 50_000 }, () => 'userName eq "a"').join(' or ') }],
  ];
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' };
  const requests = bodies.map(([method, path, body], at) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const send = () =>
      fetch(`${url}${SCIM_BASE}${path}`, { method, headers, body: text }).then((reply) => reply.text());
    return [`${at} ${method} ${path} ${text.slice(0, 80)}`, send] as const;
  });
  return Object.fromEntries(requests);
}

function listOpenCalls({ url }: Target): Requests {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const id = FILLERS.ids?.(26);
  const post =
    (path: string, body: string, headers = form) =>
    () =>
      fetch(`${url}${path}`, { method: 'POST', headers, body }).then((reply) => reply.text());
  return {
    'a logout with many fields': post(`/auth/oidc/${id}/logout`, 'a=&'.repeat(16_000)),
    'a logout with a long token': post(`/auth/oidc/${id}/logout`, `logout_token=${'a.'.repeat(30_000)}`),
    'a long callback': () => fetch(`${url}/auth/oidc/${id}/callback?${'code=x&'.repeat(1_500)}`),
    'a delivery': post(`/api/v4/hooks/zendesk/${id}`, 'x'.repeat(DELIVERY_MAX)),
  };
}
