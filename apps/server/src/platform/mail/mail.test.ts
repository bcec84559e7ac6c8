import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { DEAD_LETTERS, type Worker } from '#platform/jobs/jobs.ts';
import { parseSmtpUrl } from '#platform/settings/smtp.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled, wakeRetries } from '#testing/faults/wait-for-jobs.ts';
import { type DeliveryBehavior, type SmtpTestServer, startSmtpServer } from '#testing/peers/smtp-test-server.ts';
import { TIME_SCALE } from '#testing/system/time-scale.ts';
import { escapeHtml, queueMail, queueMails, smtpTransport } from './mail.ts';
import type { Mail, Posted } from './mailbox.ts';

const LETTER: Mail = { to: 'to@example.test', subject: 'Grüße', text: 'Hällo text', html: '<p>Hällo html</p>' };

const URL_HERE = 'https://steward.test';

const nodeWith = (peer: SmtpTestServer) =>
  startApp({ env: { SMTP_URL: peer.url }, workers: (usual) => usual.map(impatient) });

/** The same worker with one quick retry, so that a test reaches the last attempt. */
const impatient = (worker: Worker): Worker => ({ ...worker, job: { ...worker.job, retries: 1, retrySeconds: 1 } });

const post = (node: TestApp, mail: Mail = LETTER) =>
  inTransaction(node.db, (trx) => queueMail(trx, node.deps, { kind: 'tests.message', mail }));

