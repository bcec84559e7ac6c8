import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { SCIM_BASE } from '@steward/contract/scim';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { send } from '#testing/app/call.ts';
import { type KillableServer, killableServer } from '#testing/app/killable-server.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import {
  difference,
  getRows,
  listAuditTransactions,
  listFootprints,
  type RowCounts,
} from '#testing/authorization/row-counts.ts';
import { sharedDns } from '#testing/peers/dns-peer.ts';
import { type OidcPeer, startOidcPeer } from '#testing/peers/oidc-peer.ts';
import { buildGroup, buildUser, scim, scimToken, toPatch } from '#testing/peers/scim.ts';
import { browser, connection, provedDomain, signInAtProvider } from '#testing/sso/sso.ts';
import { NEVER_MS, PATIENCE } from '#testing/system/time-scale.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';

// Changes by identity providers: their requests aren't in the contract and have no Idempotency-Key.

/** Number of kills; use `FAULT_ROUNDS=50` before a release. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 3);
const CLIENTS = 6;
const EACH = 2;
/** Each kill comes within this time after the response to one of the first calls, so that other calls are still pending. */
const WITHIN_MS = 5;
const SHARE = 0.6;
const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout';
/** Rows that each attempt of a call adds. */
const OF_EACH_SENDING = ['scim_log', 'audit_events', 'audit_pending', 'sign_ins'];

type Answer = { status: number; text: string } | undefined;

interface Change {
  kind: string;
  teamId: string;
  /** Client address of the request, which identifies its audit rows. */
  address: string;
  before: RowCounts;
  send(url: string): Promise<Answer>;
  /** Repeats the call like a provider or a user without a response, until a status shows that it is complete. */
  repeat(url: string): Promise<Answer>;
}

/** The effects of an undisturbed call. */
interface Usual {
  rows: RowCounts;
  footprint: RowCounts;
}

let node: TestApp;
let peer: OidcPeer;
let server: KillableServer;
const usual = new Map<string, Usual>();
let addresses = 0;

/** Statuses of a completed call, including one that was already completed. */
const DONE: Record<string, readonly number[]> = { 'POST /Users': [201, 409], logout: [200, 400], callback: [200] };
const isDone = (kind: string, status: number) =>
  (DONE[kind] ?? (kind.startsWith('DELETE') ? [204, 404] : [200, 201, 204])).includes(status);
const toText = (counts: RowCounts): string => JSON.stringify(Object.entries(counts).sort());

async function request(url: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(url, { redirect: 'manual', ...init });
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}

interface World {
  team: TestTeam;
  domain: string;
  connectionId: string;
  address: string;
}

async function createWorld(): Promise<World> {
  const team = await createTeamWithMembers(node);
  const domain = await provedDomain(node, team.id);
  const connectionId = await connection(node, team.id, peer, { group_roles: { Admins: 'team_admin' } });
  addresses += 1;
  return { team, domain, connectionId, address: `2001:db8:${addresses.toString(16)}::1` };
}

type Prepare = (world: World) => Promise<Pick<Change, 'send' | 'repeat'>>;

/** A SCIM call. `body` is built for an existing group of the team. */
function scimCall(
  method: string,
  toPath: (world: World, groupId: string) => string,
  toBody?: (world: World) => object,
) {
  const prepare: Prepare = async (world) => {
    const provisioner = await scimToken(node, world.team.id, world.team.owner.id);
    const group = await scim(node, provisioner, 'POST /Groups', { body: buildGroup('Admins') });
    const body = toBody && JSON.stringify(toBody(world));
    const headers = {
      authorization: `Bearer ${provisioner.token}`,
      'x-forwarded-for': world.address,
      ...(body && { 'content-type': 'application/scim+json' }),
    };
    const path = SCIM_BASE + toPath(world, group.body.id);
    const send = (url: string) => request(url + path, { method, headers, ...(body && { body }) });
    // Group names need not be unique, so providers look for a group before they add it.
    const find = (url: string) =>
      request(`${url}${path}?filter=${encodeURIComponent('displayName eq "Staff"')}`, { headers });
    const findOrAdd = async (url: string) => {
      const found = await find(url);
      return JSON.parse(found?.text ?? '{}').totalResults > 0 ? found : send(url);
    };
    return { send, repeat: path.endsWith('/Groups') ? findOrAdd : send };
  };
  return prepare;
}

