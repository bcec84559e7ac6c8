import { EventEmitter, once } from 'node:events';
import { createMailbox, type Mailbox, type Posted } from '#platform/mail/mailbox.ts';

/** Where the mails of a test land; a mail is handed out once. */
export interface Inbox {
  /** The real mailbox, for the app. */
  mailbox: Mailbox;
  /** The next mail to an address, when it comes. */
  next(to: string): Promise<Posted>;
  /** Mails to an address that nobody has taken yet. */
  waiting(to: string): Posted[];
}

/** Longest a mail may take; only a failing test waits that long. */
const PATIENCE_MS = 30_000;

/** An inbox over a mailbox in a directory. */
export function createInbox(directory: string): Inbox {
  const files = createMailbox(directory);
  const arrived = new EventEmitter();
  arrived.setMaxListeners(0);
  const mails: Posted[] = [];
  const waiting = (to: string) => mails.filter((mail) => mail.to === to);
  return {
    mailbox: {
      async keep(mail) {
        await files.keep(mail);
        mails.push(mail);
        arrived.emit('mail');
      },
      list: () => files.list(),
    },
    async next(to) {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      while (waiting(to).length === 0) {
        await once(arrived, 'mail', { signal }).catch(() => {
          throw new Error(`no mail to ${to} within ${PATIENCE_MS / 1000} s`);
        });
      }
      const mail = waiting(to)[0] as Posted;
      mails.splice(mails.indexOf(mail), 1);
      return mail;
    },
    waiting,
  };
}

/** The one-time token in the link of a mail. */
export function extractMailToken(mail: Posted): string {
  const token = /[?&]token=([\w-]+)/.exec(mail.text)?.[1];
  if (token === undefined) throw new Error(`no link in “${mail.subject}”`);
  return token;
}
