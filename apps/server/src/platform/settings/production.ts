/** Variables as they were given, empty ones left out. */
export type Given = Readonly<Record<string, string | undefined>>;

/** A setting that isn't safe on the internet. */
export interface Fault {
  variable: string;
  /** What the variable must be. */
  problem: string;
  /** What a server that starts anyway allows; undefined if it must not start at all. */
  allows?: string;
}

/** Whether the server is used in production: it has a database of its own, or NODE_ENV says so. */
export function isProduction({ DATABASE_URL, NODE_ENV }: Given): boolean {
  return DATABASE_URL !== undefined || NODE_ENV === 'production';
}

/** Everything that keeps a production server from starting. Values that don't parse are none of its business. */
export function findFaults(given: Given): Fault[] {
  if (!isProduction(given)) return [];
  const { PUBLIC_URL, SMTP_URL, SECRET_KEY, DEMO } = given;
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
  if (SMTP_URL === undefined)
    faults.push({
      variable: 'SMTP_URL',
      problem: 'is required: without a mail server, no email leaves this one',
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

/** The variable that makes the server one for production. */
function nameReason({ DATABASE_URL }: Given): string {
  return DATABASE_URL === undefined ? 'NODE_ENV=production' : 'DATABASE_URL';
}

/** At least as many different bytes as a random key has, in practice always. */
const DIFFERENT_BYTES = 16;
const LONGEST_PERIOD = 16;

/** Whether a key of 64 hex digits is one that people type: few different bytes, or a short sequence repeated. */
export function isTrivialKey(hex: string): boolean {
  const bytes = [...Buffer.from(hex, 'hex')];
  if (new Set(bytes).size < DIFFERENT_BYTES) return true;
  const periods = Array.from({ length: LONGEST_PERIOD }, (_, at) => at + 1);
  return periods.some((period) => bytes.every((byte, at) => byte === bytes[at % period]));
}
