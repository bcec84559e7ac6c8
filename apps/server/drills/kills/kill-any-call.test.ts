import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { type KillableServer, killableServer } from '#testing/app/killable-server.ts';
import { type Change, changing, prepareChange, sendChange, UNKEYED } from '#testing/authorization/change-requests.ts';
import {
  difference,
  getRows,
  listAuditTransactions,
  listFootprints,
  type RowCounts,
} from '#testing/authorization/row-counts.ts';
import { sharedDns } from '#testing/peers/dns-peer.ts';
import { NEVER_MS, PATIENCE } from '#testing/system/time-scale.ts';
import { type HelpdeskApp, startHelpdeskApp } from '#testing/workspace/helpdesk.ts';

/** Number of kills; use `FAULT_ROUNDS=50` before a release. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 3);
const CLIENTS = 6;
/** Each kill comes at a random moment within this time from the start of the load. */
const WITHIN_MS = 300;

/** The effects of an undisturbed call. */
interface Usual {
  /** A call that supports Idempotency-Key does everything in one transaction. */
  isKeyed: boolean;
  footprint: RowCounts;
  rows: RowCounts;
}

interface Sent extends Change {
  outcome: 'acknowledged' | 'unknown';
  answer: string | undefined;
}

const toText = (footprint: RowCounts): string => JSON.stringify(Object.entries(footprint).sort());

let rig: HelpdeskApp;
let server: KillableServer;
const usual = new Map<string, Usual>();
/** Rows written outside the audited transaction: last uses, and the steps of calls without Idempotency-Key. */
const beside = new Set([toText({ sessions: 1 })]);
const getUsual = ({ endpoint }: Change): Usual => usual.get(endpoint.name) ?? assert.fail(endpoint.name);
const getSuccessStatus = ({ endpoint }: Change): number => endpoint.success ?? 200;

beforeAll(async () => {
  rig = await startHelpdeskApp({ pool: 4 });
  server = killableServer(rig.node, {
    limits: PATIENCE,
    activityMs: NEVER_MS,
    env: { HELPDESK_URL: rig.simulator.template, TRUST_PROXY: '1', DNS_SERVERS: (await sharedDns()).address },
  });
  const url = await server.start();
  for (const endpoint of changing) await learn(url, await prepareChange(rig.node, endpoint));
  const learnt = [...usual].filter(([, { isKeyed }]) => !isKeyed).map(([name]) => name);
  assert.deepEqual(learnt.sort(), UNKEYED, 'every other change is one transaction with its key and its audit row');
  await server.kill();
});

afterAll(async () => {
  server[Symbol.dispose]();
  await rig[Symbol.asyncDispose]();
});

async function learn(url: string, change: Change): Promise<void> {
  const { name } = change.endpoint;
  // Only those calls may write beside their transaction.
  const earlier = UNKEYED.includes(name) ? await listFootprints(rig.node) : new Map();
  const reply = await sendChange(url, change);
  assert.equal(reply?.status, getSuccessStatus(change), `${name}: ${reply?.text}`);
  const made = [...(await listFootprints(rig.node))].filter(([x]) => !earlier.has(x));
  const [audited] =
    (await listAuditTransactions(rig.node)).get(change.address) ?? assert.fail(`${name} has no audit row`);
  const footprint = made.find(([x]) => x === audited)?.[1] ?? {};
  const isKeyed = footprint.idempotency_keys === 1;
  if (!isKeyed) for (const [, other] of made) beside.add(toText(other));
  usual.set(name, { isKeyed, footprint, rows: difference(change.before, await getRows(rig.node, change.teamId)) });
}

/** Sends one change after another until the server is killed. */
async function client(url: string, waiting: Change[], sent: Sent[]): Promise<void> {
  for (let change = waiting.pop(); change; change = waiting.pop()) {
    const reply = await sendChange(url, change);
    if (reply) assert.equal(reply.status, getSuccessStatus(change), `${change.endpoint.name}: ${reply.text}`);
    sent.push({ ...change, outcome: reply ? 'acknowledged' : 'unknown', answer: reply?.text });
    if (!reply) return;
  }
}

/** Waits until PostgreSQL has noticed the killed server and has ended or undone its transactions. */
async function leftAlone(): Promise<void> {
  const busy = () =>
    sql`select 1 from pg_stat_activity where datname = current_database() and application_name = 'steward'`.execute(
      rig.node.db,
    );
  // Polls, because the end of another connection isn't reported.
  while ((await busy()).rows.length > 0) await pause(10);
}

