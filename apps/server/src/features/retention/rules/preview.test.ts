import assert from 'node:assert/strict';
import { previewRetention } from '@steward/contract/retention';
import { type Duration, RETENTION_KINDS, type RetentionRule } from '@steward/contract/retention/fields';
import { isMarkable } from '@steward/contract/retention/rules';
import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { isOfThisRun } from '#testing/system/this-run.ts';
import { team as createTeam, createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { addChannels, addItem, getIds, runNow, setRule } from '#testing/workspace/retention.ts';
import { snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { findTeamRules } from '#workspace/content/retention/team-rules.store.ts';
import { previewRules } from './preview-rules.actions.ts';

let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
  team = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const DAY = 86_400_000;
const duration: fc.Arbitrary<Duration> = fc.oneof(
  fc.record({ count: fc.integer({ min: 1, max: 60 }), period: fc.constant('d' as const) }),
  fc.record({ count: fc.integer({ min: 1, max: 24 }), period: fc.constant('m' as const) }),
  fc.record({ count: fc.integer({ min: 1, max: 3 }), period: fc.constant('y' as const) }),
);
const rule: fc.Arbitrary<RetentionRule> = fc.oneof(
  fc.record({ value: fc.constant(1 as const), duration }),
  fc.record({ value: fc.constant(0 as const), canmark: fc.constant(1 as const), duration }),
  fc.constant<RetentionRule>({ value: 0 }),
);
const item = fc.record({
  daysAgo: fc.oneof(fc.integer({ min: 0, max: 70 }), fc.integer({ min: 0, max: 1200 })),
  inDay: fc.integer({ min: 0, max: DAY - 1 }),
  size: fc.integer({ min: 0, max: 5_000 }),
  marked: fc.boolean(),
});

test('a run deletes exactly what the preview counted, for random rules and items', async () => {
  const scene = fc.record({
    kind: fc.constantFrom(...RETENTION_KINDS),
    rule,
    items: fc.array(item, { maxLength: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(scene, async ({ kind, rule: drawn, items }) => {
      const input = isMarkable(kind) ? { canmark: 0 as const, ...drawn } : { ...drawn, canmark: undefined };
      const teamId = await createTeam(node);
      const place = { teamId, kind, channels: await addChannels(node, teamId) };
      const isMessage = kind.endsWith('channels') || kind === 'direct_messages';
      const clocks = new Map<string, number>();
      const today = Math.floor(Date.now() / DAY) * DAY;
      for (const { daysAgo, inDay, size, marked } of items) {
        const clock = Math.min(today - daysAgo * DAY + inDay, Date.now());
        const body = isMessage ? { text: 'x'.repeat(size % 100) } : { size };
        clocks.set(await addItem(node, place, { clock, marked: marked && isMarkable(kind), ...body }), clock);
      }
      const teamRules = (await findTeamRules(node.db, teamId)) ?? assert.fail();
      const preview = (await previewRules(node.db, { teamId, rules: { [kind]: input }, teamRules }))[kind];
      await setRule(node, teamId, kind, input);
      const runs = await runNow(node, teamId);
      const left = await getIds(node, teamId);
      const gone = [...clocks].filter(([id]) => !left.has(id)).map(([, clock]) => clock);
      const expected = {
        count: runs[0]?.deleted ?? 0,
        bytes: runs[0]?.bytes ?? 0,
        cutoff: runs[0]?.cutoff ?? null,
        oldest: gone.length === 0 ? null : Math.min(...gone),
        newest: gone.length === 0 ? null : Math.max(...gone),
      };
      const { count, bytes, cutoff, oldest, newest } = preview ?? assert.fail();
      assert.deepEqual({ count, bytes, cutoff, oldest, newest }, expected);
      assert.equal(count, gone.length);
    }),
    { numRuns: 60 },
  );
});

test('a preview changes nothing and accepts the body of any save', async () => {
  const channels = await addChannels(node, team.id);
  const clock = Date.UTC(2020, 0, 1);
  await addItem(node, { teamId: team.id, kind: 'files', channels }, { clock, size: 10 });
  await addItem(node, { teamId: team.id, kind: 'voicemails', channels }, { clock, size: 20 });
  const before = await snapshotTables(node, { except: ['sessions'] });
  const year = { count: 1, period: 'y' };
  const preview = async (body: unknown) =>
    (await call(node, previewRetention, { as: team.admin, params: { teamId: team.id }, body })).body;
  const forFiles = await preview({ value: 1, duration: year });
  assert.deepEqual(Object.keys(forFiles), ['files']);
  assert.deepEqual([forFiles.files.count, forFiles.files.bytes, forFiles.files.oldest], [1, 10, clock]);
  assert.equal(forFiles.files.deletes_more, true);
  assert.ok(isOfThisRun(forFiles.files.effective_at - DAY));
  assert.ok(forFiles.files.first_run_at > forFiles.files.effective_at);
  const forVoice = await preview({
    call_history: { value: 0 },
    call_recordings: { value: 0 },
    voicemails: { value: 1, duration: year },
    communication_history: { value: 0 },
  });
  assert.equal(Object.keys(forVoice).length, 4);
  assert.deepEqual([forVoice.voicemails.count, forVoice.call_history.count], [1, 0]);
  assert.deepEqual([forVoice.call_history.cutoff, forVoice.call_history.deletes_more], [null, false]);
  assert.deepEqual(Object.keys(await preview({ value: 0, canmark: 0 })), ['files']);
  assert.deepEqual(await snapshotTables(node, { except: ['sessions'] }), before);
});

test('a preview of an invalid rule is refused', async () => {
  for (const body of [
    {},
    [],
    null,
    { value: 1 },
    { value: 2 },
    { archived_notes: { value: 1 } },
    { unknown: { value: 1 } },
  ]) {
    const reply = await call(node, previewRetention, { as: team.admin, params: { teamId: team.id }, body });
    assert.equal(reply.status, 400, JSON.stringify(body));
  }
});
