import assert from 'node:assert/strict';
import { resetPassword, sendPasswordReset } from '@steward/contract/session';
import { sql } from 'kysely';
import { test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { killableServer } from '#testing/app/killable-server.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { maintainQueue } from '#testing/database/maintain-queue.ts';
import { startSmtpServer } from '#testing/peers/smtp-test-server.ts';
import { user } from '#testing/workspace/factories.ts';

/** Ages the work of a killed worker by five minutes and runs the queue's maintenance, without waiting for a retry. */
async function giveUpWaiting(node: TestApp): Promise<void> {
  await sql`update pgboss.job set started_on = started_on - interval '6 minutes' where state = 'active'`.execute(
    node.db,
  );
  await maintainQueue(node);
  const { rows } = await sql`update pgboss.job set start_after = now() where state = 'retry' returning 1`.execute(
    node.db,
  );
  assert.equal(rows.length, 1, 'what the killed worker was at is to be done again');
}

const getHeader = (source: string, name: string) => new RegExp(`^${name}: (.+)$`, 'im').exec(source)?.[1]?.trim();
/** The token in the text of an email, whose long lines are wrapped for transport. */
const extractToken = (source: string) =>
  /[?&]token=([\w-]+)/.exec(source.replace(/=\r?\n/g, '').replace(/=3D/g, '='))?.[1] ?? assert.fail(source);

test('a worker killed after a mail left and before it was noted sends the same mail again, and its link works once', async () => {
  await using node = await startApp({ work: false });
  const who = await user(node);
  const other = await user(node);
  let temper: 'keep silently' | 'accept' = 'keep silently';
  await using peer = await startSmtpServer(() => temper);
  using server = killableServer(node, { roles: 'web,worker', env: { SMTP_URL: peer.url } });

  await server.start();
  assert.equal((await call(node, sendPasswordReset, { body: { email: who.email } })).status, 200);
  await peer.taken(1);
  await server.kill();
  const { rows: waiting } = await sql`select state, attempts from mails`.execute(node.db);
  assert.deepEqual(
    waiting,
    [{ state: 'waiting', attempts: 0 }],
    'the mail server has it, but the row does not show it',
  );
  assert.equal((await call(node, sendPasswordReset, { body: { email: other.email } })).status, 200);
  temper = 'accept';
  await giveUpWaiting(node);
  await server.start();
  await peer.taken(3);

  const mine = peer.accepted.filter(({ to }) => to.includes(who.email)).map(({ source }) => source);
  assert.equal(mine.length, 2, 'sent again, and not lost');
  assert.equal(getHeader(mine[0] ?? '', 'Message-ID'), getHeader(mine[1] ?? '', 'Message-ID'));
  assert.ok(getHeader(mine[0] ?? '', 'Message-ID'));
  const tokens = new Set(mine.map(extractToken));
  assert.equal(tokens.size, 1);
  const [token] = tokens;
  const use = () => call(node, resetPassword, { body: { token, new_password: 'a quite new password' } });
  assert.equal((await use()).status, 200);
  assert.equal((await use()).status, 400, 'the link in the second copy no longer works');
});
