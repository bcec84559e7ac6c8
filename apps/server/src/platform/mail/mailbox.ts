import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MailAddress } from '#platform/settings/mail-from.ts';

/** `html` has the same content as `text`. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** The message id is the same for every attempt, so that mail programs show duplicates once. */
export interface Posted extends Mail {
  /** Text in emails that were queued by an earlier version. */
  from: MailAddress | string;
  messageId: string;
  /** When it was queued, as an ISO 8601 instant. */
  date: string;
}

/** Emails captured because no SMTP server is configured. */
export interface Mailbox {
  keep(mail: Posted): Promise<void>;
  /** Newest first, at most 200. */
  list(): Promise<Posted[]>;
}

/** Stores one JSON file per email, readable only by the server's user. */
export function createMailbox(directory: string): Mailbox {
  return {
    async keep(mail) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const name = `${mail.date.replace(/\D/g, '')}-${mail.messageId.replace(/[^a-z0-9-]/gi, '').slice(0, 36)}.json`;
      // The name contains the id, so that a repeated delivery replaces the first one.
      await writeFile(join(directory, `.${name}`), JSON.stringify(mail), { mode: 0o600 });
      await rename(join(directory, `.${name}`), join(directory, name));
    },
    async list() {
      const names = await readdir(directory).catch(() => [] as string[]);
      const newest = names
        .filter((name) => /^\d.*\.json$/.test(name))
        .sort()
        .reverse()
        .slice(0, 200);
      return Promise.all(
        newest.map(async (name) => JSON.parse(await readFile(join(directory, name), 'utf8')) as Posted),
      );
    },
  };
}
