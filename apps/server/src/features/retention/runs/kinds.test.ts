import assert from 'node:assert/strict';
import { type Duration, RETENTION_KINDS, type RetentionKind } from '@steward/contract/retention/fields';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { team } from '#testing/workspace/factories.ts';
import { addChannels, addItem, getIds, setDatabaseClock, setRule } from '#testing/workspace/retention.ts';
import { RETENTION_TARGETS } from '../rules/retention-targets.ts';
import { startTeamRuns } from './runs.actions.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

const d = (count: number): Duration => ({ count, period: 'd' });
const m = (count: number): Duration => ({ count, period: 'm' });
const y = (count: number): Duration => ({ count, period: 'y' });

/** The start of a run, its time zone, the duration, and the first instant that is kept. */
const BOUNDARIES: [string, string, Duration, string][] = [
  ['2026-11-21T14:00:00.000Z', 'UTC', d(1), '2026-11-20T00:00:00.000Z'],
  ['2026-11-21T00:00:00.000Z', 'UTC', d(1), '2026-11-20T00:00:00.000Z'],
  ['2026-11-20T23:59:59.999Z', 'UTC', d(1), '2026-11-19T00:00:00.000Z'],
  // Month ends are clamped: 31 March less a month is the last day of February, in a leap year the 29th.
  ['2027-03-31T02:00:00.000Z', 'UTC', m(1), '2027-02-28T00:00:00.000Z'],
  ['2028-03-31T02:00:00.000Z', 'UTC', m(1), '2028-02-29T00:00:00.000Z'],
  ['2028-02-29T02:00:00.000Z', 'UTC', y(1), '2027-02-28T00:00:00.000Z'],
  ['2028-02-29T02:00:00.000Z', 'UTC', y(4), '2024-02-29T00:00:00.000Z'],
  ['2027-01-31T02:00:00.000Z', 'UTC', m(999), '1943-10-31T00:00:00.000Z'],
  // The day is that of the team's time zone, possibly a day ahead of or behind UTC.
  ['2026-11-21T10:30:00.000Z', 'Pacific/Kiritimati', d(1), '2026-11-20T10:00:00.000Z'],
  ['2026-11-21T09:30:00.000Z', 'Pacific/Kiritimati', d(1), '2026-11-19T10:00:00.000Z'],
  ['2026-11-21T10:30:00.000Z', 'Pacific/Niue', d(1), '2026-11-19T11:00:00.000Z'],
  // With daylight saving time, the rule counts from midnight, regardless of the hours between.
  ['2026-10-26T01:00:00.000Z', 'Europe/Berlin', d(1), '2026-10-24T22:00:00.000Z'],
  ['2026-04-20T00:00:00.000Z', 'Europe/Berlin', m(1), '2026-03-19T23:00:00.000Z'],
  // In Beirut the clocks jump at midnight, so that day begins at one.
  ['2027-03-29T00:00:00.000Z', 'Asia/Beirut', d(1), '2027-03-27T22:00:00.000Z'],
];

async function runAtBoundary(kind: RetentionKind, [moment, zone, duration, boundary]: (typeof BOUNDARIES)[number]) {
  const teamId = await team(node);
  await sql`update teams set time_zone = ${zone} where id = ${teamId}`.execute(node.db);
  const place = { teamId, kind, channels: await addChannels(node, teamId) };
  const cutoff = Date.parse(boundary);
  const expired = await addItem(node, place, { clock: cutoff - 1 });
  const fresh = await addItem(node, place, { clock: cutoff });
  await setRule(node, teamId, kind, { value: 1, duration });
  await setDatabaseClock(node, Date.parse(moment));
  const wanted = { teamId, origin: 'operator' as const, startedBy: null };
  const [run] = await startTeamRuns(node.deps, wanted, () => Date.parse(moment));
  const about = `${kind} at ${moment} in ${zone}, kept for ${duration.count}${duration.period}`;
  assert.equal(run?.state, 'finished', about);
  assert.equal(new Date(run?.cutoff ?? 0).toISOString(), boundary, about);
  assert.deepEqual([run?.scanned, run?.deleted, run?.failed], [1, 1, 0], about);
  const left = await getIds(node, teamId);
  assert.deepEqual([left.has(expired), left.has(fresh)], [false, true], about);
}

// All kinds have their cutoff from the same function, so one of them has every boundary.
test('an item a millisecond before the cutoff is deleted, and one at the cutoff is kept, in every zone', async () => {
  for (const boundary of BOUNDARIES) await runAtBoundary('files', boundary);
});

for (const kind of RETENTION_KINDS)
  test(`${kind}: an item a millisecond before the cutoff is deleted, and one at the cutoff is kept`, () =>
    runAtBoundary(kind, ['2026-11-21T10:30:00.000Z', 'Pacific/Kiritimati', d(1), '2026-11-20T10:00:00.000Z']));

test('every kind has a retention target, and nothing else has one', () => {
  assert.deepEqual(Object.keys(RETENTION_TARGETS).sort(), [...RETENTION_KINDS].sort());
});
