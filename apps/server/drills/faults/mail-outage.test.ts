import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { getAttention } from '@steward/contract/home';
import { sendPasswordReset } from '@steward/contract/session';
import { saveUser } from '@steward/contract/users';
import { listFailedInvitations } from '@steward/contract/users/invitations';
import { sql } from 'kysely';
import { describe, test } from 'vitest';
import { hashToken } from '#platform/security/secrets.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { startRudeServer } from '#testing/faults/misbehaving-server.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { type DeliveryBehavior, startSmtpServer } from '#testing/peers/smtp-test-server.ts';
import { createTeamWithMembers } from '#testing/workspace/factories.ts';

const A_DAY = 24 * 3600;

/** The emails in the queue, with the seconds until the next attempt. */
async function queued(node: TestApp) {
  const { rows } = await sql<{ state: string; retry_count: number; wait: number }>`select state::text, retry_count,
      extract(epoch from start_after - started_on)::float as wait
    from pgboss.job where name = 'mail.send' order by id`.execute(node.db);
  return rows;
}

/** Waits until each email has had this many attempts and waits for the next one, or has none left. */
async function tried(node: TestApp, count: number, mails = 1) {
  for (;;) {
    const jobs = await queued(node);
    const isDone = ({ state, retry_count }: (typeof jobs)[number]) =>
      state === 'completed' || state === 'failed' || (state === 'retry' && retry_count === count - 1);
    if (jobs.length === mails && jobs.every(isDone)) return jobs;
    // The queue has no event for this.
    await pause(20);
  }
}

/** Makes waiting jobs due now and notifies the workers, as for new jobs. */
async function advanceQueueClock(node: TestApp): Promise<void> {
  await sql`update pgboss.job set start_after = now() where name = 'mail.send' and state = 'retry'`.execute(node.db);
  const channel = sql`'pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24)`;
  await sql`select pg_notify(${channel}, 'mail.send')`.execute(node.db);
}

/** Sends an invitation and a password reset; both calls respond immediately, regardless of the mail server. */
async function twoMails(node: TestApp) {
  const team = await createTeamWithMembers(node);
  const body = { email: `guest-${team.id}@example.test`, account_type: 2 };
  const invited = await call(node, saveUser, { as: team.admin, params: { teamId: team.id }, body });
  const reset = await call(node, sendPasswordReset, { body: { email: team.member.email } });
  assert.deepEqual([invited.status, reset.status], [200, 200]);
  return { team, guest: body.email };
}

async function listLinks(node: TestApp, email: string): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`select l.token_hash as hash from links l
    left join people p on p.id = l.person_id
    left join memberships m on m.team_id = l.team_id and m.person_id = l.person_id
    where coalesce(m.email, p.email) = ${email}`.execute(node.db);
  return rows.map(({ hash }) => hash);
}

describe('a mail server that', () => {
  test('is away for a day gets each mail once when it is back, with the one link that was ever created', async () => {
    const closed = await startRudeServer(() => undefined);
    await closed[Symbol.asyncDispose]();
    await using node = await startApp({ env: { SMTP_URL: `smtp://127.0.0.1:${closed.port}` }, pool: 3 });
    const { team, guest } = await twoMails(node);
    let waited = 0;
    let count = 1;
    for (; waited < A_DAY; count += 1) {
      const jobs = await tried(node, count, 2);
      assert.deepEqual(
        jobs.map(({ state }) => state),
        ['retry', 'retry'],
        `after ${waited} s and ${count} attempts`,
      );
      waited += Math.min(...jobs.map(({ wait }) => wait));
      if (waited < A_DAY) await advanceQueueClock(node);
    }
    await using peer = await startSmtpServer(undefined, closed.port);
    await advanceQueueClock(node);
    await tried(node, count, 2);
    assert.deepEqual(peer.accepted.map(({ to }) => to[0]).sort(), [guest, team.member.email].sort());
    for (const { to, source } of peer.accepted) {
      // Quoted-printable encodes the equals sign.
      const [, token = ''] = /token=3D([\w-]+)/.exec(source.replace(/=\r?\n/g, '')) ?? [];
      assert.deepEqual(await listLinks(node, to[0] ?? ''), [hashToken(token)]);
    }
  });

  test('hangs up after DATA gets the same message again, by its Message-ID', async () => {
    const tempers: DeliveryBehavior[] = ['accept', 'drop', 'accept', 'drop'];
    await using peer = await startSmtpServer(() => tempers.shift() ?? 'accept');
    await using node = await startApp({ env: { SMTP_URL: peer.url }, pool: 3 });
    const team = await createTeamWithMembers(node);
    const body = { email: `guest-${team.id}@example.test`, account_type: 2 };
    await call(node, saveUser, { as: team.admin, params: { teamId: team.id }, body });
    for (let count = 1; count <= 2; count += 1) {
      await tried(node, count);
      await advanceQueueClock(node);
    }
    await tried(node, 3);
    const ids = peer.sources.map((source) => /^Message-ID: (\S+)/im.exec(source)?.[1]);
    assert.deepEqual([ids.length, new Set(ids).size, peer.accepted.length], [3, 1, 1]);
    assert.equal((await listLinks(node, body.email)).length, 1);
  });

  test('rejects permanently is shown to admins on Home and Manage Users, and to operators by metric and log', async () => {
    await using peer = await startSmtpServer(() => 'refuse');
    // Metrics need no token if the server is for this machine only.
    const env = { SMTP_URL: peer.url, PUBLIC_URL: 'http://localhost' };
    await using node = await startApp({ env, pool: 3, listen: true });
    const { team, guest } = await twoMails(node);
    await settled(node);
    const sending = { as: team.admin, params: { teamId: team.id } };
    const { body: failed } = await call(node, listFailedInvitations, sending);
    assert.partialDeepStrictEqual(failed.records, [{ email: guest, error: '550 no such mailbox' }]);
    const { body: attention } = await call(node, getAttention, sending);
    assert.ok(attention.records.some(({ kind }: { kind: string }) => kind === 'invitations_failed'));
    const metrics = await (await fetch(`${node.url}/metrics`)).text();
    assert.match(metrics, /^mails\{state="failed"\} 2$/m);
    assert.equal(node.log.filter((line) => line.includes('email was permanently rejected')).length, 2);
  });
});
