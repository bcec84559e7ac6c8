import assert from 'node:assert/strict';
import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { queueMail } from '@steward/server/src/platform/mail/mail.ts';
import { startApp } from '@steward/server/testing/app/start-app.ts';
import { settled } from '@steward/server/testing/faults/wait-for-jobs.ts';
import { startSmtpServer } from '@steward/server/testing/peers/smtp-test-server.ts';
import { test } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';

test('`mails` lists failed emails with the response of the mail server but not their content, and what is retried with its end', async () => {
  await using peer = await startSmtpServer((to) => (to.startsWith('later') ? 'later' : 'refuse'));
  await using node = await startApp({ env: { SMTP_URL: peer.url } });
  const run = (...args: string[]) =>
    runInProcess(['mails', ...args], { DATABASE_URL: node.database.url, SECRET_KEY: '5e'.repeat(32) });
  assert.equal((await run()).out.trim(), 'No emails.');
  const lost = { to: 'lost@example.test', subject: 'Secret subject', text: 'secret', html: '<p>secret</p>' };
  await inTransaction(node.db, (trx) => queueMail(trx, node.deps, { kind: 'tests.message', mail: lost }));
  await settled(node);
  const { code, out, err } = await run('--state', 'failed', '--json');
  assert.equal(code, 0, err);
  const failure = { kind: 'tests.message', recipient: 'lost@example.test', state: 'failed', attempts: 1 };
  assert.partialDeepStrictEqual(JSON.parse(out), { mails: [{ ...failure, error: '550 no such mailbox' }] });
  assert.match((await run()).out, /failed.*tests\.message.*lost@example\.test.*550 no such mailbox/);
  assert.doesNotMatch(out, /secret/i);
  assert.deepEqual(JSON.parse((await run('--state', 'sent', '--json')).out), { mails: [] });

  const later = { to: 'later@example.test', subject: 's', text: 't', html: '<p>t</p>' };
  await inTransaction(node.db, (trx) => queueMail(trx, node.deps, { kind: 'tests.message', mail: later }));
  await settled(node);
  const found = async (...args: string[]) =>
    (await run(...args)).out.split('\n').find((line) => line.includes('later@example.test')) ?? '';
  const told =
    /waiting .*\(\d+ attempts? failed, retried until about \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z: 451 try later\)$/;
  for (const args of [[], ['--state', 'waiting'], ['--state', 'failed']]) assert.match(await found(...args), told);
  assert.equal(await found('--state', 'sent'), '');
  const { mails } = JSON.parse((await run('--state', 'failed', '--json')).out);
  const { created_at, retried_until } = mails.find((mail: { recipient: string }) => mail.recipient === later.to);
  assert.ok(retried_until - created_at > 24 * 3600 * 1000);
});

test('mails refuses a state that there is not', async () => {
  const { code, err } = await runInProcess(['mails', '--state', 'lost'], {});
  assert.equal(code, 1);
  assert.match(err, /--state/);
});
