import assert from 'node:assert/strict';
import { listUsers, type UserAction } from '@steward/contract/users';
import { BulkAction, type BulkJob, getBulk, startBulk } from '@steward/contract/users/bulk';
import { setOwner } from '@steward/contract/users/lifecycle';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { createBatchQueue } from '#platform/jobs/work-in-turns.ts';
import { call } from '#testing/app/call.ts';
import { cleanUp } from '#testing/app/clean-up.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { serviceToken } from '#testing/workspace/content.ts';
import { setEnd } from '#testing/workspace/ends.ts';
import {
  addMembers,
  createTeamWithMembers,
  deactivate,
  invite,
  signedIn,
  type TestTeam,
  user,
} from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { saveRoles } from '#workspace/users/memberships.store.ts';
import { getAbilities } from '../users.policy.ts';
import { createResumeBulkWorker, processBatches } from './bulk.job.ts';
import { findTargets } from './bulk-targets.store.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 4 });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  ours = await createTeamWithMembers(node);
});

const bulk = (body: object, as = ours.admin) =>
  call(node, startBulk, { as, params: { teamId: ours.id }, body: { filter: {}, ...body } });
const byIds = (action: BulkAction, user_ids: string[], as = ours.admin) =>
  call(node, startBulk, { as, params: { teamId: ours.id }, body: { action, user_ids } });
const progress = async (jobId: string): Promise<BulkJob> =>
  (await call(node, getBulk, { as: ours.admin, params: { teamId: ours.id, jobId } })).body;
const list = async () => {
  const query = { deactivated_accounts: '1', limit: '2000' };
  return (await call(node, listUsers, { as: ours.owner, params: { teamId: ours.id }, query })).body.records;
};
const getState = async (id: string) => (await list()).find((row: { id: string }) => row.id === id)?.state;
const audits = async () => (await auditRows(node, 'users.bulk_changed')).filter(({ team_id }) => team_id === ours.id);

/** Runs an action to its end. */
async function run(action: BulkAction, ids: string[], as = ours.admin): Promise<BulkJob> {
  const { status, body } = await byIds(action, ids, as);
  assert.equal(status, 200, JSON.stringify(body));
  await settled(node);
  return progress(body.id);
}

async function addJob(job: {
  action: BulkAction;
  ids?: string[];
  filter?: object;
  by?: { id: string };
  heardOf?: string;
}): Promise<string> {
  const { action, ids = null, filter, by = ours.admin, heardOf = '0' } = job;
  const jobId = newId();
  await sql`insert into user_jobs (team_id, id, action, started_by, user_ids, filter, joined_until, total, touched_at)
    values (${ours.id}, ${jobId}, ${action}, ${by.id}, ${ids}, ${filter && JSON.stringify(filter)}::jsonb, ${Date.now() - 1},
      1, now() - ${heardOf}::interval)`.execute(node.db);
  return jobId;
}

const work = (jobId: string) =>
  processBatches(node.deps, { teamId: ours.id, jobId }, { queue: createBatchQueue(), turnMs: 0 });

