import assert from 'node:assert/strict';
import { saveNoteRetention } from '@steward/contract/retention';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { addChannels, addItem, setDatabaseClock, setRule } from '#testing/workspace/retention.ts';
import { claimNight } from '#workspace/content/retention/nights.store.ts';
import { markReminded } from '../rules/rules.store.ts';
import { runDueWork } from './nightly-run.job.ts';
import { listRuns } from './runs.store.ts';

let node: TestApp;
let team: TestTeam;
let now = 0;

beforeAll(async () => {
  node = await startApp();
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  await sql`delete from retention_nights`.execute(node.db);
  await sql`delete from retention_policies`.execute(node.db);
  team = await createTeamWithMembers(node);
  await sql`update teams set time_zone = 'Europe/Berlin' where id = ${team.id}`.execute(node.db);
});

const at = async (text: string) => {
  now = Date.parse(text);
  await setDatabaseClock(node, now);
};
const runDue = () => runDueWork(node.deps, () => now);
const runs = () => listRuns(node.db, team.id, { kind: undefined, before: undefined, limit: 100 });
const A_DAY = { value: 1 as const, duration: { count: 1, period: 'd' as const } };
const save = (rule: object) =>
  call(node, saveNoteRetention, { as: team.admin, params: { teamId: team.id }, body: { archived_notes: rule } });
const endRuns = () => sql`update retention_runs set state = 'finished' where team_id = ${team.id}`.execute(node.db);

/** The rule is already current, so only the clock decides. */
const addRule = async () => {
  await save(A_DAY);
  await setRule(node, team.id, 'archived_notes', A_DAY);
};

test('runs start at 02:00 in the team zone, once a night', async () => {
  await at('2026-11-21T12:00:00Z');
  await addRule();
  await runDue();
  assert.equal((await runs()).length, 0);
  await at('2026-11-22T00:59:59Z');
  await runDue();
  assert.equal((await runs()).length, 0);
  await at('2026-11-22T01:00:00Z');
  await Promise.all([runDue(), runDue(), runDue()]);
  assert.equal((await runs()).length, 1);
  assert.equal((await runs())[0]?.started_by_name, 'Nightly run');
  await endRuns();
  await at('2026-11-22T23:00:00Z');
  await runDue();
  assert.equal((await runs()).length, 1);
  await at('2026-11-23T01:00:30Z');
  await runDue();
  assert.equal((await runs()).length, 2);
  await endRuns();
});

test('a server that was off for a week runs once when it is back', async () => {
  await at('2026-11-21T12:00:00Z');
  await addRule();
  await at('2026-11-28T15:00:00Z');
  await runDue();
  await runDue();
  assert.equal((await runs()).length, 1);
  await endRuns();
});

test('a new rule does not run for the night that has already passed', async () => {
  await at('2026-11-21T12:00:00Z');
  await save(A_DAY);
  await at('2026-11-22T01:00:10Z');
  await runDue();
  await at('2026-11-22T12:00:01Z');
  await runDue();
  assert.equal((await runs()).length, 0);
  await at('2026-11-23T01:00:10Z');
  await runDue();
  assert.equal((await runs()).length, 1);
  await endRuns();
});

test('no night is claimed while the clocks disagree, and none is lost', async () => {
  await at('2026-11-21T12:00:00Z');
  await addRule();
  await setDatabaseClock(node, Date.parse('2026-11-23T12:00:00Z'));
  await runDue();
  assert.equal((await runs()).length, 0);
  now = Date.parse('2026-11-23T12:00:00Z');
  await runDue();
  assert.equal((await runs()).length, 1);
  await endRuns();
});

test('owners get one email before the first run of a rule, with what it would delete', async () => {
  await at('2026-11-21T12:00:00Z');
  const place = { teamId: team.id, kind: 'archived_notes' as const, channels: await addChannels(node, team.id) };
  await addItem(node, place, { clock: Date.parse('2026-03-01T10:00:00Z') });
  await addItem(node, place, { clock: Date.parse('2026-11-21T10:00:00Z') });
  await save(A_DAY);
  assert.match((await node.inbox.next(team.owner.email)).subject, /retention rules changed$/);
  await at('2026-11-21T23:59:00Z');
  await runDue();
  assert.deepEqual(node.inbox.waiting(team.owner.email), []);
  await at('2026-11-22T00:00:01Z');
  await Promise.all([runDue(), runDue()]);
  const mail = await node.inbox.next(team.owner.email);
  assert.match(mail.subject, /^Team .*: content will be deleted on Nov 23, 2026$/);
  assert.match(mail.text, /would delete 1 note today\. The oldest is from Mar 1, 2026\./);
  assert.match(mail.text, /first run is on November 23, 2026 at 2:00 AM Central European Standard Time/);
  await runDue();
  assert.deepEqual(node.inbox.waiting(team.owner.email), []);
});

test('a canceled change is not announced', async () => {
  await at('2026-11-21T12:00:00Z');
  await save(A_DAY);
  await node.inbox.next(team.owner.email);
  await save({ value: 0 });
  assert.match((await node.inbox.next(team.owner.email)).text, /was canceled\. All archived notes are kept\./);
  await at('2026-11-22T11:00:00Z');
  await runDue();
  assert.deepEqual(node.inbox.waiting(team.owner.email), []);
});

test('of two nodes, one claims the night and one sends the email', async () => {
  await at('2026-11-21T12:00:00Z');
  await save(A_DAY);
  const waiting = { team_id: team.id, kind: 'archived_notes' as const };
  const twice = async (work: (trx: Trx) => Promise<boolean>) => [
    await inTransaction(node.db, work),
    await inTransaction(node.db, work),
  ];
  assert.deepEqual(await twice((trx) => claimNight(trx, team.id, '2026-11-22')), [true, false]);
  assert.deepEqual(await twice((trx) => markReminded(trx, waiting)), [true, false]);
});

test('an error in one team does not hold up another, and the team catches up once it is fixed', async () => {
  await at('2026-11-21T12:00:00Z');
  await addRule();
  // Created later, so it is processed after the broken one.
  const other = await createTeamWithMembers(node);
  const body = { archived_notes: A_DAY };
  await call(node, saveNoteRetention, { as: other.admin, params: { teamId: other.id }, body });
  await setRule(node, other.id, 'archived_notes', A_DAY);
  const broken = `alter table retention_runs add constraint none_of_it check (team_id <> '${team.id}')`;
  await sql.raw(broken).execute(node.db);
  await at('2026-11-22T12:00:00Z');
  await runDue();
  const theirs = await listRuns(node.db, other.id, { kind: undefined, before: undefined, limit: 9 });
  assert.deepEqual([(await runs()).length, theirs.length], [0, 1]);
  assert.ok(node.log.some((line) => line.includes('due work failed') && line.includes(team.id)));
  await sql`alter table retention_runs drop constraint none_of_it`.execute(node.db);
  await runDue();
  assert.equal((await runs()).length, 1);
  await endRuns();
});
