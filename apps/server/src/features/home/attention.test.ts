import assert from 'node:assert/strict';
import { reportRehearsal, reportStatus } from '@steward/contract/connections/connector';
import { type Attention, AttentionKind, getAttention } from '@steward/contract/home';
import { redeliver } from '@steward/contract/integrations/deliveries';
import { saveNoteRetention } from '@steward/contract/retention';
import { saveUser } from '@steward/contract/users';
import { cancelInvitation, resendInvitation } from '@steward/contract/users/invitations';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { endRun, type RunKey } from '#features/retention/runs/runs.store.ts';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { addMail, markSent, recordAttempt } from '#platform/mail/mail-log.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { isOfThisRun } from '#testing/system/this-run.ts';
import { connectedServer, reportReady } from '#testing/workspace/connections.ts';
import { findGeneralChannel } from '#testing/workspace/content.ts';
import { setEnd } from '#testing/workspace/ends.ts';
import { type SignedInUser, signedIn, team, user } from '#testing/workspace/factories.ts';
import { failedDelivery, helpdesk } from '#testing/workspace/integrations.ts';
import { queueRuns, runNow, setRule } from '#testing/workspace/retention.ts';

/** Ends a run like the job that must not process it. */
function refuseRun(node: TestApp, run: RunKey, note: string): Promise<void> {
  return inTransaction(node.db, (trx) => endRun(trx, run, { state: 'refused', note }));
}

/** A team with only its admin, so that nothing needs attention. */
interface Quiet {
  id: string;
  admin: SignedInUser;
}

const AN_HOUR = 3_600_000;
const A_YEAR = { value: 1, duration: { count: 1, period: 'y' } } as const;

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

async function createTeamWithoutAttention(): Promise<Quiet> {
  const id = await team(node);
  return { id, admin: await signedIn(node, { team: id, kind: 'admin' }) };
}

async function attention({ id, admin }: Quiet): Promise<Attention[]> {
  const { status, body } = await call(node, getAttention, { as: admin, params: { teamId: id } });
  assert.equal(status, 200);
  return body.records;
}

const kinds = async (of: Quiet) => (await attention(of)).map(({ kind }) => kind);

async function mail(teamId: string, to: { id: string; email: string }, kind: string, minutesAgo = 0): Promise<string> {
  const id = await inTransaction(node.db, (trx) => addMail(trx, { kind, teamId, userId: to.id }, to.email));
  await sql`update mails set created_at = now() - make_interval(mins => ${minutesAgo}) where id = ${id}`.execute(
    node.db,
  );
  return id;
}

const giveUp = (id: string, error: string) => recordAttempt(node.db, id, { error, isLast: true });

