import assert from 'node:assert/strict';
import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import {
  getFileRetention,
  getMeetingRetention,
  getMessageRetention,
  getNoteRetention,
  getTaskRetention,
  getVoiceRetention,
  saveFileRetention,
  saveMeetingRetention,
  saveMessageRetention,
  saveNoteRetention,
  saveTaskRetention,
  saveVoiceRetention,
} from '@steward/contract/retention';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { setDatabaseClock, setRule } from '#testing/workspace/retention.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let team: TestTeam;

const NOW = Date.UTC(2026, 10, 21, 14, 30);
const DAY = 86_400_000;

beforeAll(async () => {
  node = await startApp();
  await setDatabaseClock(node, NOW);
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  team = await createTeamWithMembers(node);
});

const read = async (endpoint: AnyEndpoint) =>
  (await call(node, endpoint, { as: team.admin, params: { teamId: team.id } })).body;
const save = (endpoint: AnyEndpoint, body: unknown) =>
  call(node, endpoint, { as: team.admin, params: { teamId: team.id }, body });

const year = { count: 1, period: 'y' };
const keep = { value: 0 };
const forAYear = { value: 1, duration: year };

const GROUPS: { get: AnyEndpoint; save: AnyEndpoint; kinds: string[] }[] = [
  {
    get: getMessageRetention,
    save: saveMessageRetention,
    kinds: ['public_channels', 'private_channels', 'direct_messages'],
  },
  { get: getNoteRetention, save: saveNoteRetention, kinds: ['archived_notes'] },
  { get: getTaskRetention, save: saveTaskRetention, kinds: ['completed_tasks'] },
  { get: getMeetingRetention, save: saveMeetingRetention, kinds: ['meeting_history', 'meeting_recordings'] },
  {
    get: getVoiceRetention,
    save: saveVoiceRetention,
    kinds: ['call_history', 'call_recordings', 'voicemails', 'communication_history'],
  },
];

describe('reading and saving', () => {
  test('a team without saved rules keeps everything', async () => {
    assert.deepEqual(await read(getFileRetention), { value: 0, canmark: 0 });
    for (const { get, kinds } of GROUPS) {
      const expected = kinds.map((kind) => [
        kind,
        kind === 'direct_messages' ? { value: 0, canmark: 0 } : { value: 0 },
      ]);
      assert.deepEqual(await read(get), Object.fromEntries(expected));
    }
  });

  for (const { get, save: saving, kinds } of GROUPS) {
    test(`${get.path}: returns what was saved, with the time it takes effect`, async () => {
      const body = Object.fromEntries(kinds.map((kind, at) => [kind, at === 0 ? forAYear : keep]));
      const reply = await save(saving, body);
      assert.equal(reply.status, 200);
      assert.deepEqual(reply.body, await read(get));
      const first = reply.body[kinds[0] as string];
      assert.deepEqual([first.value, first.duration, first.effective_at], [1, year, NOW + DAY]);
      assert.equal(first.in_force.value, 0);
      for (const kind of kinds.slice(1)) assert.equal(reply.body[kind].effective_at, undefined);
    });
  }

  test('saves marking for files and direct messages', async () => {
    const body = { value: 0, canmark: 1, duration: { count: 30, period: 'd' } };
    assert.equal((await save(saveFileRetention, body)).status, 200);
    assert.deepEqual(await read(getFileRetention), {
      ...body,
      effective_at: NOW + DAY,
      in_force: { value: 0, canmark: 0 },
    });
    const messages = { public_channels: keep, private_channels: keep, direct_messages: body };
    assert.equal((await save(saveMessageRetention, messages)).body.direct_messages.canmark, 1);
  });

  test('each team has its own rules', async () => {
    const other = team;
    await setRule(node, other.id, 'files', { value: 1, duration: { count: 1, period: 'd' }, canmark: 0 });
    team = await createTeamWithMembers(node);
    assert.deepEqual(await read(getFileRetention), { value: 0, canmark: 0 });
  });
});

