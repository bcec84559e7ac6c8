import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { listTokens, removeToken } from '@steward/contract/tokens';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { createFairQueue } from '#platform/jobs/fair-queue.ts';
import { call, send } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { startAppWithPostgres } from '#testing/database/app-with-postgres.ts';
import { ingest, serviceToken, type TestService } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { ingestContent } from './ingest-content.actions.ts';

let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
  team = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const note = (fields: object = {}) => ({ kind: 'note', external_id: newId(), created_at: 1, ...fields });
const text = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
const batch = () => text(Array.from({ length: 1_000 }, () => note()));

/** Sends a body that is generated while it is read. */
function stream(at: TestApp, service: TestService, pieces: AsyncIterable<string>) {
  return send(at, {
    method: 'POST',
    url: `/api/v4/teams/${service.teamId}/content`,
    headers: { ...service.headers, 'content-type': 'application/x-ndjson' },
    body: Readable.from(pieces, { objectMode: false, highWaterMark: 1 }),
  });
}

async function countNotes(at: TestApp, teamId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from records
    where team_id = ${teamId}`.execute(at.db);
  return rows[0]?.count ?? 0;
}

test('removing a token stops its running import; stored batches stay and are in the audit log', async () => {
  const other = await createTeamWithMembers(node);
  const service = await serviceToken(node, other.id);
  async function* pieces() {
    yield batch();
    while ((await countNotes(node, other.id)) < 1_000) await new Promise(setImmediate);
    const params = { teamId: other.id, tokenId: service.id };
    assert.equal((await call(node, removeToken, { as: other.owner, params })).status, 200);
    yield batch();
    yield batch();
  }
  const reply = await stream(node, service, pieces());
  assert.deepEqual([reply.status, reply.body.id], [401, 'token.required']);
  assert.equal(await countNotes(node, other.id), 1_000);
  const rows = (await auditRows(node, 'content.added')).filter(({ team_id }) => team_id === other.id);
  assert.deepEqual(
    rows.map(({ details }) => details.accepted),
    [1_000],
  );
});

test('two batches are stored at a time, others wait, and other requests are served', async () => {
  const teamIds = [team.id, team.id, (await createTeamWithMembers(node)).id, (await createTeamWithMembers(node)).id];
  const services = await Promise.all([...teamIds, ...teamIds].map((teamId) => serviceToken(node, teamId)));
  const { put } = node.deps.blobs;
  const gate = Promise.withResolvers<void>();
  const busy = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  node.deps.blobs.put = async (key, content) => {
    running += 1;
    most = Math.max(most, running);
    if (running === 2) busy.resolve();
    await gate.promise;
    running -= 1;
    await put(key, content);
  };
  const bodies = services.map((service) => ingest(node, service, [note({ kind: 'voicemail', data: 'QUJD' })]));
  await busy.promise;
  for (let request = 0; request < 5; request += 1)
    assert.equal((await call(node, listTokens, { as: team.admin, params: { teamId: team.id } })).status, 200);
  gate.resolve();
  for (const { body } of await Promise.all(bodies)) assert.equal(body.accepted, 1);
  node.deps.blobs.put = put;
  assert.equal(most, 2);
});

test('more than four requests of a team get a 429, more than sixteen in total a 503, and they are accepted after others have ended', async () => {
  const services = await Promise.all(
    Array.from({ length: 5 }, async () => serviceToken(node, (await createTeamWithMembers(node)).id)),
  );
  const gate = Promise.withResolvers<void>();
  const open: Promise<{ status: number }>[] = [];
  const openFour = async (service: TestService) => {
    const begun = Array.from({ length: 4 }, () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      async function* pieces() {
        resolve();
        yield text([note()]);
        await gate.promise;
      }
      open.push(stream(node, service, pieces()));
      return promise;
    });
    await Promise.all(begun);
  };
  const [first, second, third, fourth, last] = services as [
    TestService,
    TestService,
    TestService,
    TestService,
    TestService,
  ];
  await openFour(first);
  assert.equal((await ingest(node, first, [note()])).body.id, 'rate.limited');
  assert.equal((await ingest(node, last, [note()])).status, 200, 'another team is not affected');
  for (const service of [second, third, fourth]) await openFour(service);
  assert.equal((await ingest(node, last, [note()])).body.id, 'server.unavailable');
  gate.resolve();
  for (const { status } of await Promise.all(open)) assert.equal(status, 200);
  for (const service of services) assert.equal((await ingest(node, service, [note()])).status, 200);
});

test('a body gets a 503 if the database stops; stored batches stay, and it can be sent again', async () => {
  await using own = await startAppWithPostgres();
  const { node: away } = own;
  const service = await serviceToken(away, (await createTeamWithMembers(away)).id);
  const batches = [batch(), batch(), batch()];
  async function* pieces() {
    yield batches[0] ?? '';
    while ((await countNotes(away, service.teamId)) < 1_000) await new Promise(setImmediate);
    await own.stop();
    yield batches[1] ?? '';
    yield batches[2] ?? '';
  }
  const reply = await stream(away, service, pieces());
  assert.deepEqual([reply.status, reply.body.id], [503, 'server.unavailable']);
  await own.start();
  assert.equal(await countNotes(away, service.teamId), 1_000);
  const again = await ingest(away, service, batches.join(''));
  assert.deepEqual([again.body.accepted, again.body.unchanged], [2_000, 1_000]);
});

test('lines that are refused leave turns of the event loop to other calls', async () => {
  const { teamId, id: tokenId, sourceId } = await serviceToken(node, team.id);
  const service = { teamId, tokenId, sourceId, kinds: new Set(['note']), speaksForUsers: false };
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  async function* pieces() {
    setImmediate(count);
    yield Buffer.from('0\n'.repeat(5_000));
    isOver = true;
  }
  const batches = createFairQueue({ atOnce: 1, waitingPerKey: 1, waiting: 1 });
  const origin = { requestId: newId(), address: '127.0.0.1', userAgent: '' };
  const authorize = async () => service;
  const { failed } = await ingestContent(node.deps, { service, authorize, origin, body: pieces(), batches });
  assert.equal(failed, 5_000);
  assert.ok(turns >= 5_000 / 200, `${turns}`);
});