describe('attention', () => {
  test('is empty in a team without problems', async () =>
    assert.deepEqual(await attention(await createTeamWithoutAttention()), []));

  test('includes pending invitations, until they are canceled', async () => {
    const ours = await createTeamWithoutAttention();
    const as = ours.admin;
    const email = `${newId()}@example.test`;
    await call(node, saveUser, { as, params: { teamId: ours.id }, body: { email, account_type: 2 } });
    const [found, ...others] = await attention(ours);
    assert.deepEqual(others, []);
    assert.partialDeepStrictEqual(found, { kind: 'invitations_pending', count: 1, text: email });
    assert.ok(isOfThisRun(found?.since ?? 0));
    const { id: userId } = await node.db
      .selectFrom('memberships')
      .select('person_id as id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    await call(node, cancelInvitation, { as, params: { teamId: ours.id, userId } });
    assert.deepEqual(await attention(ours), []);
  });

  test('includes undelivered invitations, until they are sent again', async () => {
    const ours = await createTeamWithoutAttention();
    const pia = await user(node, { team: ours.id, pending: true });
    await giveUp(await mail(ours.id, pia, 'users.invitation', 5), '550 no such user');
    const found = await attention(ours);
    assert.partialDeepStrictEqual(found, [{ kind: 'invitations_failed', count: 1, text: pia.email }]);
    assert.equal(found.length, 1, 'an undelivered invitation is not counted as pending too');
    await call(node, resendInvitation, { as: ours.admin, params: { teamId: ours.id, userId: pia.id } });
    assert.deepEqual(await kinds(ours), ['invitations_pending']);
  });

  test('includes members who leave within 14 days, with the first date', async () => {
    const ours = await createTeamWithoutAttention();
    const leave = async (days: number) => {
      const { id: userId } = await user(node, { team: ours.id });
      await setEnd(node, { teamId: ours.id, userId }, days);
    };
    await leave(-1);
    await leave(15);
    assert.deepEqual(await attention(ours), []);
    await leave(12);
    await leave(2);
    const [found, ...others] = await attention(ours);
    assert.deepEqual(others, []);
    const first = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    assert.deepEqual(found, { kind: 'members_leaving', count: 2, since: null, text: first });
  });

  test('includes other failed emails, until one to the same person is delivered', async () => {
    const ours = await createTeamWithoutAttention();
    await giveUp(await mail(ours.id, ours.admin, 'retention.first_run', 60), '421 try later');
    await giveUp(await mail(ours.id, ours.admin, 'retention.first_run', 5), '550 mailbox full');
    assert.partialDeepStrictEqual(await attention(ours), [
      { kind: 'mails_failed', count: 2, text: '550 mailbox full' },
    ]);
    await markSent(node.db, await mail(ours.id, ours.admin, 'retention.first_run'));
    assert.deepEqual(await attention(ours), []);
    const old = await mail(ours.id, ours.admin, 'retention.first_run');
    await giveUp(old, '550 gone');
    assert.deepEqual(await kinds(ours), ['mails_failed'], 'an email delivered before doesn’t count');
    await sql`update mails set ended_at = now() - interval '8 days' where id = ${old}`.execute(node.db);
    assert.deepEqual(await attention(ours), [], 'it is dropped after a week');
  });

  test('includes emails queued for more than ten minutes, until they are sent', async () => {
    const ours = await createTeamWithoutAttention();
    const waiting = await mail(ours.id, ours.admin, 'retention.first_run', 9);
    assert.deepEqual(await attention(ours), []);
    await sql`update mails set created_at = now() - interval '11 minutes' where id = ${waiting}`.execute(node.db);
    await recordAttempt(node.db, waiting, { error: 'connect ECONNREFUSED', isLast: false });
    const found = await attention(ours);
    assert.partialDeepStrictEqual(found, [{ kind: 'mails_waiting', count: 1, text: 'connect ECONNREFUSED' }]);
    await markSent(node.db, waiting);
    assert.deepEqual(await attention(ours), []);
  });

  test('includes failed deliveries, until they are redelivered', async () => {
    const ours = await createTeamWithoutAttention();
    const general = await findGeneralChannel(node, ours.id);
    const ids = [await failedDelivery(node, ours.id, general), await failedDelivery(node, ours.id, general)];
    await sql`update deliveries set state = 'partly', received_at = now() - interval '3 hours'
      where id = ${ids[0]}`.execute(node.db);
    const [found] = await attention(ours);
    assert.partialDeepStrictEqual(found, { kind: 'deliveries_failed', count: 2 });
    assert.ok(isOfThisRun((found?.since ?? 0) + 3 * AN_HOUR), 'since the oldest one');
    const { id: integrationId } = await node.db
      .selectFrom('integrations')
      .select('id')
      .where('team_id', '=', ours.id)
      .executeTakeFirstOrThrow();
    for (const deliveryId of ids) {
      const params = { teamId: ours.id, integrationId, deliveryId };
      assert.equal((await call(node, redeliver, { as: ours.admin, params })).status, 200);
    }
    assert.deepEqual(await attention(ours), []);
  });
});

describe('attention for a help desk', () => {
  const set = (of: Quiet, warnings: string[], broken: boolean) =>
    node.db.updateTable('integrations').set({ warnings, broken }).where('team_id', '=', of.id).execute();

  test('includes one that fails or has warnings, with the text of its own screen', async () => {
    const ours = await createTeamWithoutAttention();
    await helpdesk(node, ours.id);
    assert.deepEqual(await attention(ours), []);
    await set(ours, ['The triggers are switched off at Zendesk.'], false);
    assert.deepEqual(await attention(ours), [
      { kind: 'integration_warning', count: 1, since: null, text: 'The triggers are switched off at Zendesk.' },
    ]);
    await set(ours, ['Zendesk refuses the credentials.'], true);
    assert.deepEqual(await attention(ours), [
      { kind: 'integration_failing', count: 1, since: null, text: 'Zendesk refuses the credentials.' },
    ]);
    await set(ours, [], false);
    assert.deepEqual(await attention(ours), []);
  });

  test('includes one whose credentials were encrypted with another key, unless it is disconnected', async () => {
    const ours = await createTeamWithoutAttention();
    await helpdesk(node, ours.id);
    const table = () => node.db.updateTable('integrations').where('team_id', '=', ours.id);
    await table().set({ credentials: 'v1.of.another.key' }).execute();
    assert.match((await attention(ours))[0]?.text ?? '', /^Enter the credentials again/);
    await table().set({ state: 'off', credentials: null }).execute();
    assert.deepEqual(await attention(ours), []);
  });
});

describe('attention for retention', () => {
  const aged = (of: Quiet, hours: number) =>
    sql`update retention_policies set saved_at = now() - make_interval(hours => ${hours})
      where team_id = ${of.id}`.execute(node.db);

  test('includes a rule that takes effect soon, until it is canceled', async () => {
    const ours = await createTeamWithoutAttention();
    const save = (rule: object) =>
      call(node, saveNoteRetention, { as: ours.admin, params: { teamId: ours.id }, body: { archived_notes: rule } });
    const { body } = await save(A_YEAR);
    assert.deepEqual(await attention(ours), [
      { kind: 'retention_waiting', count: 1, since: body.archived_notes.effective_at },
    ]);
    await save({ value: 0 });
    assert.deepEqual(await attention(ours), []);
  });

  test('includes a rule without a run for more than a day, until it runs', async () => {
    const ours = await createTeamWithoutAttention();
    await setRule(node, ours.id, 'archived_notes', A_YEAR);
    await setRule(node, ours.id, 'direct_messages', { value: 0, canmark: 1, duration: A_YEAR.duration });
    await setRule(node, ours.id, 'completed_tasks', { value: 0 });
    await aged(ours, 29);
    assert.deepEqual(await attention(ours), [], 'its first nightly run may not be due yet');
    await aged(ours, 31);
    const [found] = await attention(ours);
    assert.partialDeepStrictEqual(found, { kind: 'retention_overdue', count: 2 });
    assert.ok(isOfThisRun((found?.since ?? 0) + 31 * AN_HOUR));
    await runNow(node, ours.id);
    assert.deepEqual(await attention(ours), []);
    await sql`update retention_runs set started_at = now() - interval '40 hours'
      where team_id = ${ours.id} and kind = 'archived_notes'`.execute(node.db);
    assert.partialDeepStrictEqual(await attention(ours), [{ kind: 'retention_overdue', count: 1 }]);
  });

  test('counts a scheduled rule from the time it took effect', async () => {
    const ours = await createTeamWithoutAttention();
    await call(node, saveNoteRetention, {
      as: ours.admin,
      params: { teamId: ours.id },
      body: { archived_notes: A_YEAR },
    });
    await sql`update retention_policies set saved_at = now() - interval '60 hours',
      effective_at = now() - interval '29 hours' where team_id = ${ours.id}`.execute(node.db);
    assert.deepEqual(await attention(ours), []);
    await sql`update retention_policies set effective_at = now() - interval '31 hours'
      where team_id = ${ours.id}`.execute(node.db);
    assert.deepEqual(await kinds(ours), ['retention_overdue']);
  });

  test('includes a last run that failed or was incomplete, until one succeeds', async () => {
    const ours = await createTeamWithoutAttention();
    await setRule(node, ours.id, 'archived_notes', A_YEAR);
    const [run] = await queueRuns(node, ours.id);
    assert.ok(run);
    assert.deepEqual(await attention(ours), [], 'it runs');
    const note = 'The clocks of this process and of the database differ.';
    await refuseRun(node, run, note);
    assert.partialDeepStrictEqual(await attention(ours), [{ kind: 'retention_failed', count: 1, text: note }]);
    await runNow(node, ours.id);
    assert.deepEqual(await attention(ours), []);
    await sql`update retention_runs set failed = 2 where team_id = ${ours.id}`.execute(node.db);
    assert.deepEqual(await kinds(ours), ['retention_failed']);
    await setRule(node, ours.id, 'archived_notes', { value: 0 });
    assert.deepEqual(await attention(ours), [], 'a rule that keeps everything can’t fail');
  });
});

describe('the whole list', () => {
  test('is sorted by severity, stops counting at 100, and is visible to no other team', async () => {
    const [ours, twin] = [await createTeamWithoutAttention(), await createTeamWithoutAttention()];
    await user(node, { team: ours.id, pending: true });
    await failedDelivery(node, ours.id, await findGeneralChannel(node, ours.id));
    await setRule(node, ours.id, 'archived_notes', A_YEAR);
    await sql`update retention_policies set saved_at = now() - interval '3 days' where team_id = ${ours.id}`.execute(
      node.db,
    );
    await sql`update integrations set broken = true where team_id = ${ours.id}`.execute(node.db);
    await sql`insert into mails (id, team_id, person_id, kind, recipient, created_at)
      select lpad(n::text, 26, '0'), ${ours.id}, ${ours.admin.id}, 'retention.first_run', 'x', now() - interval '1 day'
      from generate_series(1, 130) n`.execute(node.db);
    const found = await attention(ours);
    assert.deepEqual(
      found.map(({ kind, count }) => [kind, count]),
      [
        ['integration_failing', 1],
        ['retention_overdue', 1],
        ['deliveries_failed', 1],
        ['mails_waiting', 100],
        ['invitations_pending', 1],
      ],
    );
    const order = found.map(({ kind }) => AttentionKind.options.indexOf(kind));
    assert.deepEqual(
      order,
      order.toSorted((one, other) => one - other),
    );
    assert.deepEqual(await attention(twin), []);
  });
});

describe('a connected server', () => {
  test('needs attention while nobody accepted it, and when its bridge, a check, the rehearsal or an order failed', async () => {
    const quiet = await createTeamWithoutAttention();
    const { id: acceptedBy } = quiet.admin;
    await connectedServer(node, { teamId: quiet.id, acceptedBy: null });
    assert.partialDeepStrictEqual(await attention(quiet), [{ kind: 'connection_waiting', count: 1, text: 'Chat' }]);
    await sql`delete from connected_servers`.execute(node.db);
    const chat = await connectedServer(node, { teamId: quiet.id, acceptedBy });
    assert.deepEqual(await attention(quiet), [], 'the bridge has ten minutes to begin');
    const minutesAgo = (count: number) => sql`now() - make_interval(mins => ${count})`;
    await sql`update connected_teams set accepted_at = ${minutesAgo(11)}`.execute(node.db);
    assert.deepEqual(await kinds(quiet), ['connection_silent']);
    await reportReady(chat);
    assert.deepEqual(await attention(quiet), []);
    const failed = (name: string, detail: string) => [
      { name: 'Passed', passed: true, detail: '' },
      { name, passed: false, detail },
    ];
    await chat.send(reportStatus, { body: { server_version: '10.12.0', checks: failed('Deletion', '') } });
    await chat.send(reportRehearsal, {
      body: { server_version: '10.12.0', checks: failed('Files', 'One stayed.'), calls: 1 },
    });
    await sql`insert into connected_orders (id, server_id, team_id, state, rows, threads, digest)
      values (${newId()}, ${chat.id}, ${quiet.id}, 'refused', 0, 0, '')`.execute(node.db);
    assert.partialDeepStrictEqual(await attention(quiet), [
      { kind: 'connection_failing', count: 1, text: 'Deletion' },
      { kind: 'rehearsal_failed', count: 1, text: 'One stayed.' },
      { kind: 'order_refused', count: 1, text: 'Chat' },
    ]);
    await sql`update connected_servers set reported_at = ${minutesAgo(11)}`.execute(node.db);
    assert.deepEqual(await kinds(quiet), ['connection_silent', 'rehearsal_failed', 'order_refused']);
  });

  test('needs attention if messages of the last order could not be deleted completely', async () => {
    const quiet = await createTeamWithoutAttention();
    const chat = await connectedServer(node, { teamId: quiet.id, acceptedBy: quiet.admin.id });
    await reportReady(chat);
    const end = (kept: object) =>
      sql`insert into connected_orders
        (id, server_id, team_id, state, closed_at, rows, threads, digest, kept_by)
      values (${newId()}, ${chat.id}, ${quiet.id}, 'done', now(), 9, 9, '', ${JSON.stringify(kept)})`.execute(node.db);
    await end({ residue: 2, unverified: 1, held: 5 });
    assert.partialDeepStrictEqual(await attention(quiet), [{ kind: 'order_incomplete', count: 3, text: 'Chat' }]);
    await end({ held: 5 });
    assert.deepEqual(await attention(quiet), []);
  });
});
