// For tests: a file and a server whose steps can be delayed or made to fail.
import type { Import, UploadRow } from '@steward/contract/directory';
import type { DirectoryFile, FileRow } from '../file/directory.csv.ts';
import type { UploadSummary } from './store-file.ts';
import type { UploadCalls } from './upload-calls.ts';
import { createUploadSession, type UploadSession, type UploadStep } from './upload-session.ts';

export function row(line: number, name: string, rest: Partial<UploadRow> = {}): FileRow {
  return { line, row: { id: '', name, phone_number: '', sms: '', email: '', ...rest }, fault: undefined };
}

/** A row that the reader rejected. */
export function wrongRow(line: number, name: string, fault: string): FileRow {
  return { ...row(line, name), fault };
}

export function makeFile(...batches: FileRow[][]): DirectoryFile & { passes: number; closed: number } {
  return {
    encoding: 'UTF-8',
    delimiter: ',',
    missing: [],
    ignored: [],
    size: batches.length * 100,
    passes: 0,
    closed: 0,
    async *batches(signal) {
      this.passes += 1;
      for (const [at, rows] of batches.entries()) {
        signal.throwIfAborted();
        yield { rows, read: (at + 1) * 100 };
      }
    },
    close() {
      this.closed += 1;
    },
  };
}

/** A server that stores each key once; it rejects names in `wrong`, and `fail` can fail a call before or after it. */
export function fakeServer(wrong: readonly string[] = []) {
  const stored = new Map<string, string[]>();
  const keys: string[] = [];
  const finished: { cancelled: boolean; unreadable: number }[] = [];
  const fail = { before: async (_key: string) => {}, after: async (_key: string) => {} };
  const buildResponse = (rows: UploadRow[]) => {
    const errors = rows.flatMap((sent, at) =>
      wrong.includes(sent.name) ? [{ ...sent, error: 'is wrong', row: at }] : [],
    );
    return { status_code: 200 as const, created: rows.length - errors.length, changed: 0, unchanged: 0, errors };
  };
  const calls: UploadCalls = {
    preview: async (rows) => {
      await fail.before('preview');
      const outcomes = rows.map(({ name }) => (wrong.includes(name) ? ('failed' as const) : ('created' as const)));
      return { ...buildResponse(rows), preview: { outcomes, before: [], twins: 0, kept_numbers: 0, kept_names: 0 } };
    },
    start: async (fileName) => {
      await fail.before('start');
      return { id: 'import', file_name: fileName } as Import;
    },
    store: async (rows, { importId, key }) => {
      keys.push(key);
      await fail.before(key);
      const good = rows.filter(({ name }) => !wrong.includes(name)).map(({ name }) => name);
      if (!stored.has(key)) stored.set(key, good);
      await fail.after(key);
      if (importId !== 'import') throw new Error('These rows belong to no import.');
      return buildResponse(rows);
    },
    finish: async (_id, how) => {
      await fail.before('finish');
      finished.push(how);
      return { id: 'import', undo_until: 1 } as Import;
    },
  };
  return { calls, keys, finished, fail, names: () => [...stored.values()].flat() };
}

export function createTestSession(server: ReturnType<typeof fakeServer>, file: DirectoryFile | Error) {
  const ends: UploadSummary[] = [];
  const session = createUploadSession({
    calls: server.calls,
    open: async () => {
      if (file instanceof Error) throw file;
      return file;
    },
    onStored: (end) => ends.push(end),
  });
  return { session, ends };
}

/** Resolves with the session's step once it is `at` and fulfills the condition. */
export function stepAt<At extends UploadStep['at']>(
  session: UploadSession,
  at: At,
  isReached: (step: UploadStep & { at: At }) => boolean = () => true,
): Promise<UploadStep & { at: At }> {
  return new Promise((resolve) => {
    const check = () => {
      const step = session.step();
      if (step.at !== at || !isReached(step as UploadStep & { at: At })) return;
      end();
      resolve(step as UploadStep & { at: At });
    };
    const end = session.watch(check);
    check();
  });
}

export async function getText(csv: Blob | null): Promise<string[]> {
  return (await (csv ?? new Blob()).text()).replace('\uFEFF', '').trimEnd().split('\r\n');
}