describe('an action on chosen users', () => {
  test('deactivate ends their access as the action on one user does, and skips whom that refuses', async () => {
    const who = await signedIn(node, { team: ours.id, kind: 'admin' });
    await serviceToken(node, ours.id, { createdBy: who.id });
    const everyone = [who.id, ours.owner.id, ours.admin.id, ours.zendesk.id, ours.pending.id, newId()];
    const job = await run('deactivate', everyone);
    assert.deepEqual(job, {
      id: job.id,
      action: 'deactivate',
      state: 'done',
      total: 6,
      done: 1,
      skipped: ['not_found', 'owner', 'self', 'state', 'zendesk'].map((reason) => ({ reason, count: 1 })),
      failed: [],
      error: null,
    });
    assert.equal(await getState(who.id), 'deactivated');
    const left = await sql`select id from sessions where person_id = ${who.id}
      union all select id from service_tokens where created_by = ${who.id} and stopped_at is null`.execute(node.db);
    assert.deepEqual(left.rows, []);
    assert.deepEqual(await audits(), [
      {
        team_id: ours.id,
        actor_id: ours.admin.id,
        target: job.id,
        details: { bulk_action: 'deactivate', user_ids: [who.id], sessions: 1, links: 0, tokens: 1 },
      },
    ]);
    assert.equal((await run('deactivate', [who.id])).done, 0, 'again it changes no one');
    assert.equal((await run('reactivate', [who.id])).done, 1);
    assert.equal(await getState(who.id), 'active');
  });

  test('revoke ends sessions of owners too, and no memberships', async () => {
    const job = await run('revoke', [ours.owner.id, ours.member.id, ours.pending.id]);
    assert.deepEqual([job.done, job.skipped], [2, [{ reason: 'state', count: 1 }]]);
    assert.equal((await audits()).at(-1)?.details.sessions, 2);
  });

  test('remove takes members, deactivated ones and invitations out of the team', async () => {
    const gone = await user(node, { team: ours.id, deactivated: true });
    const ids = [gone.id, ours.member.id, ours.pending.id];
    assert.equal((await run('remove', ids)).done, 3);
    assert.deepEqual(
      (await list()).filter(({ id }: { id: string }) => ids.includes(id)),
      [],
    );
  });

  test('roles change for members and invitations, and tokens of a former admin end', async () => {
    const other = await user(node, { team: ours.id, kind: 'admin' });
    await serviceToken(node, ours.id, { createdBy: other.id });
    assert.equal((await run('make_admin', [ours.member.id, ours.pending.id, other.id])).done, 2);
    const job = await run('make_user', [other.id, ours.member.id, ours.owner.id], ours.owner);
    assert.deepEqual([job.done, job.skipped], [2, [{ reason: 'self', count: 1 }]]);
    assert.equal((await audits()).at(-1)?.details.tokens, 1);
  });

  test('invitations are sent again or canceled, for pending invitees only', async () => {
    const ids = [ours.pending.id, ours.member.id];
    assert.deepEqual((await run('resend', ids)).skipped, [{ reason: 'state', count: 1 }]);
    assert.match((await node.inbox.next(ours.pending.email)).text, /signup_confirm\?token=/);
    assert.equal((await run('cancel_invitation', ids)).done, 1);
    assert.equal(await getState(ours.pending.id), undefined);
  });

  test('the existing owners and admins get one email about many new admins', async () => {
    const added = [ours.member.id, (await user(node, { team: ours.id })).id];
    await run('make_admin', added);
    const { text } = await node.inbox.next(ours.owner.email);
    assert.match(text, /is making 2 users admins of/);
    const mails = node.db.selectFrom('mails').select('recipient').where('kind', '=', 'notices.new_admin');
    const recipients = (await mails.where('team_id', '=', ours.id).execute()).map(({ recipient }) => recipient);
    assert.deepEqual(recipients, [ours.owner.email]);
  });

  test('an id that is given twice counts once', async () => {
    const job = await run('make_admin', [ours.member.id, ours.member.id]);
    assert.deepEqual([job.total, job.done], [1, 1]);
  });

  test('owners touch other owners, and never the last', async () => {
    const second = await user(node, { team: ours.id, kind: 'owner' });
    assert.equal((await run('deactivate', [second.id])).skipped[0]?.reason, 'owner');
    const job = await run('deactivate', [second.id, ours.owner.id], ours.owner);
    assert.deepEqual([job.done, job.skipped], [1, [{ reason: 'self', count: 1 }]]);
    assert.equal(await getState(ours.owner.id), 'active');
  });

  test('no action makes an owner', () => {
    assert.deepEqual(
      BulkAction.options.filter((action) => action.includes('owner')),
      [],
    );
  });
});

