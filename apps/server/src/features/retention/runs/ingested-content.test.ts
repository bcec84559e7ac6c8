import assert from 'node:assert/strict';
import { addContent } from '@steward/contract/content';
import { RETENTION_KINDS } from '@steward/contract/retention/fields';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { channel, serviceToken, type TestChannel } from '#testing/workspace/content.ts';
import { team } from '#testing/workspace/factories.ts';
import { runNow, setRule } from '#testing/workspace/retention.ts';

let node: TestApp;
let teamId: string;
let channels: TestChannel[];

beforeAll(async () => {
  node = await startApp({ work: false });
});

beforeEach(async () => {
  teamId = await team(node);
  channels = await Promise.all((['O', 'P', 'D'] as const).map((type) => channel(node, teamId, { type })));
  const rule = { value: 1 as const, duration: { count: 1, period: 'm' as const } };
  for (const kind of RETENTION_KINDS) await setRule(node, teamId, kind, rule);
});

afterAll(() => node[Symbol.asyncDispose]());

const OLD = Date.UTC(2020, 0, 1);
const NOW = Date.now();

async function ingest(lines: object[]): Promise<void> {
  const { headers } = await serviceToken(node, teamId);
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  const type = { 'content-type': 'application/x-ndjson' };
  const { body } = await call(node, addContent, { params: { teamId }, headers: { ...headers, ...type }, text });
  assert.deepEqual([body.accepted, body.errors], [lines.length, []]);
}

async function left(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select external_id as id from messages where team_id = ${teamId}
    union all select external_id from files where team_id = ${teamId}
    union all select external_id from records where team_id = ${teamId} order by 1`.execute(node.db);
  return rows.map(({ id }) => id);
}

test('imported items expire by the date of their kind; new and unfinished ones are kept', async () => {
  const at = (kind: string, created_at: number, more: object = {}) => ({ kind, created_at, ...more });
  const old = [
    ...channels.map(({ id }) => at('message', OLD, { channel_id: id, text: 'Good morning' })),
    at('file', OLD, { name: 'a.txt', data: 'YQ==' }),
    at('note', OLD, { archived_at: OLD + 1 }),
    at('task', OLD, { completed_at: OLD + 1 }),
    at('meeting', OLD, { ended_at: OLD + 1 }),
    at('meeting_recording', OLD, { ended_at: OLD + 1, data: 'YQ==' }),
    at('call', OLD, { ended_at: OLD + 1 }),
    at('call', OLD),
    at('call_recording', OLD, { ended_at: OLD + 1, data: 'YQ==' }),
    at('voicemail', OLD, { data: 'YQ==' }),
    at('communication', OLD),
  ];
  const fresh = [
    ...channels.map(({ id }) => at('message', NOW, { channel_id: id, text: 'Good morning' })),
    at('file', NOW, { name: 'a.txt' }),
    // Started long ago and not over, so no retention period has started.
    at('note', OLD),
    at('note', OLD, { archived_at: NOW }),
    at('task', OLD),
    at('task', OLD, { completed_at: null }),
    at('meeting', OLD),
    at('meeting', OLD, { ended_at: NOW }),
    at('meeting_recording', OLD, { data: 'YQ==' }),
    at('call', OLD, { ended_at: NOW }),
    at('voicemail', NOW),
    at('communication', NOW),
  ];
  const named = (lines: object[], prefix: string) => lines.map((line, nth) => ({ ...line, external_id: prefix + nth }));
  await ingest([...named(old, 'old'), ...named(fresh, 'new')]);
  const runs = await runNow(node, teamId);
  assert.equal(runs.length, RETENTION_KINDS.length);
  assert.equal(
    runs.reduce((sum, { deleted }) => sum + deleted, 0),
    old.length,
  );
  assert.deepEqual(
    await left(),
    named(fresh, 'new')
      .map(({ external_id }) => external_id)
      .sort(),
  );
});

test('a note that was archived long ago and reopened is kept', async () => {
  const note = { kind: 'note', external_id: 'reopened', created_at: OLD };
  await ingest([{ ...note, archived_at: OLD + 1 }]);
  await ingest([note]);
  await runNow(node, teamId);
  assert.ok((await left()).includes('reopened'));
});
