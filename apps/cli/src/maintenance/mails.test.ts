import assert from 'node:assert/strict';
import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { queueMail } from '@steward/server/src/platform/mail/mail.ts';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import { settled } from '@steward/server/testing/faults/wait-for-jobs.ts';
import { startSmtpServer } from '@steward/server/testing/peers/smtp-test-server.ts';
import { afterEach, beforeEach, test } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';

let peer: Awaited<ReturnType<typeof startSmtpServer>>;
let node: TestApp;

beforeEach(async () => {
  peer = await startSmtpServer((to) => (to.startsWith('later') ? 'later' : 'refuse'));
  node = await startApp({ env: { SMTP_URL: peer.url } });
});

afterEach(async () => {
  await node[Symbol.asyncDispose]();
  await peer[Symbol.asyncDispose]();
});

const run = (...args: string[]) =>
  runInProcess(['mails', ...args], { DATABASE_URL: node.database.url, SECRET_KEY: '5e'.repeat(32) });

test('mails lists failed emails with the response of the mail server, but not their content', async () => {
  assert.equal((await run()).out.trim(), 'No emails.');
  const mail = { to: 'lost@example.test', subject: 'Secret subject', text: 'secret', html: '<p>secret</p>' };
  await inTransaction(node.db, (trx) => queueMail(trx, node.deps, { kind: 'tests.message', mail }));
  await settled(node);
  const { code, out, err } = await run('--state', 'failed', '--json');
  assert.equal(code, 0, err);
  const failure = { kind: 'tests.message', recipient: 'lost@example.test', state: 'failed', attempts: 1 };
  assert.partialDeepStrictEqual(JSON.parse(out), { mails: [{ ...failure, error: '550 no such mailbox' }] });
  assert.match((await run()).out, /failed.*tests\.message.*lost@example\.test.*550 no such mailbox/);
  assert.doesNotMatch(out, /secret/i);
  assert.deepEqual(JSON.parse((await run('--state', 'sent', '--json')).out), { mails: [] });
});

test('mails shows what fails now with the last error, how often it failed and until when it is retried', async () => {
  const mail = { to: 'later@example.test', subject: 's', text: 't', html: '<p>t</p>' };
  await inTransaction(node.db, (trx) => queueMail(trx, node.deps, { kind: 'tests.message', mail }));
  await settled(node);
  const found = async (...args: string[]) =>
    (await run(...args)).out.split('\n').find((line) => line.includes('later@example.test')) ?? '';
  const told =
    /waiting .*\(\d+ attempts? failed, retried until about \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z: 451 try later\)$/;
  for (const args of [[], ['--state', 'waiting'], ['--state', 'failed']]) assert.match(await found(...args), told);
  assert.equal(await found('--state', 'sent'), '');
  const { mails } = JSON.parse((await run('--state', 'failed', '--json')).out);
  const { created_at, retried_until } = mails[0];
  assert.ok(retried_until - created_at > 24 * 3600 * 1000);
});

test('mails refuses a state that there is not', async () => {
  const { code, err } = await run('--state', 'lost');
  assert.equal(code, 1);
  assert.match(err, /--state/);
});
