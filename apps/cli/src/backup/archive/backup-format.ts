import { createHash } from 'node:crypto';
import { z } from 'zod';

/** Tables that are in no backup, and why. Whatever else there is, is in it. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  sessions: 'who was signed in must sign in again',
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
  mails: 'the queue that would send them is not in it either',
  notices: 'emails that are not in that queue yet',
  privacy_exports: 'copies of what is stored, kept for seven days; they can be requested again',
  loose_blobs: 'contents that no row holds are not in it',
};

/** First file of an archive: what it is. */
export const HEADER = 'steward.json';
/** Last file: what everything before must add up to. */
export const MANIFEST = 'manifest.json';

const Sum = z.strictObject({ count: z.int(), bytes: z.int(), sha256: z.string() });
export type Sum = z.infer<typeof Sum>;

export const Header = z.strictObject({
  format: z.literal(1),
  version: z.string(),
  /** The last migration that the database had. */
  migration: z.string(),
  created_at: z.iso.datetime(),
  /** Signed with SECRET_KEY, so that another key is known where the archive isn't encrypted. */
  key_check: z.string(),
  /** Whether contents of files and recordings are in it. */
  has_files: z.boolean(),
  /** In the order in which they can be filled. */
  tables: z.array(z.strictObject({ name: z.string(), columns: z.array(z.string()) })),
});
export type Header = z.infer<typeof Header>;

export const Manifest = z.strictObject({
  header: z.string(),
  tables: z.record(z.string(), Sum),
  files: Sum,
  /** Contents that rows name and that could not be found. */
  files_missing: z.int(),
  signature: z.string(),
});
export type Manifest = z.infer<typeof Manifest>;

/** Purposes of what is signed with SECRET_KEY. */
export const KEY_CHECK = 'backup.key';
export const SIGNATURE = 'backup.manifest';

/** Counts and hashes what passes. */
export interface SumBuilder {
  add(content: Buffer): void;
  /** `count` is of what the content holds: rows, files. */
  sum(count: number): Sum;
}

/** Begins a sum. */
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

/** Hash of some bytes. */
export function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** What a file adds to the sum of all: its key and the hash of its content. */
export function fileLine(key: string, hash: string): Buffer {
  return Buffer.from(`${key} ${hash}\n`);
}

/** What is signed: everything of the manifest but the signature. */
export function signedText({ signature, ...rest }: Manifest): string {
  return JSON.stringify(rest);
}