/** Describes every deviation. `earlier` are the transactions from before the load. */
async function faults(sent: readonly Sent[], earlier: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = [];
  const now = await listFootprints(rig.node);
  const audited = await listAuditTransactions(rig.node);
  for (const change of sent) {
    const { isKeyed, footprint, rows } = getUsual(change);
    const xs = audited.get(change.address) ?? [];
    const say = (fault: string) => found.push(`${change.outcome} ${change.endpoint.name}: ${fault}`);
    if (xs.length > 1 || (change.outcome === 'acknowledged' && xs.length === 0)) say(`${xs.length} audit rows`);
    if (!isKeyed) continue;
    const done = difference(change.before, await getRows(rig.node, change.teamId));
    if (toText(done) !== toText(xs.length === 0 ? {} : rows)) say(`rows ${toText(done)}`);
    for (const x of xs) if (toText(now.get(x) ?? {}) !== toText(footprint)) say(`wrote ${toText(now.get(x) ?? {})}`);
  }
  const known = new Set([...audited.values()].flat());
  for (const [x, footprint] of now)
    if (!earlier.has(x) && !known.has(x) && !beside.has(toText(footprint)))
      found.push(`without owner: ${toText(footprint)}`);
  return found;
}

/** Repeats changes like a client that got no response. */
async function repeat(url: string, sent: readonly Sent[]): Promise<void> {
  for (const change of sent) {
    const reply = await sendChange(url, change);
    const { isKeyed } = getUsual(change);
    if (isKeyed) assert.equal(reply?.status, getSuccessStatus(change), `${change.endpoint.name} again: ${reply?.text}`);
    else assert.ok((reply?.status ?? 500) < 500, `${change.endpoint.name} again: ${reply?.text}`);
    if (isKeyed && change.answer !== undefined) assert.equal(reply?.text, change.answer, 'the same answer');
    change.outcome = 'acknowledged';
  }
}

function shuffled<T>(list: T[]): T[] {
  return list
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

test(`of every changing call around ${ROUNDS} kills, what was acknowledged is there once, and the rest is whole or not at all`, async () => {
  let waiting: Change[] = [];
  let last: Sent[] = [];
  const totals = { acknowledged: 0, unknown: 0, done: 0, slowestStart: 0 };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const began = performance.now();
    const url = await server.start();
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    totals.slowestStart = Math.max(totals.slowestStart, performance.now() - began);
    const unknown = last.filter(({ outcome }) => outcome === 'unknown');
    const again = [...unknown, ...last.filter(({ outcome }) => outcome === 'acknowledged' && Math.random() < 0.2)];
    await repeat(
      url,
      again.filter((change) => getUsual(change).isKeyed || change.outcome === 'unknown'),
    );
    assert.deepEqual(
      await faults(
        last.filter((change) => getUsual(change).isKeyed),
        new Set((await listFootprints(rig.node)).keys()),
      ),
      [],
      `repeated after kill ${round}`,
    );
    if (round === ROUNDS) break;

    while (waiting.length < changing.length)
      waiting.push(...(await Promise.all(changing.map((endpoint) => prepareChange(rig.node, endpoint)))));
    waiting = shuffled(waiting);
    // All teams share one account at the help desk, which has a limit per minute.
    rig.simulator.clock.advance(60_000);
    const earlier = new Set((await listFootprints(rig.node)).keys());
    const sent: Sent[] = [];
    const load = Promise.all(Array.from({ length: CLIENTS }, () => client(url, waiting, sent)));
    await pause(Math.random() * WITHIN_MS);
    await server.kill();
    await load;
    await leftAlone();
    assert.deepEqual(await faults(sent, earlier), [], `after kill ${round + 1}`);
    const audited = await listAuditTransactions(rig.node);
    totals.acknowledged += sent.filter(({ outcome }) => outcome === 'acknowledged').length;
    totals.unknown += sent.filter(({ outcome }) => outcome === 'unknown').length;
    totals.done += sent.filter(({ outcome, address }) => outcome === 'unknown' && audited.has(address)).length;
    last = sent;
  }
  assert.ok(totals.unknown >= ROUNDS, 'the kills met calls that were under way');
  console.log(
    `${ROUNDS} kills: ${totals.acknowledged} calls acknowledged, ${totals.unknown} unknown, of which ${totals.done} were done; ready again after ${Math.round(totals.slowestStart)} ms at most`,
  );
});
