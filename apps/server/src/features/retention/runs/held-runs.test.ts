import assert from 'node:assert/strict';
import { addHold } from '@steward/contract/retention/holds';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { waitForLockWaiter } from '#testing/faults/wait-for-lock.ts';
import { findGeneralChannel, message } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { legalHold } from '#testing/workspace/holds.ts';
import { addChannels, addItem, getIds, queueRuns, runNow, setRecovery, setRule } from '#testing/workspace/retention.ts';
import { createBatchRunner } from './run-batch.actions.ts';
import { claimRun } from './runs.store.ts';

let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  team = await createTeamWithMembers(node);
});

const OLD = Date.UTC(2020, 0, 1);
const A_DAY = { value: 1 as const, duration: { count: 1, period: 'd' as const } };

test('a hold that is created during a run applies from its next batch', async () => {
  await setRecovery(node, team.id, 0);
  await setRule(node, team.id, 'public_channels', A_DAY);
  const channel = await findGeneralChannel(node, team.id);
  await sql`insert into messages (team_id, id, channel_id, channel_type, user_id, text, size, create_at, update_at)
    select ${team.id}, lpad(n::text, 26, 'm'), ${channel.id}, 'O', ${team.member.id}, 'm', 1, n, n
    from generate_series(1, 1500) n`.execute(node.db);
  const [run = assert.fail()] = await queueRuns(node, team.id);
  const claim = { ...run, holder: 'this' };
  const claimed = (await claimRun(node.db, claim)) ?? assert.fail();
  const batch = createBatchRunner(node.deps, { ...claim, ...claimed });
  assert.equal(await batch(), 'more');
  assert.equal((await getIds(node, team.id)).size, 500);
  await legalHold(node, { teamId: team.id, user_ids: [team.member.id] });
  await batch();
  assert.equal((await getIds(node, team.id)).size, 500);
  const { rows } = await sql<{ deleted: number; held: number }>`select deleted, held from retention_runs
    where id = ${run.runId}`.execute(node.db);
  assert.deepEqual(rows, [{ deleted: 1_000, held: 500 }]);
});

test('creating a hold waits for the batch that is being deleted', async () => {
  await setRule(node, team.id, 'files', { ...A_DAY, canmark: 0 });
  const body = { name: 'Dispute', reason: 'Case 12', user_ids: [team.member.id] };
  let reply: ReturnType<typeof call> | undefined;
  await node.db.transaction().execute(async (trx) => {
    await sql`select 1 from retention_policies where team_id = ${team.id} for share`.execute(trx);
    reply = call(node, addHold, { as: team.admin, params: { teamId: team.id }, body });
    await waitForLockWaiter(node, 'retention_policies');
  });
  assert.equal((await reply)?.status, 200);
});

test('what an interrupted run left marked is shown again if a hold covers it and it is whole', async () => {
  const channels = await addChannels(node, team.id);
  const add = (data?: string) =>
    addItem(node, { teamId: team.id, kind: 'files', channels }, { clock: OLD, ...(data && { data }) });
  const [whole, empty, broken] = [await add('whole'), await add(), await add('broken')];
  await sql`update files set doomed = true where team_id = ${team.id}`.execute(node.db);
  const { rows } = await sql<{ blob: string }>`select blob from files where id = ${broken}`.execute(node.db);
  await node.deps.blobs.remove(rows[0]?.blob ?? '');
  await legalHold(node, { teamId: team.id, settings: ['files'] });
  await setRule(node, team.id, 'files', { ...A_DAY, canmark: 0 });
  await runNow(node, team.id);
  const left = await sql<{
    id: string;
    doomed: boolean;
  }>`select id, doomed from files where team_id = ${team.id}`.execute(node.db);
  assert.deepEqual(
    left.rows.map(({ id, doomed }) => [id, doomed]).sort(),
    [
      [whole, false],
      [empty, false],
    ].sort(),
  );
});

test('a run that is interrupted before its end counts held items once', async () => {
  const channel = await findGeneralChannel(node, team.id);
  for (const createAt of [OLD, OLD + 1]) await message(node, team.id, { channel, userId: team.member.id, createAt });
  await legalHold(node, { teamId: team.id, user_ids: [team.member.id] });
  await setRule(node, team.id, 'public_channels', A_DAY);
  const [run = assert.fail()] = await queueRuns(node, team.id);
  const claim = { ...run, holder: 'this' };
  const claimed = (await claimRun(node.db, claim)) ?? assert.fail();
  await createBatchRunner(node.deps, { ...claim, ...claimed })();
  await sql`update retention_runs set holder = null where id = ${run.runId}`.execute(node.db);
  const [ended] = await runNow(node, team.id);
  assert.deepEqual([ended?.id, ended?.held, ended?.state], [run.runId, 2, 'finished']);
});