describe('an action on what the list shows', () => {
  test('a dry run counts what the job then does, and changes nothing', async () => {
    await addMembers(node, ours.id, 30);
    const gone = await user(node, { team: ours.id, deactivated: true });
    const filter = { except: [ours.member.id], deactivated_accounts: '1' };
    const tables = await snapshotTables(node);
    const { body } = await bulk({ action: 'deactivate', filter, dry_run: true });
    assert.deepEqual(await snapshotTables(node), tables);
    assert.deepEqual(body, {
      affected: 30,
      skipped: [
        { reason: 'owner', count: 1 },
        { reason: 'self', count: 1 },
        { reason: 'state', count: 2 },
        { reason: 'zendesk', count: 1 },
      ],
    });
    const started = await bulk({ action: 'deactivate', filter });
    await settled(node);
    const job = await progress(started.body.id);
    assert.deepEqual([job.total, job.done, job.skipped], [35, body.affected, body.skipped]);
    assert.equal(await getState(ours.member.id), 'active', 'without the one that was left out');
    assert.equal(await getState(gone.id), 'deactivated');
  });

  test('search and account kinds select as in the list', async () => {
    const found = await user(node, { team: ours.id, first_name: 'Wilhelmina' });
    const filter = { search: ' wilhelm ', member: '1' };
    const { body } = await bulk({ action: 'make_admin', filter });
    await settled(node);
    assert.equal((await progress(body.id)).total, 1);
    const row = (await list()).find(({ id }: { id: string }) => id === found.id);
    assert.equal(row.account_type, 1);
  });

  test('every query of the list selects whom the list shows', async () => {
    const add = () => user(node, { team: ours.id });
    const [early, busy, gone] = [await add(), await add(), await add()];
    await invite(node, { teamId: ours.id, email: `${newId()}@example.test`, kind: 'admin' });
    await deactivate(node, ours.id, gone.id);
    const at = (days: number) => Date.now() - days * 86_400_000;
    await sql`update memberships set invited_at = ${at(15)} where team_id = ${ours.id} and email is not null`.execute(
      node.db,
    );
    await sql`update memberships set last_active_at = case person_id when ${early.id} then ${at(40)}::bigint
      when ${busy.id} then ${at(20)}::bigint end where team_id = ${ours.id}`.execute(node.db);
    const on = (...names: string[]) => Object.fromEntries(names.map((name) => [name, '1']));
    const queries = [
      on('pending'),
      on('pending', 'primary_owner'),
      on('workspace_admin', 'deactivated_accounts'),
      { inactive_days: '30' },
      { active_days: '30' },
      { inactive_days: '10', member: '1', sort: 'last_active', order: 'desc' },
      { search: 'example', ...on('pending', 'member') },
      on('without_second_factor', 'primary_owner', 'workspace_admin'),
      { invited_days: '14', ...on('pending') },
    ];
    for (const query of queries) {
      const params = { teamId: ours.id };
      const shown = (await call(node, listUsers, { as: ours.owner, params, query })).body.records;
      const { body } = await bulk({ action: 'revoke', filter: query, dry_run: true }, ours.owner);
      const seen = body.skipped.reduce((sum: number, { count }: { count: number }) => sum + count, body.affected);
      assert.equal(seen, shown.length, JSON.stringify(query));
      assert.ok(shown.length > 0, JSON.stringify(query));
    }
  });

  test('users who join after it started are left alone', async () => {
    const jobId = await addJob({ action: 'deactivate', filter: { member: '1' } });
    const late = await user(node, { team: ours.id });
    await work(jobId);
    assert.equal((await progress(jobId)).done, 1);
    assert.equal(await getState(late.id), 'active');
  });
});

