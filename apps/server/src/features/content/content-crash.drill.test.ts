import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { test } from 'vitest';
import { queueCleanUp } from '#testing/app/clean-up.ts';
import { killableServer } from '#testing/app/killable-server.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { channel, ingest, serviceToken, type TestService } from '#testing/workspace/content.ts';
import { createTeamWithMembers } from '#testing/workspace/factories.ts';

const LINES = 6_000;
/** Kills the server when this many items are stored. */
const KILLS = [500, 2_000, 3_500];

function linesFor(channelId: string, userId: string): object[] {
  return Array.from({ length: LINES }, (_, at) => {
    const item = { external_id: `item-${at}`, created_at: 1_000 + at, user_id: userId };
    if (at % 40 === 0)
      return { ...item, kind: 'file', name: `${at}.txt`, data: Buffer.from(`${at}`).toString('base64') };
    if (at % 40 === 1) return { ...item, kind: 'voicemail', data: Buffer.from(`voice ${at}`).toString('base64') };
    if (at % 40 === 2) return { ...item, kind: 'task', title: `Task ${at}`, completed_at: at % 3 ? at : null };
    return { ...item, kind: 'message', channel_id: channelId, text: `Message ${at}` };
  });
}

/** Sends the body and waits for the response or the end of the server. */
async function sendTo(url: string, service: TestService, body: string): Promise<void> {
  const headers = { ...service.headers, 'content-type': 'application/x-ndjson' };
  const sent = request(`${url}/api/v4/teams/${service.teamId}/content`, { method: 'POST', headers });
  sent.end(body);
  const [response] = await once(sent, 'response');
  for await (const _ of response);
}

/** Stored content of the team, without generated ids and keys. */
async function finalState(node: TestApp, teamId: string): Promise<unknown[]> {
  const state: unknown[] = [];
  for (const table of ['messages', 'files', 'records'] as const) {
    const { rows } =
      await sql`select to_jsonb(t) - 'id' - 'team_id' - 'blob' - 'channel_id' - 'user_id' - 'source_id' as row
      from ${sql.table(table)} t where team_id = ${teamId} order by external_id`.execute(node.db);
    state.push(...rows);
  }
  return state;
}

function listBlobs(node: TestApp, teamId: string): string[] {
  const directory = fileURLToPath(new URL(`${node.deps.env.FILES_URL}/${teamId}`));
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

test('a body that is sent again after the server was killed has the same result as an undisturbed one, without orphaned blobs', async () => {
  await using node = await startApp();
  using server = killableServer(node);
  const [team, calm] = [await createTeamWithMembers(node), await createTeamWithMembers(node)];
  const bodyFor = async ({ id, member }: typeof team) => linesFor((await channel(node, id)).id, member.id);
  const service = await serviceToken(node, team.id);
  const body = (await bodyFor(team)).map((line) => `${JSON.stringify(line)}\n`).join('');
  const storedNow = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from messages
      where team_id = ${team.id}`.execute(node.db);
    return rows[0]?.count ?? 0;
  };
  for (const kill of KILLS) {
    const sending = sendTo(await server.start(), service, body).catch(() => undefined);
    // Another process sends no event about its progress.
    while ((await storedNow()) < kill) await pause(5);
    await server.kill();
    await sending;
    assert.ok((await storedNow()) < LINES * 0.925, 'the server was killed in the middle');
  }
  const last = await ingest(node, service, body);
  assert.equal(last.body.accepted + last.body.unchanged, LINES);
  const undisturbed = await ingest(node, await serviceToken(node, calm.id), await bodyFor(calm));
  assert.equal(undisturbed.body.accepted, LINES);
  assert.deepEqual(await finalState(node, team.id), await finalState(node, calm.id));

  await sql`update loose_blobs set since = since - interval '61 minutes'`.execute(node.db);
  await queueCleanUp(node);
  assert.equal(listBlobs(node, team.id).length, listBlobs(node, calm.id).length);
  const { rows } = await sql`select 1 from loose_blobs`.execute(node.db);
  assert.deepEqual(rows, []);
});
