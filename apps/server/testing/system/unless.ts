import { describe, test } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Why the test is skipped, for the summary of a run. */
    missing?: string;
  }
}

/** What this machine lacks, in words; nothing if it has everything that a test needs. */
export type Missing = string | false | undefined;

const toOptions = (missing: Missing) => ({ skip: Boolean(missing), meta: missing ? { missing } : {} });

/** `describe`, but skipped with a reason on a machine that lacks something. */
export function describeUnless(missing: Missing, title: string, work: () => void): void {
  describe(title, toOptions(missing), work);
}

/** `test`, but skipped with a reason on a machine that lacks something. */
export function testUnless(missing: Missing, title: string, work: () => Promise<void> | void): void {
  test(title, toOptions(missing), work);
}