describe('a running job', () => {
  test('is the only one of its team', async () => {
    await addJob({ action: 'revoke', ids: [] });
    const reply = await byIds('revoke', [ours.member.id]);
    assert.deepEqual([reply.status, reply.body.id], [409, 'users.bulk_running']);
  });

  test('stops when the person who started it is no longer an admin', async () => {
    const jobId = await addJob({ action: 'deactivate', ids: [ours.member.id] });
    await inTransaction(node.db, (trx) =>
      saveRoles(trx, { teamId: ours.id, userId: ours.admin.id, roles: ['team_user'] }),
    );
    await work(jobId);
    const { body } = await call(node, getBulk, { as: ours.owner, params: { teamId: ours.id, jobId } });
    assert.deepEqual([body.state, body.error, body.done], ['failed', 'team.admin_required', 0]);
    assert.equal(await getState(ours.member.id), 'active');
  });

  test('does not touch owners once the person who started it is no longer one', async () => {
    const second = await user(node, { team: ours.id, kind: 'owner' });
    const jobId = await addJob({ action: 'deactivate', ids: [second.id], by: ours.owner });
    const params = { teamId: ours.id, userId: ours.owner.id };
    const other = await signedIn(node, { team: ours.id, kind: 'owner' });
    assert.equal((await call(node, setOwner, { as: other, params, body: { owner: false } })).status, 200);
    await work(jobId);
    assert.deepEqual((await progress(jobId)).skipped, [{ reason: 'owner', count: 1 }]);
  });

  test('lists a user who could not be changed, and changes the others', async () => {
    await addMembers(node, ours.id, 5);
    await sql`create function refuse_one() returns trigger language plpgsql as $$ begin
      if new.deactivated and new.search like '%stubborn%' then raise exception 'no' using errcode = '23514'; end if;
      return new; end $$`.execute(node.db);
    await sql`create trigger refuse_one before update on memberships for each row execute function refuse_one()`.execute(
      node.db,
    );
    const stubborn = await user(node, { team: ours.id, first_name: 'Stubborn' });
    const { body } = await bulk({ action: 'deactivate', filter: { member: '1' } });
    await settled(node);
    await sql`drop trigger refuse_one on memberships`.execute(node.db);
    const job = await progress(body.id);
    assert.deepEqual([job.state, job.done, job.failed], ['done', 6, [{ user_id: stubborn.id, error: 'server.error' }]]);
  });

  test('that lost its queue entry is started again, and old ones are removed', async () => {
    const old = await addJob({ action: 'revoke', ids: [] });
    await sql`update user_jobs set state = 'done', ended_at = now() - interval '31 days' where id = ${old}`.execute(
      node.db,
    );
    const jobId = await addJob({ action: 'make_admin', ids: [ours.member.id], heardOf: '6 minutes' });
    await cleanUp(node);
    await createResumeBulkWorker(node.deps).handle(undefined, { id: '', attempt: 1, isLast: false });
    await settled(node);
    assert.equal((await progress(jobId)).state, 'done');
    assert.equal((await call(node, getBulk, { as: ours.admin, params: { teamId: ours.id, jobId: old } })).status, 404);
  });

  test('is unknown to other teams', async () => {
    const theirs = await createTeamWithMembers(node);
    const { body } = await byIds('revoke', [ours.member.id]);
    const params = { teamId: theirs.id, jobId: body.id };
    assert.equal((await call(node, getBulk, { as: theirs.admin, params })).status, 404);
    const foreign = await call(node, startBulk, {
      as: theirs.admin,
      params: { teamId: theirs.id },
      body: { action: 'remove', user_ids: [ours.member.id], dry_run: true },
    });
    assert.deepEqual(foreign.body, { affected: 0, skipped: [{ reason: 'not_found', count: 1 }] });
    await settled(node);
  });

  test('works in batches, each with an audit row, and changes everyone once', async () => {
    await addMembers(node, ours.id, 210);
    const { body } = await bulk({ action: 'deactivate', filter: { member: '1' } });
    await settled(node);
    assert.equal((await progress(body.id)).done, 211);
    const ids = (await audits()).map(({ details }) => details.user_ids as string[]);
    assert.equal(ids.length, 3);
    assert.deepEqual([ids.flat().length, new Set(ids.flat()).size], [211, 211]);
  });
});

describe('end dates of many users', () => {
  const DAY_MS = 86_400_000;
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  const change = async (action: BulkAction, user_ids: string[], ends_on?: string) => {
    const reply = await call(node, startBulk, {
      as: ours.admin,
      params: { teamId: ours.id },
      body: { action, user_ids, ...(ends_on && { ends_on }) },
    });
    assert.equal(reply.status, 200, reply.text);
    await settled(node);
    return progress(reply.body.id);
  };
  const ends = async (ids: string[]) => {
    const rows: { id: string; ends_on: string | null }[] = await list();
    return ids.map((id) => rows.find((row) => row.id === id)?.ends_on);
  };

  test('are set and removed, of members and invitees, and the audit log has the old and the new ones', async () => {
    const ada = await user(node, { team: ours.id });
    const ids = [ada.id, ours.member.id, ours.pending.id];
    await change('set_end', [ada.id], inDays(10));
    const skipping = [...ids, ours.admin.id, ours.owner.id, ours.zendesk.id];
    const job = await change('set_end', skipping, inDays(20));
    assert.deepEqual([job.done, job.skipped.map(({ reason }) => reason)], [3, ['owner', 'self', 'zendesk']]);
    assert.deepEqual(await ends(ids), [inDays(20), inDays(20), inDays(20)]);
    const changed = (await audits()).at(-1)?.details.end_dates as { user_ids: string[]; before: object }[];
    assert.deepEqual(
      new Map(changed.flatMap(({ user_ids, before }) => user_ids.map((id) => [id, before]))),
      new Map([
        [ada.id, { ends_on: inDays(10) }],
        [ours.member.id, { ends_on: null }],
        [ours.pending.id, { ends_on: null }],
      ]),
    );
    assert.equal((await change('set_end', ids, inDays(20))).done, 0, 'nothing to change');
    assert.equal((await change('remove_end', ids)).done, 3);
    assert.deepEqual(await ends(ids), [null, null, null]);
  });

  test('that have passed are removed when access is restored, and later ones stay', async () => {
    const [ada, bob] = [await user(node, { team: ours.id }), await user(node, { team: ours.id })];
    await setEnd(node, { teamId: ours.id, userId: ada.id });
    await change('set_end', [bob.id], inDays(20));
    await run('deactivate', [bob.id]);
    assert.equal((await run('reactivate', [ada.id, bob.id])).done, 2);
    assert.deepEqual(await ends([ada.id, bob.id]), [null, inDays(20)]);
    assert.deepEqual(await Promise.all([ada.id, bob.id].map(getState)), ['active', 'active']);
  });
});

