import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { serviceToken } from '#testing/workspace/content.ts';
import { createTeamWithMembers, signedIn } from '#testing/workspace/factories.ts';
import { createTokenNoticesWorker, sendTokenNotices } from './token-notices.job.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp();
});

afterAll(() => node[Symbol.asyncDispose]());

const DAY = 86_400_000;
const inDays = (days: number) => Date.now() + days * DAY;

async function recipients(teamId: string, kind: string): Promise<string[]> {
  const mails = node.db.selectFrom('mails').select('recipient').where('team_id', '=', teamId);
  return (await mails.where('kind', '=', kind).execute()).map(({ recipient }) => recipient).sort();
}

test('the creator and all owners are notified once, 14 days before a token expires', async () => {
  const team = await createTeamWithMembers(node, 'Acme example.com');
  const second = await signedIn(node, { team: team.id, kind: 'owner' });
  const other = await signedIn(node, { team: team.id, kind: 'admin' });
  const of = (days: number, name: string, createdBy = team.admin.id) =>
    serviceToken(node, team.id, { name, expiresAt: inDays(days), createdBy });
  await of(13.9, 'Chat www.evil.example');
  await of(5, 'Phone', team.owner.id);
  const later = await of(14.1, 'Later');
  const stopped = await of(3, 'Stopped', other.id);
  await sql`update service_tokens set stopped_at = now() where id = ${stopped.id}`.execute(node.db);
  for (const _ of ['once', 'and again']) await sendTokenNotices(node.deps);
  const expected = [team.admin.email, team.owner.email, second.email].sort();
  assert.deepEqual(await recipients(team.id, 'notices.token_expiry'), expected);
  const { subject, text } = await node.inbox.next(second.email);
  assert.equal(subject, 'Acme example.com: service tokens expire soon');
  assert.ok(text.includes('“Phone”: ') && text.includes('“Chat www.') && !text.includes('Later'));
  assert.ok(!text.includes('www.evil.example') && !text.includes('Stopped'));
  const own = (await node.inbox.next(team.admin.email)).text;
  assert.ok(own.includes('“Chat www.') && !own.includes('Phone'), 'an admin is notified of their own');
  await sql`update service_tokens set expires_at = expires_at - interval '1 day' where id = ${later.id}`.execute(
    node.db,
  );
  await sendTokenNotices(node.deps);
  assert.equal((await recipients(team.id, 'notices.token_expiry')).length, 6);
});

test('tokens are looked at hourly and at each start', () => {
  assert.equal(createTokenNoticesWorker(node.deps).job.everySeconds, 3_600);
});

test('owners are notified once, in one email, which rights a migration gave to tokens', async () => {
  const team = await createTeamWithMembers(node);
  await serviceToken(node, team.id, { name: 'Phone', kinds: ['call', 'call_recording'], speakForUsers: true });
  await serviceToken(node, team.id, { name: 'Chat', kinds: [] });
  await serviceToken(node, team.id, { name: 'Known' });
  await sql`update service_tokens set owners_notified = name = 'Known' where team_id = ${team.id}`.execute(node.db);
  for (const _ of ['once', 'and again']) await sendTokenNotices(node.deps);
  assert.deepEqual(await recipients(team.id, 'notices.token_rights'), [team.owner.email]);
  const { text } = await node.inbox.next(team.owner.email);
  assert.ok(text.includes('“Phone”: call, call recording, also for users.'));
  assert.ok(text.includes('“Chat” wasn’t used') || text.includes("“Chat” wasn't used"));
  assert.ok(!text.includes('Known'));
});
