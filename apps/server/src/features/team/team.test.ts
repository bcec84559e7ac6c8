import assert from 'node:assert/strict';
import { listTeams } from '@steward/contract/session/teams';
import { getTeamSettings, previewTimeZone, saveTeamSettings } from '@steward/contract/team';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { runDueWork } from '#features/retention/runs/nightly-run.job.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { createTeamWithMembers, signedIn, type TestTeam } from '#testing/workspace/factories.ts';
import { setRule } from '#testing/workspace/retention.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { toNight } from '#workspace/content/retention/cutoff.rules.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  ours = await createTeamWithMembers(node, 'Acme');
  await sql`update teams set time_zone = 'UTC' where id = ${ours.id}`.execute(node.db);
});

const save = (body: object, as = ours.owner) => call(node, saveTeamSettings, { as, params: { teamId: ours.id }, body });
const read = () => call(node, getTeamSettings, { as: ours.owner, params: { teamId: ours.id } });
const preview = (time_zone: string) =>
  call(node, previewTimeZone, { as: ours.owner, params: { teamId: ours.id }, query: { time_zone } });

/** The session proved its user's identity an hour ago. */
const age = (userId: string) =>
  sql`update sessions set auth_at = now() - interval '1 hour' where person_id = ${userId}`.execute(node.db);

describe('the settings of a team', () => {
  test('have a name like other names, and every member sees the new one', async () => {
    const reply = await save({ display_name: '  Acme\u00a0 Cafe\u0301  ' });
    assert.deepEqual(reply.body, { display_name: 'Acme Café', time_zone: 'UTC' });
    assert.deepEqual((await read()).body, reply.body);
    const listed = await call(node, listTeams, { as: ours.member, params: { userId: ours.member.id } });
    assert.equal(listed.body[0].display_name, 'Acme Café');
    assert.deepEqual((await auditRows(node, 'teams.saved')).at(-1), {
      team_id: ours.id,
      actor_id: ours.owner.id,
      target: ours.id,
      details: { before: { display_name: 'Acme' }, after: { display_name: 'Acme Café' } },
    });
  });

  test('refuse a name that is empty, too long or a web address, and a zone that isn’t one', async () => {
    const before = await snapshotTables(node);
    for (const body of [
      { display_name: ' \u200b ' },
      { display_name: 'x'.repeat(101) },
      { display_name: 'www.evil.example' },
      { display_name: null },
      { time_zone: '' },
      { time_zone: 'Mars/Olympus' },
      { time_zone: '+01:00' },
      { time_zone: `Europe/${'x'.repeat(64)}` },
      { time_zone: 'UTC; drop table teams' },
      { display_name: 'Fine', time_zone: 'Nowhere' },
    ])
      assert.deepEqual([(await save(body)).status, (await save(body)).body.id], [400, 'request.invalid']);
    assert.equal((await preview('Mars/Olympus')).status, 400);
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('that stay as they are write nothing', async () => {
    const before = await snapshotTables(node);
    assert.equal((await save({ display_name: 'Acme', time_zone: 'UTC' })).status, 200);
    assert.equal((await save({})).status, 200);
    assert.deepEqual(await snapshotTables(node), before);
  });
});

describe('another time zone', () => {
  test('needs a recent confirmation, which another name does not', async () => {
    const owner = await signedIn(node, { team: ours.id, kind: 'owner' });
    await age(owner.id);
    const refused = await save({ display_name: 'Both', time_zone: 'Asia/Tokyo' }, owner);
    assert.deepEqual([refused.status, refused.body.id], [403, 'session.reauth_required']);
    assert.deepEqual((await read()).body, { display_name: 'Acme', time_zone: 'UTC' });
    assert.equal((await save({ display_name: 'Name alone', time_zone: 'UTC' }, owner)).status, 200);
  });

  test('is recorded with the one before, and the other owners and admins get an email', async () => {
    assert.equal((await save({ time_zone: 'Asia/Tokyo' })).status, 200);
    assert.deepEqual((await auditRows(node, 'teams.saved')).at(-1)?.details, {
      before: { time_zone: 'UTC' },
      after: { time_zone: 'Asia/Tokyo' },
    });
    const mails = node.db.selectFrom('mails').select(['kind', 'recipient']).where('team_id', '=', ours.id);
    assert.deepEqual(await mails.execute(), [{ kind: 'notices.retention', recipient: ours.admin.email }]);
  });

  test('shows the next run and the cutoffs of rules before it is saved, and saving leads to exactly these', async () => {
    await setRule(node, ours.id, 'archived_notes', { value: 1, duration: { count: 30, period: 'd' } });
    const before = await snapshotTables(node);
    const { current, next } = (await preview('Pacific/Kiritimati')).body;
    assert.deepEqual(await snapshotTables(node), before);
    assert.deepEqual([current.time_zone, next.time_zone], ['UTC', 'Pacific/Kiritimati']);
    for (const { next_run_at, cutoffs, time_zone } of [current, next]) {
      const hour = new Intl.DateTimeFormat('en-US', { timeZone: time_zone, hour: 'numeric', hourCycle: 'h23' });
      assert.equal(hour.format(next_run_at), '02');
      assert.deepEqual(
        cutoffs.map(({ kind, at }: { kind: string; at: number }) => [kind, hour.format(at)]),
        [['archived_notes', '00']],
      );
    }
    await save({ time_zone: 'Pacific/Kiritimati' });
    assert.deepEqual((await preview('UTC')).body, { current: next, next: current });
  });

  for (const zone of ['Pacific/Kiritimati', 'Pacific/Niue', 'America/New_York'])
    test(`starts the next run at the next 2:00 AM in ${zone}, neither at once nor a day late`, async () => {
      await setRule(node, ours.id, 'archived_notes', { value: 1, duration: { count: 30, period: 'd' } });
      const { rows } = await sql<{
        now: number;
      }>`select floor(extract(epoch from now()) * 1000)::float8 as now`.execute(node.db);
      const now = rows[0]?.now ?? 0;
      await sql`insert into retention_nights (team_id, night) values (${ours.id}, ${toNight(now, 'UTC')})
        on conflict (team_id) do update set night = excluded.night`.execute(node.db);
      await save({ time_zone: zone });
      await runDueWork(node.deps, Date.now);
      const runs = await sql`select 1 from retention_runs where team_id = ${ours.id}`.execute(node.db);
      assert.equal(runs.rows.length, 0);
      const nights = await sql<{
        night: string;
      }>`select night::text from retention_nights where team_id = ${ours.id}`.execute(node.db);
      const { current } = (await preview('UTC')).body;
      assert.ok((nights.rows[0]?.night ?? '') < toNight(current.next_run_at, zone));
      assert.equal(nights.rows[0]?.night, toNight(current.next_run_at - 1, zone));
    });
});
