import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { z } from 'zod';
import type { Trx } from './database.ts';
import type { Env } from './env.ts';
import { defineJob, type Jobs, workerFor } from './jobs.ts';
import type { Mail, Mailbox, Posted } from './mailbox.ts';
import type { Secrets } from './secrets.ts';

const PURPOSE = 'mail';

/** Sends one mail. Its content is sealed in the queue, since it may hold a one-time link. Tries go on for a day. */
const sendMail = defineJob({
  name: 'mail.send',
  payload: z.object({ sealed: z.string() }),
  retries: 12,
  retrySeconds: 15,
  retryMaxSeconds: 3 * 3600,
});

/** Queues a mail within the transaction that is its reason. */
export async function queueMail(
  trx: Trx,
  parts: { jobs: Jobs; secrets: Secrets; env: Env },
  mail: Mail,
): Promise<void> {
  const host = new URL(parts.env.publicUrl).hostname;
  const posted: Posted = {
    ...mail,
    subject: mail.subject.replace(/\s+/g, ' ').slice(0, 200),
    from: parts.env.MAIL_FROM,
    messageId: `<${randomUUID()}@${host}>`,
    date: new Date().toISOString(),
  };
  await parts.jobs.send(trx, sendMail, { sealed: parts.secrets.seal(PURPOSE, JSON.stringify(posted)) });
}

/** Gives mails to an SMTP server. */
export function smtpTransport(url: string): (mail: Posted) => Promise<void> {
  // In one object: beside a url, the second argument holds defaults of mails, where time-outs mean nothing.
  const options = { url, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
  const transport = createTransport(options as object);
  return async (mail) => {
    await transport.sendMail({ ...mail, disableFileAccess: true, disableUrlAccess: true });
  };
}

/** The worker that sends queued mails by SMTP, or keeps them in the mailbox when no SMTP_URL is set. */
export function mailWorker(parts: { env: Env; secrets: Secrets; mailbox: Mailbox }) {
  const deliver = parts.env.SMTP_URL ? smtpTransport(parts.env.SMTP_URL) : (mail: Posted) => parts.mailbox.keep(mail);
  return workerFor(sendMail, async ({ sealed }) => deliver(JSON.parse(parts.secrets.open(PURPOSE, sealed)) as Posted));
}

/** Text made safe for HTML, in content and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