/** The request that signs in a new user or an existing member whom the provider's response has named. */
const callback: Prepare = async ({ domain, connectionId, address }) => {
  const claims = { sub: newId(), email: `${newId()}@${domain}`, email_verified: true };
  const bring = async () => {
    const from = browser(node);
    const started = await from.open(`/auth/oidc/${connectionId}/start`);
    const back = peer.approve(String(started.headers.location), claims);
    const headers = from.cookie();
    const arrived = await send(node, { method: 'GET', url: back.pathname + back.search, headers });
    const cookie = arrived.setCookies.map((line) => line.split(';')[0]).join('; ');
    const path = /url=(\/auth\/oidc\/continue\?id=[\w-]{22})"/.exec(arrived.text)?.[1] ?? assert.fail(arrived.text);
    return (url: string) => request(url + path, { headers: { cookie, 'x-forwarded-for': address } });
  };
  // A sign-in works once, so the user starts another.
  return { send: await bring(), repeat: async (url) => (await bring())(url) };
};

const logout: Prepare = async ({ domain, connectionId, address }) => {
  const [sub, sid] = [newId(), newId()];
  await signInAtProvider({
    node,
    peer,
    connectionId,
    claims: { sub, sid, email: `${sub}@${domain}`, email_verified: true },
  });
  const now = Math.floor(Date.now() / 1_000);
  const about = { iss: peer.issuer, aud: peer.clientId, iat: now, exp: now + 600, jti: newId(), sid };
  const token = await peer.sign({ ...about, events: { [LOGOUT]: {} } }, { typ: 'logout+jwt' });
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address };
  const body = new URLSearchParams({ logout_token: token }).toString();
  const send = (url: string) => request(`${url}/auth/oidc/${connectionId}/logout`, { method: 'POST', headers, body });
  return { send, repeat: send };
};

const ofMember = ({ team }: World) => `/Users/${team.member.id}`;
const KINDS: Record<string, Prepare> = {
  'POST /Users': scimCall(
    'POST',
    () => '/Users',
    ({ domain }) => buildUser(`${newId()}@${domain}`),
  ),
  'PUT /Users': scimCall('PUT', ofMember, ({ team }) => buildUser(team.member.email, { externalId: 'x' })),
  'PATCH /Users': scimCall('PATCH', ofMember, () => toPatch({ op: 'replace', value: { active: false } })),
  'DELETE /Users': scimCall('DELETE', ofMember),
  'POST /Groups': scimCall(
    'POST',
    () => '/Groups',
    ({ team }) => buildGroup('Staff', [team.member.id]),
  ),
  'PATCH /Groups': scimCall(
    'PATCH',
    (_, id) => `/Groups/${id}`,
    ({ team }) => toPatch({ op: 'add', path: 'members', value: [{ value: team.member.id }] }),
  ),
  'DELETE /Groups': scimCall('DELETE', (_, id) => `/Groups/${id}`),
  callback,
  logout,
};

async function prepare(kind: string): Promise<Change> {
  const world = await createWorld();
  const ready = await (KINDS[kind] ?? assert.fail(kind))(world);
  return { kind, teamId: world.team.id, address: world.address, before: await getRows(node, world.team.id), ...ready };
}

type Audited = Awaited<ReturnType<typeof listAuditTransactions>>;
const findAudited = (audited: Audited, address: string) => [...new Set(audited.get(address) ?? [])];

/** Calls a server that isn't killed, to learn the effects. */
async function learn(url: string, kind: string): Promise<void> {
  const change = await prepare(kind);
  const reply = await change.send(url);
  assert.ok(reply && isDone(kind, reply.status), `${kind}: ${reply?.status} ${reply?.text}`);
  const audited = findAudited(await listAuditTransactions(node), change.address);
  assert.equal(audited.length, 1, `${kind}: one transaction with its audit rows`);
  const footprint = (await listFootprints(node)).get(audited[0] ?? '') ?? {};
  usual.set(kind, { footprint, rows: difference(change.before, await getRows(node, change.teamId)) });
}

interface Sent extends Change {
  isAcknowledged: boolean;
}

/** Describes every deviation after a kill. */
async function findFaults(sent: readonly Sent[]): Promise<string[]> {
  const found: string[] = [];
  const footprints = await listFootprints(node);
  const audited = await listAuditTransactions(node);
  for (const change of sent) {
    const { rows, footprint } = usual.get(change.kind) ?? assert.fail();
    const xs = findAudited(audited, change.address);
    const say = (fault: string) =>
      found.push(`${change.isAcknowledged ? 'acknowledged' : 'unknown'} ${change.kind}: ${fault}`);
    if (xs.length > 1 || (change.isAcknowledged && xs.length === 0)) say(`${xs.length} transactions`);
    const done = difference(change.before, await getRows(node, change.teamId));
    if (toText(done) !== toText(xs.length === 0 ? {} : rows)) say(`rows ${toText(done)}`);
    for (const x of xs)
      if (toText(footprints.get(x) ?? {}) !== toText(footprint)) say(`wrote ${toText(footprints.get(x) ?? {})}`);
  }
  return found;
}