/** Waits for the queue and for its retries, which run immediately. */
async function finished(node: TestApp): Promise<{ state: string }[]> {
  const end = performance.now() + 20_000 * TIME_SCALE;
  for (;;) {
    await wakeRetries(node);
    await settled(node);
    const { rows } = await sql<{ state: string }>`select state from pgboss.job where name = 'mail.send'`.execute(
      node.db,
    );
    if (rows.every(({ state }) => state === 'completed' || state === 'failed')) return rows;
    assert.ok(performance.now() < end, JSON.stringify(rows));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Rows of the mail log, oldest first. */
async function noted(node: TestApp) {
  const { rows } = await sql<{ state: string; attempts: number; error: string; is_ended: boolean }>`
    select state, attempts, error, ended_at is not null as is_ended from mails order by id`.execute(node.db);
  return rows;
}

/** An email with its headers. */
function posted(): Posted {
  return {
    ...LETTER,
    from: { name: '', address: 'a@b.test' },
    messageId: '<a@b.test>',
    date: new Date().toISOString(),
  };
}

async function deadLetters(node: TestApp): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from pgboss.job where name = ${DEAD_LETTERS}`.execute(
    node.db,
  );
  return rows[0]?.n ?? 0;
}

describe('an email', { concurrent: true }, () => {
  test('reaches a real SMTP server with both parts and its own id', async () => {
    await using peer = await startSmtpServer();
    await using node = await nodeWith(peer);
    await post(node);
    await finished(node);
    const [message] = peer.accepted;
    assert.deepEqual([message?.from, message?.to], ['no-reply@steward.test', ['to@example.test']]);
    assert.equal(message?.ehlo, 'steward.test');
    const source = message?.source ?? '';
    assert.match(source, /^Subject: =\?UTF-8\?/m);
    assert.match(source, /^Message-ID: <[0-9a-f-]{36}@steward\.test>/m);
    assert.match(source, /^Content-Type: multipart\/alternative/m);
    assert.match(source, /^Content-Type: text\/plain; charset=utf-8/m);
    assert.match(source, /^Content-Type: text\/html; charset=utf-8/m);
    assert.equal(await deadLetters(node), 0);
  });

  test('to one person is sent before emails to many people that were queued earlier', async () => {
    await using peer = await startSmtpServer();
    await using node = await startApp({ work: false });
    const mails = Array.from({ length: 20 }, (_, at) => ({ userId: `${at}`, mail: LETTER }));
    await inTransaction(node.db, (trx) => queueMails(trx, node.deps, { kind: 'tests.many', teamId: '', mails }));
    await post(node, { ...LETTER, to: 'waiting@example.test' });
    await using working = await startApp({ beside: node, env: { SMTP_URL: peer.url } });
    await finished(working);
    const recipients = peer.accepted.map(({ to }) => to[0]);
    assert.equal(recipients.length, 21);
    // Jobs are fetched five at a time.
    assert.ok(recipients.indexOf('waiting@example.test') < 5, recipients.join(' '));
  });

  test('deferred by the server is retried as the same message', async () => {
    const tempers: DeliveryBehavior[] = ['later'];
    await using peer = await startSmtpServer(() => tempers.shift() ?? 'accept');
    await using node = await nodeWith(peer);
    await post(node);
    assert.deepEqual(await finished(node), [{ state: 'completed' }]);
    assert.deepEqual([peer.attempts(), peer.accepted.length], [2, 1]);
    assert.ok(node.log.some((line) => line.includes('job failed, will be retried')));
    assert.ok(!node.log.some((line) => line.includes('job failed permanently')));
    assert.deepEqual(await noted(node), [{ state: 'sent', attempts: 2, error: '', is_ended: true }]);
  });

  test('accepted while the database fails over is recorded afterwards, and sent once', async () => {
    await using peer = await startSmtpServer();
    await using node = await nodeWith(peer);
    await sql`create sequence attempts`.execute(node.db);
    await sql`create function fail_over() returns trigger language plpgsql security definer as $$ begin
      if nextval('attempts') < 3 then raise exception 'shutting down' using errcode = '57P01'; end if;
      return new; end $$`.execute(node.db);
    await sql`create trigger fail_over before update on mails for each row execute function fail_over()`.execute(
      node.db,
    );
    await post(node);
    assert.deepEqual(await finished(node), [{ state: 'completed' }]);
    assert.equal(peer.accepted.length, 1);
    assert.deepEqual(await noted(node), [{ state: 'sent', attempts: 1, error: '', is_ended: true }]);
  });

  test('recorded as sent is not sent again when its job could not be completed', async () => {
    await using peer = await startSmtpServer();
    await using node = await nodeWith(peer);
    await post(node);
    await finished(node);
    await sql`update pgboss.job set state = 'retry', retry_count = 1, completed_on = null
      where name = 'mail.send'`.execute(node.db);
    assert.deepEqual(await finished(node), [{ state: 'completed' }]);
    assert.equal(peer.accepted.length, 1);
    assert.deepEqual(await noted(node), [{ state: 'sent', attempts: 1, error: '', is_ended: true }]);
  });

  test('permanently rejected is not retried, and the reason is stored', async () => {
    for (const [temper, error] of [
      ['refuse', '550 no such mailbox'],
      ['refuse message', '554 looks like spam'],
    ] as const) {
      await using peer = await startSmtpServer(() => temper);
      await using node = await nodeWith(peer);
      await post(node);
      assert.deepEqual(await finished(node), [{ state: 'completed' }]);
      assert.deepEqual([peer.attempts(), peer.accepted.length], [1, 0]);
      assert.deepEqual(await noted(node), [{ state: 'failed', attempts: 1, error, is_ended: true }]);
      assert.ok(node.log.some((line) => line.includes('email was permanently rejected')));
      assert.ok(!node.log.some((line) => line.includes('Hällo')));
    }
  });

  test('dropped by the server after DATA fails after the last attempt and ends in the dead letters, still encrypted', async () => {
    await using peer = await startSmtpServer(() => 'drop');
    await using node = await nodeWith(peer);
    await post(node);
    assert.deepEqual(await finished(node), [{ state: 'failed' }]);
    assert.deepEqual([peer.attempts(), peer.accepted.length, await deadLetters(node)], [2, 0, 1]);
    assert.partialDeepStrictEqual(await noted(node), [{ state: 'failed', attempts: 2, is_ended: true }]);
    const { rows } = await sql<{ row: string }>`select j::text as row from pgboss.job j
      where name = ${DEAD_LETTERS}`.execute(node.db);
    assert.ok(!rows[0]?.row.includes('Hällo'));
    assert.ok(node.log.some((line) => line.includes('job failed permanently')));
  });

  test('that the server does not acknowledge times out', async () => {
    await using peer = await startSmtpServer(() => 'stall');
    const patience = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 3_000 };
    await assert.rejects(smtpTransport(parseSmtpUrl(peer.url), URL_HERE, patience)(posted()), /Timeout/);
    assert.equal(peer.attempts(), 1);
  });

  test("can't get more recipients or headers through its address or subject", async () => {
    await using peer = await startSmtpServer();
    await using node = await nodeWith(peer);
    const subject = `Invited to x\r\nBcc: evil@example.test\r\n\r\nbody ${'y'.repeat(300)}`;
    await post(node, { ...LETTER, subject });
    await post(node, { ...LETTER, to: 'to@example.test', text: '.\r\nMAIL FROM:<evil@example.test>\r\n' });
    await finished(node);
    assert.equal(peer.accepted.length, 2);
    for (const { source, to } of peer.accepted) {
      assert.deepEqual(to, ['to@example.test']);
      assert.doesNotMatch(source, /^Bcc:/m);
    }
  });

  test('exists only if the transaction that queued it commits', async () => {
    await using peer = await startSmtpServer();
    await using node = await nodeWith(peer);
    const failed = inTransaction(node.db, async (trx) => {
      await queueMail(trx, node.deps, { kind: 'tests.message', mail: LETTER });
      throw new Error('no');
    });
    await assert.rejects(failed, /no/);
    await post(node, { ...LETTER, to: 'after@example.test' });
    await finished(node);
    assert.deepEqual(
      peer.accepted.map(({ to }) => to),
      [['after@example.test']],
    );
  });
});

test('markup and quotes are escaped in HTML', () => {
  assert.equal(escapeHtml(`<a href="x" title='y'>&amp;`), '&#60;a href=&#34;x&#34; title=&#39;y&#39;&#62;&#38;amp;');
});