describe('an invalid save', () => {
  const duration = (count: unknown, period: unknown = 'd') => ({ value: 1, duration: { count, period } });
  const WRONG: unknown[] = [
    {},
    [],
    null,
    'keep',
    { value: true },
    { value: '1', duration: year },
    { value: 2, duration: year },
    { value: -1 },
    { value: null },
    { value: 1 },
    { value: 1, duration: null },
    { value: 1, duration: {} },
    { value: 1, duration: [1, 'd'] },
    ...[0, -1, 1000, 1.5, '12abc', '1', '', null, true, [1], 1e3, Number.MAX_SAFE_INTEGER].map((count) =>
      duration(count),
    ),
    ...['D', 'w', 'h', 'days', '', null, 1, ['d'], '__proto__', 'constructor'].map((period) => duration(1, period)),
    // An invalid duration is refused even when value is 0: it would apply once value is 1.
    { value: 0, duration: { count: 0, period: 'd' } },
    { value: 0, canmark: 1 },
    { value: 0, canmark: 2 },
    { value: 0, canmark: true },
    { value: 0, canmark: '1', duration: year },
  ];

  test('is refused with the field named, and the current rule stays', async () => {
    await setRule(node, team.id, 'files', { value: 1, duration: { count: 7, period: 'm' }, canmark: 0 });
    const before = await snapshotTables(node, { except: ['sessions'] });
    for (const body of WRONG) {
      const reply = await save(saveFileRetention, body);
      assert.equal(reply.status, 400, JSON.stringify(body));
      assert.equal(reply.body.id, 'request.invalid');
    }
    assert.match((await save(saveFileRetention, duration(1.5))).body.message, /^duration\.count: /);
    assert.deepEqual(await snapshotTables(node, { except: ['sessions'] }), before);
  });

  test('of one setting refuses the whole group', async () => {
    const bodies = [
      { public_channels: forAYear, private_channels: forAYear, direct_messages: { value: 3 } },
      { public_channels: forAYear, private_channels: forAYear },
      { public_channels: duration(1000), private_channels: keep, direct_messages: keep },
    ];
    for (const body of bodies) assert.equal((await save(saveMessageRetention, body)).status, 400);
    assert.equal((await read(getMessageRetention)).public_channels.value, 0);
  });
});

describe('a stricter rule', () => {
  const files = (body: object) => save(saveFileRetention, body);
  const forMonths = (count: number) => ({ value: 1, canmark: 0, duration: { count, period: 'm' } });

  test('takes effect after a day; until then the current rule applies', async () => {
    await setRule(node, team.id, 'files', forMonths(12) as never);
    const { body } = await files(forMonths(3));
    assert.deepEqual(body, { ...forMonths(3), effective_at: NOW + DAY, in_force: forMonths(12) });
    await setDatabaseClock(node, NOW + DAY - 1);
    assert.equal((await read(getFileRetention)).effective_at, NOW + DAY);
    await setDatabaseClock(node, NOW + DAY);
    assert.deepEqual(await read(getFileRetention), forMonths(3));
    await setDatabaseClock(node, NOW);
  });

  test('keeps its time when saved again, and gets a new one when made stricter still', async () => {
    await files(forMonths(3));
    await setDatabaseClock(node, NOW + 3_600_000);
    assert.equal((await files(forMonths(3))).body.effective_at, NOW + DAY);
    assert.equal((await files(forMonths(2))).body.effective_at, NOW + 3_600_000 + DAY);
    await setDatabaseClock(node, NOW);
  });

  test('is canceled by saving the current rule or any less strict one', async () => {
    await setRule(node, team.id, 'files', forMonths(12) as never);
    await files(forMonths(3));
    assert.deepEqual((await files(forMonths(12))).body, forMonths(12));
    await files(forMonths(3));
    assert.deepEqual((await files(forMonths(24))).body, forMonths(24));
    await files(forMonths(3));
    assert.deepEqual((await files({ value: 0, canmark: 0 })).body, { value: 0, canmark: 0 });
  });

  test('does not delay the other rules of its group', async () => {
    await setRule(node, team.id, 'public_channels', forMonths(12) as never);
    const { body } = await save(saveMessageRetention, {
      public_channels: { value: 0 },
      private_channels: { value: 1, duration: year },
      direct_messages: { value: 0, canmark: 0 },
    });
    assert.equal(body.public_channels.effective_at, undefined);
    assert.equal(body.public_channels.value, 0);
    assert.equal(body.private_channels.effective_at, NOW + DAY);
  });
});

