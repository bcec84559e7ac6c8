/** Variables of the environment, without empty ones. */
export type Given = Readonly<Record<string, string | undefined>>;

export interface Fault {
  variable: string;
  problem: string;
  /** The risk of starting anyway; undefined if the server must not start at all. */
  allows?: string;
}

/** A server with DATABASE_URL is one for production, even without NODE_ENV. */
export function isProduction({ DATABASE_URL, NODE_ENV }: Given): boolean {
  return DATABASE_URL !== undefined || NODE_ENV === 'production';
}

/** The settings that keep a production server from starting. Invalid values are reported elsewhere. */
export function findFaults(given: Given): Fault[] {
  if (!isProduction(given)) return [];
  const { PUBLIC_URL, SMTP_URL, SMTP_HOST, SECRET_KEY, DEMO } = given;
  const faults: Fault[] = [];
  if (PUBLIC_URL === undefined || !/^https:/i.test(PUBLIC_URL))
    faults.push({
      variable: 'PUBLIC_URL',
      problem: 'must be the https address of the portal',
      allows:
        PUBLIC_URL === undefined
          ? 'links in emails lead to localhost, passwords and cookies are sent without encryption, and sign-up is open unless SIGNUP is set'
          : 'passwords and cookies are sent without encryption',
    });
  if (SMTP_URL === undefined && SMTP_HOST === undefined)
    faults.push({
      variable: 'SMTP_URL',
      problem: 'or SMTP_HOST is required: without a mail server, no email leaves this one',
      allows: 'emails with links that open accounts are kept as files and never sent',
    });
  if (SECRET_KEY !== undefined && isTrivialKey(SECRET_KEY))
    faults.push({
      variable: 'SECRET_KEY',
      problem: 'can be guessed: use 32 random bytes',
      allows: 'anyone who guesses SECRET_KEY can decrypt stored credentials',
    });
  if (DEMO === '1')
    faults.push({
      variable: 'DEMO',
      problem: `must not be 1 with ${nameReason(given)}: production has no demo workspace`,
    });
  return faults;
}

function nameReason({ DATABASE_URL }: Given): string {
  return DATABASE_URL === undefined ? 'NODE_ENV=production' : 'DATABASE_URL';
}

/** A random key has practically always at least this many different bytes. */
const DIFFERENT_BYTES = 16;
const LONGEST_PERIOD = 16;

/** A key of 64 hex digits is trivial if it has few different bytes or repeats a short sequence. */
export function isTrivialKey(hex: string): boolean {
  const bytes = [...Buffer.from(hex, 'hex')];
  if (new Set(bytes).size < DIFFERENT_BYTES) return true;
  const periods = Array.from({ length: LONGEST_PERIOD }, (_, at) => at + 1);
  return periods.some((period) => bytes.every((byte, at) => byte === bytes[at % period]));
}
