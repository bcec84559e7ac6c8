import assert from 'node:assert/strict';
import { confirmEmail } from '@steward/contract/account/email';
import { getIntegration } from '@steward/contract/integrations';
import { getMe, login, resetPassword } from '@steward/contract/session';
import { saveUser } from '@steward/contract/users';
import { sql } from 'kysely';
import { runDueWork } from '#features/retention/runs/nightly-run.job.ts';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { fillEveryTable } from '#testing/authorization/fill-every-table.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { addLink } from '#workspace/access/sessions/links.store.ts';
import { filledServer } from './connections.ts';
import { ingest, message, serviceToken } from './content.ts';
import { createTeamWithMembers, signIn, type TestTeam } from './factories.ts';
import { helpdesk } from './integrations.ts';
import { addChannels, runNow, setRule } from './retention.ts';
import { checkLink, createSignUp, invitee } from './signup.ts';

export type PopulatedWorkspace = Awaited<ReturnType<typeof populateWorkspace>>;

const YEAR_MS = 366 * 86_400_000;

/**
 * Puts rows into every table, and returns the facts to check in a restored copy. The node has no background work, so emails, among
 * them an invitation, and nightly runs stay in its queue.
 */
export async function populateWorkspace(node: TestApp) {
  await fillEveryTable(node);
  const team = await createTeamWithMembers(node);
  const desk = await helpdesk(node, team.id);
  const invited = `${newId()}@example.test`;
  const body = { email: invited, account_type: 2 };
  const reply = await call(node, saveUser, { as: team.admin, params: { teamId: team.id }, body });
  assert.equal(reply.status, 200, reply.text);
  const service = await serviceToken(node, team.id);
  const links = await createLinks(node, team);
  await filledServer(node, { teamId: team.id, acceptedBy: team.owner.id, ready: true });
  const channels = await addChannels(node, team.id);
  await message(node, team.id, { channel: channels.O, createAt: Date.now() - 2 * YEAR_MS, text: 'Long ago' });
  await message(node, team.id, { channel: channels.O, text: 'Today' });
  await setRule(node, team.id, 'public_channels', { value: 1, duration: { count: 1, period: 'y' } });
  await sql`insert into retention_nights values (${team.id}, '2000-01-01')
    on conflict (team_id) do update set night = excluded.night`.execute(node.db);
  await runDueWork(node.deps, Date.now);
  await runNow(node, team.id);
  return { team, desk, service, links, invited };
}

async function createLinks(node: TestApp, team: TestTeam) {
  const to = { userId: team.member.id, teamId: null };
  const link = (values: Parameters<typeof addLink>[1]) => inTransaction(node.db, (trx) => addLink(trx, values));
  return {
    reset: await link({ kind: 'reset', ...to }),
    email: await link({ kind: 'email', ...to, email: `${newId()}@example.test` }),
    invitation: (await invitee(node, team.id)).token,
    signUp: (await createSignUp(node)).token,
  };
}

/** Retention runs of the team, without their worker. */
async function getRuns(node: TestApp, teamId: string) {
  const { rows } = await sql<{ origin: string; deleted: number }>`select origin, id, deleted::int as deleted
    from retention_runs where team_id = ${teamId} order by id`.execute(node.db);
  return rows;
}

export async function isSignedIn(node: TestApp, as: { cookie: string }): Promise<boolean> {
  return (await call(node, getMe, { as })).status === 200;
}

/** Starts two nodes on the restored workspace, the second with another key, and checks its state. */
export async function assertRestored(restored: TestApp['database'], before: PopulatedWorkspace, filesUrl: string) {
  const options = { database: restored, env: { FILES_URL: filesUrl }, pool: 4 };
  await using node = await startApp(options);
  const { team, desk, invited } = before;
  await assertAccessEnded(node, before);

  const { email, password } = team.admin;
  const signedIn = await call(node, login, { body: { login_id: email, password } });
  assert.equal(signedIn.status, 200, signedIn.text);
  const as = { cookie: signedIn.setCookies.map((line) => line.split(';')[0]).join('; ') };
  const health = async (on: TestApp) => {
    const { body } = await call(on, getIntegration, { as, params: desk.params });
    return [body.health, body.warnings.some((text: string) => text.startsWith('Enter the credentials again'))];
  };
  assert.deepEqual(await health(node), ['ok', false], 'the same key decrypts the credentials');
  {
    await using other = await startApp({ beside: node, work: false, secretKey: 'c7'.repeat(32) });
    assert.deepEqual(await health(other), ['failing', true], 'with another key, the credentials must be entered again');
  }

  const { rows: invitations } = await sql`select 1 from memberships where email = ${invited}`.execute(node.db);
  assert.equal(invitations.length, 1, 'the invitation is there, to be sent again');

  const runs = await getRuns(node, team.id);
  await runDueWork(node.deps, Date.now);
  await settled(node);
  assert.deepEqual(await getRuns(node, team.id), runs, 'a finished nightly run is not repeated');
  assert.deepEqual(node.inbox.waiting(invited), [], 'a queued email is sent again');
  const { rows } = await sql`select 1 from mails where state = 'waiting'`.execute(node.db);
  assert.equal(rows.length, 0, 'emails are queued that will never be sent');
}

async function assertAccessEnded(node: TestApp, { team, service, links }: PopulatedWorkspace): Promise<void> {
  for (const kind of ['owner', 'admin', 'member'] as const)
    assert.equal(await isSignedIn(node, team[kind]), false, `the session of the ${kind} works again`);
  assert.equal((await ingest(node, service, '')).status, 401, 'an old service token works again');
  const { rows: bridges } = await sql`select 1 from connected_servers where token_hash not like 'ended:%'
    union all select 1 from connected_orders where state = 'open'
    union all select 1 from connected_permits where closed_at is null
    union all select 1 from connected_channels where listed_at is not null`.execute(node.db);
  assert.deepEqual(bridges, [], 'an old connector token or order counts again');
  const newPassword = { token: links.reset, new_password: 'another good password' };
  const answers = {
    reset: await call(node, resetPassword, { body: newPassword }),
    email: await call(node, confirmEmail, { as: await signIn(node, team.admin), body: { token: links.email } }),
    invitation: await checkLink(node, links.invitation),
    signUp: await checkLink(node, links.signUp),
  };
  for (const [link, { status }] of Object.entries(answers))
    assert.equal(status, 400, `the old ${link} link works again`);
}