describe('a save', () => {
  test('writes one audit row and emails each owner; saved again, does neither', async () => {
    const body = { archived_notes: forAYear };
    assert.equal((await save(saveNoteRetention, body)).status, 200);
    const mail = await node.inbox.next(team.owner.email);
    assert.match(mail.subject, /^Team .*: retention rules changed$/);
    assert.match(
      mail.text,
      /Archived notes are deleted 1 year after they are archived\. This takes effect on November 22, 2026 at/,
    );
    assert.match(mail.text, /Until then: All archived notes are kept\./);
    assert.match(mail.text, /\/dashboard\/team_settings\/retention/);
    assert.equal((await save(saveNoteRetention, body)).status, 200);
    await settled(node);
    assert.deepEqual(node.inbox.waiting(team.owner.email), []);
    assert.deepEqual(node.inbox.waiting(team.admin.email), []);
    const lines = (await auditRows(node, 'retention.saved')).filter((row) => row.team_id === team.id);
    assert.equal(lines.length, 1);
    assert.equal(lines[0]?.actor_id, team.admin.id);
    assert.deepEqual(Object.keys(lines[0]?.details ?? {}), ['archived_notes']);
  });

  test('made concurrently leaves one save, whole, and each audit row has the state it replaced', async () => {
    await using wide = await startApp({ beside: node, work: false, pool: 8 });
    const toBody = (count: number) => {
      const rule = { value: 1, duration: { count, period: 'd' } };
      return { meeting_history: rule, meeting_recordings: rule };
    };
    const counts = Array.from({ length: 16 }, (_, at) => 10 + at);
    const params = { teamId: team.id };
    const sends = counts.map((count) =>
      call(wide, saveMeetingRetention, { as: team.admin, params, body: toBody(count) }),
    );
    for (const reply of await Promise.all(sends)) assert.equal(reply.status, 200);
    const saved = await read(getMeetingRetention);
    assert.deepEqual(saved.meeting_history.duration, saved.meeting_recordings.duration);
    const lines = (await auditRows(node, 'retention.saved')).filter((row) => row.team_id === team.id);
    const steps = lines.map(({ details }) => details.meeting_history as { before: object; after: object });
    assert.equal(steps.length, counts.length);
    const befores = steps.map(({ before }) => JSON.stringify(before));
    const afters = steps.map(({ after }) => JSON.stringify(after));
    // One save starts and one ends every state but the first and the last.
    assert.equal(new Set(befores).size, counts.length);
    assert.equal(befores.filter((before) => !afters.includes(before)).length, 1);
  });
});

test('an unreadable rule is reported, deletes nothing, and can be saved again', async () => {
  await setRule(node, team.id, 'archived_notes', forAYear as never);
  for (const stored of ['{"value":1,"duration":{"count":0,"period":"d"}}', '{"value":1}', '{"value":"x"}', '""']) {
    await sql`update retention_policies set rule = ${stored}::jsonb where team_id = ${team.id}`.execute(node.db);
    assert.deepEqual(await read(getNoteRetention), { archived_notes: { value: 0, unreadable: true } });
  }
  assert.equal((await save(saveNoteRetention, { archived_notes: keep })).body.archived_notes.unreadable, undefined);
});