/** A bulk action applies to users for whom the list offers one of these. */
const OFFERED: Record<BulkAction, readonly UserAction[]> = {
  revoke: ['revoke_sessions'],
  deactivate: ['deactivate'],
  reactivate: ['reactivate'],
  remove: ['remove', 'cancel_invitation'],
  make_admin: ['edit'],
  make_user: ['edit'],
  set_end: ['edit'],
  remove_end: ['edit'],
  resend: ['resend_invitation'],
  cancel_invitation: ['cancel_invitation'],
};

/** No user of the test has an end date. */
function isChangedBy(action: BulkAction, { account_type }: { account_type: number }): boolean {
  if (action === 'make_admin') return account_type === 2;
  return action === 'make_user' ? account_type === 1 : action !== 'remove_end';
}

test('an action applies exactly to those for whom the list offers it', async () => {
  for (const kind of ['owner', 'admin', 'member'] as const)
    for (const deactivated of [false, true]) await user(node, { team: ours.id, kind, deactivated });
  await user(node, { team: ours.id, kind: 'admin', pending: true });
  const rows = await list();
  assert.equal(rows.length, 12);
  for (const as of [ours.admin, ours.owner]) {
    const caller = {
      userId: as.id,
      roles: as === ours.owner ? ['team_user', 'team_admin', 'team_owner'] : ['team_user', 'team_admin'],
    };
    for (const action of BulkAction.options) {
      const ids = rows.map(({ id }: { id: string }) => id);
      const operation = { action, caller, ids, endsOn: action === 'set_end' ? '2027-03-31' : null };
      const targets = await inTransaction(node.db, (trx) => findTargets(trx, ours.id, operation));
      const applies = new Set(targets.filter(({ reason }) => reason === null).map(({ id }) => id));
      for (const row of rows) {
        const offered = getAbilities(row, caller).abilities.some((ability) => OFFERED[action].includes(ability));
        assert.equal(
          applies.has(row.id),
          offered && isChangedBy(action, row),
          `${action} ${row.state} ${row.roles} by ${caller.roles}`,
        );
      }
    }
  }
});

test('wrong requests are refused without any change', async () => {
  const tables = await snapshotTables(node);
  const ids = [ours.member.id];
  for (const body of [
    {},
    { action: 'revoke' },
    { action: 'make_owner', user_ids: ids },
    { action: 'revoke', user_ids: [] },
    { action: 'revoke', user_ids: ids, filter: {} },
    { action: 'revoke', user_ids: ['x'] },
    { action: 'revoke', user_ids: Array(10_001).fill(newId()) },
    { action: 'revoke', filter: { member: 'yes' } },
    { action: 'revoke', filter: { unknown: '1' } },
    { action: 'revoke', filter: { search: 'a\u0000b' } },
    { action: 'revoke', filter: { except: ['x'] } },
    { action: 'revoke', user_ids: ids, dry_run: 'yes' },
    { action: 'revoke', user_ids: ids, ends_on: '2036-03-31' },
    { action: 'set_end', user_ids: ids },
    { action: 'set_end', user_ids: ids, ends_on: '2036-02-30' },
    { action: 'set_end', user_ids: ids, ends_on: '2020-01-01' },
    { action: 'set_end', user_ids: ids, ends_on: null },
  ])
    assert.equal(
      (await call(node, startBulk, { as: ours.admin, params: { teamId: ours.id }, body })).status,
      400,
      JSON.stringify(body).slice(0, 80),
    );
  assert.deepEqual(await snapshotTables(node), tables);
});
