import { EventEmitter, once } from 'node:events';
import { createMailbox, type Posted } from '#platform/mail/mailbox.ts';
import { TIME_SCALE } from '#testing/system/time-scale.ts';

/** Maximum wait for an email; only a failing test waits that long. */
const PATIENCE_MS = 30_000 * TIME_SCALE;

export type Inbox = ReturnType<typeof createInbox>;

/** The emails sent during a test; each is returned once. */
export function createInbox(directory: string) {
  const files = createMailbox(directory);
  const arrived = new EventEmitter();
  arrived.setMaxListeners(0);
  const mails: Posted[] = [];
  const waiting = (to: string) => mails.filter((mail) => mail.to === to);
  return {
    mailbox: {
      async keep(mail: Posted) {
        await files.keep(mail);
        mails.push(mail);
        arrived.emit('mail');
      },
      list: () => files.list(),
    },
    async next(to: string) {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      while (waiting(to).length === 0) {
        await once(arrived, 'mail', { signal }).catch(() => {
          throw new Error(`no email to ${to} within ${PATIENCE_MS / 1000} s`);
        });
      }
      const mail = waiting(to)[0] as Posted;
      mails.splice(mails.indexOf(mail), 1);
      return mail;
    },
    /** Emails to an address that have not been returned yet. */
    waiting,
  };
}

export function extractMailToken(mail: Posted): string {
  const token = /[?&]token=([\w-]+)/.exec(mail.text)?.[1];
  if (token === undefined) throw new Error(`no link in “${mail.subject}”`);
  return token;
}
