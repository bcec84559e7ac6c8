import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { z } from 'zod';
import type { Database, Trx } from '#platform/database/database.ts';
import type { Env } from '#platform/env.ts';
import { defineJob, defineWorker, type Jobs } from '#platform/jobs/jobs.ts';
import type { Logger } from '#platform/observability/log.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import { type About, addMail, markSent, recordAttempt } from './mail-log.ts';
import type { Mail, Mailbox, Posted } from './mailbox.ts';

const PURPOSE = 'mail';

/** Sends one mail. Its content is sealed in the queue, since it may hold a one-time link. Tries go on for a day. */
const sendMail = defineJob({
  name: 'mail.send',
  payload: z.object({
    sealed: z.string(),
    /** Its line among the mails; absent in jobs that an earlier version queued. */
    id: z.string().optional(),
  }),
  retries: 20,
  retrySeconds: 15,
  retryMaxSeconds: 3 * 3600,
});

/** Queues a mail within the transaction that is its reason, and notes what it is about. */
export async function queueMail(
  trx: Trx,
  parts: { jobs: Jobs; secrets: Secrets; env: Env },
  { mail, ...about }: About & { mail: Mail },
): Promise<void> {
  const host = new URL(parts.env.publicUrl).hostname;
  const posted: Posted = {
    ...mail,
    subject: mail.subject.replace(/\s+/g, ' ').slice(0, 200),
    from: parts.env.MAIL_FROM,
    messageId: `<${randomUUID()}@${host}>`,
    date: new Date().toISOString(),
  };
  const id = await addMail(trx, about, mail.to);
  await parts.jobs.send(trx, sendMail, { id, sealed: parts.secrets.seal(PURPOSE, JSON.stringify(posted)) });
}

/**
 * How long a mail server may keep us waiting, in milliseconds: to connect, for its first line, for any further line, and for
 * one mail in all. A server that says a little from time to time would otherwise hold a job until the queue takes it for
 * dead and, with those that were taken from the queue beside it, gives it to somebody else.
 */
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, mailMs: 60_000 };

/** Gives mails to an SMTP server. */
export function smtpTransport(url: string, patience: Partial<typeof PATIENCE> = {}): (mail: Posted) => Promise<void> {
  const { mailMs, ...timeouts } = { ...PATIENCE, ...patience };
  // In one object: beside a url, the second argument holds defaults of mails, where time-outs mean nothing.
  const options = { url, ...timeouts };
  const transport = createTransport(options as object);
  return async (mail) => {
    const signal = AbortSignal.timeout(mailMs);
    try {
      await transport.sendMail({ ...mail, signal, disableFileAccess: true, disableUrlAccess: true });
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new Error(`the mail server did not take it within ${mailMs / 1000} seconds`, { cause: error });
    }
  };
}

/** What the worker needs. */
interface Post {
  env: Env;
  secrets: Secrets;
  mailbox: Mailbox;
  db: Database;
  log: Logger;
}

/**
 * The worker that sends queued mails by SMTP, or keeps them in the mailbox when no SMTP_URL is set. A mail that the server
 * refuses for good, or still does not take after a day, is noted as failed and logged; nothing else is lost by it.
 */
export function createMailWorker(post: Post) {
  const deliver = post.env.SMTP_URL ? smtpTransport(post.env.SMTP_URL) : (mail: Posted) => post.mailbox.keep(mail);
  return defineWorker(sendMail, async ({ sealed, id = '' }, { isLast }) => {
    const mail = JSON.parse(post.secrets.open(PURPOSE, sealed)) as Posted;
    try {
      await deliver(mail);
    } catch (error) {
      const isRefused = isRefusedForGood(error);
      await recordAttempt(post.db, id, { error: getReason(error), isLast: isLast || isRefused });
      // Thrown on, it would be tried again, or told of a second time by the queue.
      if (!isRefused) throw error;
      return post.log.error({ err: error, mail: id }, 'mail was refused for good');
    }
    await markSent(post.db, id);
  });
}

/** Whether the server said no (5xx) to this address or this message; what it says to everybody may change by tomorrow. */
function isRefusedForGood(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
}

/** What the server said, else what happened, on one short line. */
function getReason(error: unknown): string {
  const { response, message = String(error) } = error as { response?: string; message?: string };
  return (response ?? message)
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, 200);
}

/** Text made safe for HTML, in content and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
