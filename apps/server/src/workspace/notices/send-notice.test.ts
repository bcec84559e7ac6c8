import assert from 'node:assert/strict';
import { saveNoteRetention } from '@steward/contract/retention';
import { saveUser } from '@steward/contract/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { addMembers, createTeamWithMembers, deactivate, type TestTeam } from '#testing/workspace/factories.ts';
import { removeRecipient } from './notices.store.ts';
import { createNoticeWorker } from './send-notice.job.ts';

/** With the owner of the team and without the admin who acts: more than two batches. */
const ADMINS = 250;
const ATTEMPT = { id: '', attempt: 1, isLast: false };

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  ours = await createTeamWithMembers(node);
  await addMembers(node, ours.id, ADMINS);
  await sql`update memberships set roles = '{team_user,team_admin}' where team_id = ${ours.id} and name_key like 'person %'`.execute(
    node.db,
  );
});

const makeAdmin = async () => {
  const body = { email: ours.member.email, account_type: 1 };
  const { status } = await call(node, saveUser, { as: ours.admin, params: { teamId: ours.id }, body });
  assert.equal(status, 200);
};
const listAdmins = async () =>
  (
    await sql<{
      id: string;
    }>`select person_id as id from memberships where team_id = ${ours.id} and name_key like 'person %'
    order by person_id`.execute(node.db)
  ).rows.map(({ id }) => id);
const listMailed = async () =>
  (
    await sql<{ id: string }>`select person_id as id from mails where team_id = ${ours.id} order by person_id`.execute(
      node.db,
    )
  ).rows.map(({ id }) => id);
const findNotice = async () =>
  (
    await sql<{ id: string; kind: string; reached: number }>`select id, kind, reached from notices
    where team_id = ${ours.id}`.execute(node.db)
  ).rows[0];

/** Runs the job; with `once`, as on a server that is stopping, which ends it after one batch. */
async function send(id: string, { once = false } = {}): Promise<void> {
  const jobs = { ...node.deps.jobs, isStopping: () => once };
  await createNoticeWorker({ ...node.deps, jobs }).handle({ team_id: ours.id, id }, ATTEMPT);
}

test('a change stores who gets its email, and the job emails each of them once, even if they are demoted or leave before that', async () => {
  const everyone = [...(await listAdmins()), ours.owner.id].sort();
  await makeAdmin();
  assert.deepEqual(await listMailed(), [], 'the change waits for no email');
  const [demoted = '', deactivated = ''] = await listAdmins();
  await sql`update memberships set roles = '{team_user}' where team_id = ${ours.id} and person_id = ${demoted}`.execute(
    node.db,
  );
  await deactivate(node, ours.id, deactivated);
  const { id = '' } = (await findNotice()) ?? {};
  await send(id, { once: true });
  assert.equal((await listMailed()).length, 100);
  assert.equal((await findNotice())?.reached, 100);
  await send(id);
  assert.deepEqual(await listMailed(), everyone);
  assert.equal(await findNotice(), undefined);
  await send(id);
  assert.deepEqual(await listMailed(), everyone, 'another attempt finds nothing to do');
});

test('someone who is erased before the job runs gets no email, and the others get theirs', async () => {
  await makeAdmin();
  const { id = '' } = (await findNotice()) ?? {};
  await send(id, { once: true });
  const mailed = new Set(await listMailed());
  const [earlier = ''] = mailed;
  const later = (await listAdmins()).find((admin) => !mailed.has(admin)) ?? '';
  await inTransaction(node.db, async (trx) => {
    for (const userId of [earlier, later]) await removeRecipient(trx, { teamId: ours.id, userId });
  });
  await send(id);
  const expected = [...(await listAdmins()), ours.owner.id].filter((admin) => admin !== later).sort();
  assert.deepEqual(await listMailed(), expected);
});

test('the email goes to a changed address, with the text as of the change', async () => {
  await makeAdmin();
  const [admin = ''] = await listAdmins();
  await sql`update people set email = ${`${admin}@new.example.test`} where id = ${admin}`.execute(node.db);
  await sql`update teams set display_name = 'Renamed' where id = ${ours.id}`.execute(node.db);
  await send((await findNotice())?.id ?? '');
  const { rows } = await sql<{ recipient: string; sealed: string }>`select m.recipient, j.data ->> 'sealed' as sealed
    from mails m join pgboss.job j on j.data ->> 'id' = m.id where m.person_id = ${admin}`.execute(node.db);
  assert.deepEqual([rows.length, rows[0]?.recipient], [1, `${admin}@new.example.test`]);
  const mail = JSON.parse(node.deps.secrets.open('mail', rows[0]?.sealed ?? ''));
  assert.match(mail.subject, /^Team \S+: new admin$/);
  assert.match(mail.text, /Some Body made Some Body an admin of “Team /);
  assert.equal(mail.to, `${admin}@new.example.test`);
});

test('a change that is undone sends nothing, and retention rules use the same job', async () => {
  const body = { archived_notes: { value: 1, duration: { count: 1, period: 'y' } } };
  const params = { teamId: ours.id };
  await sql`alter table notices add constraint refuse check (kind <> 'retention.rules_changed')`.execute(node.db);
  assert.equal((await call(node, saveNoteRetention, { as: ours.owner, params, body })).status, 500);
  await sql`alter table notices drop constraint refuse`.execute(node.db);
  const { rows } =
    await sql`select 1 from pgboss.job where name = 'notices.send' and data ->> 'team_id' = ${ours.id}`.execute(
      node.db,
    );
  assert.deepEqual([rows.length, await findNotice()], [0, undefined]);
  assert.equal((await call(node, saveNoteRetention, { as: ours.owner, params, body })).status, 200);
  const notice = await findNotice();
  assert.equal(notice?.kind, 'retention.rules_changed');
  await send(notice?.id ?? '');
  assert.equal((await listMailed()).length, ADMINS + 2);
});
