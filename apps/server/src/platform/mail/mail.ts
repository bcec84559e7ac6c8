import { randomUUID } from 'node:crypto';
import { ConstantBackoff, handleWhen, retry } from 'cockatiel';
import { createTransport } from 'nodemailer';
import { z } from 'zod';
import type { Database, Trx } from '#platform/database/database.ts';
import type { Env } from '#platform/env.ts';
import { toRefusal } from '#platform/http/errors.ts';
import { defineJob, defineWorker, type Jobs } from '#platform/jobs/jobs.ts';
import type { Logger } from '#platform/observability/log.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import { parseHost, toEhloName } from '#platform/settings/addresses.ts';
import type { SmtpServer } from '#platform/settings/smtp.ts';
import { type About, addMail, addMails, isSent, markSent, recordAttempt } from './mail-log.ts';
import type { Mail, Mailbox, Posted } from './mailbox.ts';

const PURPOSE = 'mail';
const SUBJECT_MAX = 200;

/** The queue stores the email encrypted, because it may contain a one-time link. It is retried for a day. */
const sendMail = defineJob({
  name: 'mail.send',
  payload: z.object({
    sealed: z.string(),
    /** Id of its row in `mails`; absent in jobs queued by an earlier version. */
    id: z.string().optional(),
  }),
  // The waits grow to 3 hours and add up to 25 to 28 hours.
  retries: 17,
  retrySeconds: 15,
  retryMaxSeconds: 3 * 3600,
});

interface Outbox {
  jobs: Pick<Jobs, 'sendUrgent'>;
  secrets: Secrets;
  env: Env;
}

/**
 * Queues an email and adds it to the log, within the transaction that causes it. It is sent before emails to many people, so that
 * a team with thousands of them doesn't delay the link that someone waits for.
 */
export async function queueMail(trx: Trx, outbox: Outbox, { mail, ...about }: About & { mail: Mail }): Promise<void> {
  const id = await addMail(trx, about, mail.to);
  await outbox.jobs.sendUrgent(trx, sendMail, { id, sealed: sealMail(outbox, mail) });
}

/** Queues many emails of one kind and team in two statements, and returns the ids of their rows in `mails`. */
export async function queueMails(
  trx: Trx,
  outbox: Omit<Outbox, 'jobs'> & { jobs: Pick<Jobs, 'sendMany'> },
  { mails, ...about }: { kind: string; teamId: string; mails: readonly { userId: string; mail: Mail }[] },
): Promise<string[]> {
  const rows = mails.map(({ userId, mail }) => ({ userId, recipient: mail.to }));
  const ids = await addMails(trx, about, rows);
  const payloads = mails.map(({ mail }, at) => ({ id: ids[at], sealed: sealMail(outbox, mail) }));
  await outbox.jobs.sendMany(trx, sendMail, payloads);
  return ids;
}

function sealMail({ env, secrets }: Omit<Outbox, 'jobs'>, mail: Mail): string {
  const posted: Posted = {
    ...mail,
    subject: toSubject(mail.subject),
    from: env.mailFrom,
    // Spam filters compare its domain with the sender's.
    messageId: `<${randomUUID()}@${env.mailFrom.address.split('@')[1]}>`,
    date: new Date().toISOString(),
  };
  return secrets.seal(PURPOSE, JSON.stringify(posted));
}

/** One line of at most 200 characters. */
function toSubject(text: string): string {
  const characters = Array.from(
    text
      .toWellFormed()
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  );
  return characters.length > SUBJECT_MAX ? `${characters.slice(0, SUBJECT_MAX - 1).join('')}…` : characters.join('');
}

/**
 * Timeouts for a mail server, in milliseconds: to connect, for the greeting, for each further line, and for a whole email.
 * A very slow server would otherwise block a job until the queue considers it dead and gives it, with its batch, to another
 * worker.
 */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, mailMs: 60_000 };

/**
 * Sends emails through a mail server. The library writes all headers; the Date and Message-ID are those of the queued email, so
 * that they are the same for every attempt.
 */
export function smtpTransport(
  { host, port, tls, auth }: SmtpServer,
  publicUrl: string,
  overrides: Partial<typeof TIMEOUTS> = {},
): (mail: Posted) => Promise<void> {
  const { mailMs, ...timeouts } = { ...TIMEOUTS, ...overrides };
  const name = toEhloName(parseHost(new URL(publicUrl).hostname) ?? '');
  const transport = createTransport({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(auth && { auth }),
    ...(name !== undefined && { name }),
    ...timeouts,
  });
  return async ({ to, from, subject, text, html, messageId, date }) => {
    const signal = AbortSignal.timeout(mailMs);
    try {
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId,
        date: new Date(date),
        // Keeps out-of-office replies away (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new Error(`the mail server did not accept it within ${mailMs / 1000} seconds`, { cause: error });
    }
  };
}

interface Post {
  env: Env;
  secrets: Secrets;
  mailbox: Mailbox;
  db: Database;
  log: Logger;
}

/**
 * Retries recording an accepted email for about 20 seconds while the database is unavailable: a failover takes less, and an email
 * that isn't recorded is sent twice.
 */
const recording = retry(
  handleWhen((error) => toRefusal(error).id === 'server.unavailable'),
  { maxAttempts: 20, backoff: new ConstantBackoff(1_000) },
);

/**
 * Sends queued emails through SMTP, or stores them in the mailbox if no mail server is set. An email that the server rejects
 * permanently, or still doesn't accept after a day, is marked as failed and logged.
 */
export function createMailWorker(post: Post) {
  const { smtp, publicUrl } = post.env;
  const deliver = smtp ? smtpTransport(smtp, publicUrl) : (mail: Posted) => post.mailbox.keep(mail);
  return defineWorker(sendMail, async ({ sealed, id = '' }, { isLast }) => {
    // An earlier attempt was recorded, but its job couldn't be completed.
    if (await isSent(post.db, id)) return;
    const mail = JSON.parse(post.secrets.open(PURPOSE, sealed)) as Posted;
    try {
      await deliver(mail);
    } catch (error) {
      const isRejected = isPermanentRejection(error);
      await recordAttempt(post.db, id, { error: getReason(error), isLast: isLast || isRejected });
      // Rethrown, a permanent rejection would be retried, or logged again by the queue.
      if (!isRejected) throw error;
      return post.log.error({ err: error, mail: id }, 'email was permanently rejected');
    }
    await recording.execute(() => markSent(post.db, id));
  });
}

/** A rejection (5xx) of the recipient or the message is permanent. One of the whole session may be temporary. */
function isPermanentRejection(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
}

/** One line of at most 200 characters. */
function getReason(error: unknown): string {
  const { response, message = String(error) } = error as { response?: string; message?: string };
  return (response ?? message)
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, 200);
}

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
