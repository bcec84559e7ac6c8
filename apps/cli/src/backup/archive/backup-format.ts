import { createHash } from 'node:crypto';
import { z } from 'zod';

/** Tables that are in no backup, with the reason. A backup contains all others. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  sessions: 'who was signed in must sign in again',
  signed_out_sessions: 'it says which teams a session no longer opens',
  links: 'one-time links that were mailed stop working',
  set_up_links: 'the link that creates the first team; the next start prints another where there is none',
  signups: 'they are one-time links too, and live for a day',
  sso_transactions: 'sign-ins on their way, for ten minutes',
  sso_logouts: 'logout tokens are refused once they are ten minutes old',
  idempotency_keys: 'answers of repeated calls, kept for a day',
  throttles: 'counters of minutes',
  invitation_counts: 'counters of a day',
  presence: 'who is online, known anew within seconds',
  member_counts: 'triggers count the memberships again as they are restored',
  user_jobs: 'changes to many users are not resumed by a restore',
  compliance_access: 'access to private channels that was granted for hours is not given again',
  activity_sources: 'who was active after the backup is not known, so inactivity counts from the next report',
  inactivity_warnings: 'their links were mailed, and their emails are not in it',
  mails: 'the queue that would send them is not in it either',
  notices: 'emails that are not in that queue yet',
  privacy_exports: 'copies of what is stored, kept for seven days; they can be requested again',
  loose_blobs: 'contents that no row holds are not in it',
};

/** The first file of an archive describes it. */
export const HEADER = 'steward.json';
/** The last file has the sums of everything before it. */
export const MANIFEST = 'manifest.json';

const Sum = z.strictObject({ count: z.int(), bytes: z.int(), sha256: z.string() });
export type Sum = z.infer<typeof Sum>;

export const Header = z.strictObject({
  format: z.literal(1),
  version: z.string(),
  /** The last migration that the database had. */
  migration: z.string(),
  created_at: z.iso.datetime(),
  /** Signed with SECRET_KEY, so that another key is noticed if the archive isn't encrypted. */
  key_check: z.string(),
  /** False if the backup has no contents of files and recordings. */
  has_files: z.boolean(),
  /** Tables come after those that they refer to. */
  tables: z.array(z.strictObject({ name: z.string(), columns: z.array(z.string()) })),
});
export type Header = z.infer<typeof Header>;

export const Manifest = z.strictObject({
  header: z.string(),
  tables: z.record(z.string(), Sum),
  files: Sum,
  /** Number of contents with a row that were missing from the file store. */
  files_missing: z.int(),
  signature: z.string(),
});
export type Manifest = z.infer<typeof Manifest>;

export const KEY_CHECK = 'backup.key';
export const SIGNATURE = 'backup.manifest';

export interface SumBuilder {
  add(content: Buffer): void;
  /** `count` is the number of rows or files in the content. */
  sum(count: number): Sum;
}

export function createSum(): SumBuilder {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    add(content) {
      bytes += content.length;
      hash.update(content);
    },
    sum: (count) => ({ count, bytes, sha256: hash.copy().digest('hex') }),
  };
}

export function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The sum of all files is computed over these lines. */
export function fileLine(key: string, hash: string): Buffer {
  return Buffer.from(`${key} ${hash}\n`);
}

/** The signature covers everything else in the manifest. */
export function signedText({ signature, ...rest }: Manifest): string {
  return JSON.stringify(rest);
}