/** Repeats the changes; each must then be present once. */
async function repeat(url: string, sent: readonly Sent[]): Promise<void> {
  for (const change of sent) {
    const reply = await change.repeat(url);
    assert.ok(reply && isDone(change.kind, reply.status), `${change.kind} again: ${reply?.status} ${reply?.text}`);
    const ignored = [...OF_EACH_SENDING, ...(change.kind === 'callback' ? ['sessions'] : [])];
    const lasting = (rows: RowCounts) =>
      toText(Object.fromEntries(Object.entries(rows).filter(([table]) => !ignored.includes(table))));
    const done = difference(change.before, await getRows(node, change.teamId));
    assert.equal(lasting(done), lasting(usual.get(change.kind)?.rows ?? {}), `${change.kind} again`);
  }
}

/** Sends one change after another until the server is killed. */
async function client(
  url: string,
  waiting: Change[],
  { sent, onSent }: { sent: Sent[]; onSent: () => void },
): Promise<void> {
  for (let change = waiting.pop(); change; change = waiting.pop()) {
    const reply = await change.send(url);
    assert.ok(!reply || isDone(change.kind, reply.status), `${change.kind}: ${reply?.status} ${reply?.text}`);
    sent.push({ ...change, isAcknowledged: reply !== undefined });
    onSent();
    if (!reply) return;
  }
}

/** Waits until PostgreSQL has noticed the killed server and has ended or undone its transactions. */
async function leftAlone(): Promise<void> {
  const busy = () =>
    sql`select 1 from pg_stat_activity where datname = current_database() and application_name = 'steward'`.execute(
      node.db,
    );
  // Polls, because the end of another connection isn't reported.
  while ((await busy()).rows.length > 0) await pause(10);
}

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4, env: { SSO_ALLOW_LOOPBACK: '1' } });
  peer = await startOidcPeer();
  server = killableServer(node, {
    limits: PATIENCE,
    activityMs: NEVER_MS,
    env: { TRUST_PROXY: '1', SSO_ALLOW_LOOPBACK: '1', DNS_SERVERS: (await sharedDns()).address },
  });
  const url = await server.start();
  for (const kind of Object.keys(KINDS)) await learn(url, kind);
  await server.kill();
});

afterAll(async () => {
  server[Symbol.dispose]();
  await peer[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

test(`of SCIM, sign-ins and logouts of providers around ${ROUNDS} kills, what was acknowledged is there once, and the rest is whole or not at all`, async () => {
  let last: Sent[] = [];
  const totals = { acknowledged: 0, unknown: 0, done: 0 };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const url = await server.start();
    await repeat(
      url,
      last.filter(({ isAcknowledged }) => !isAcknowledged || Math.random() < 0.2),
    );
    if (round === ROUNDS) break;
    const kinds = Object.keys(KINDS).flatMap((kind) => Array<string>(EACH).fill(kind));
    const waiting: Change[] = [];
    for (const kind of kinds) waiting.splice(Math.floor(Math.random() * (waiting.length + 1)), 0, await prepare(kind));
    const sent: Sent[] = [];
    const [killAfter, reached] = [Math.random() * waiting.length * SHARE, Promise.withResolvers<void>()];
    const onSent = () => void (sent.length > killAfter && reached.resolve());
    const load = Promise.all(Array.from({ length: CLIENTS }, () => client(url, waiting, { sent, onSent })));
    await reached.promise;
    await pause(Math.random() * WITHIN_MS);
    await server.kill();
    await load;
    await leftAlone();
    assert.deepEqual(await findFaults(sent), [], `after kill ${round + 1}`);
    const unknown = sent.filter(({ isAcknowledged }) => !isAcknowledged);
    totals.acknowledged += sent.length - unknown.length;
    totals.unknown += unknown.length;
    const audited = await listAuditTransactions(node);
    for (const { address } of unknown) totals.done += findAudited(audited, address).length;
    last = sent;
  }
  assert.ok(totals.unknown >= ROUNDS, 'the kills met calls that were under way');
  console.log(
    `${ROUNDS} kills: ${totals.acknowledged} calls acknowledged, ${totals.unknown} unknown, of which ${totals.done} were done`,
  );
});
