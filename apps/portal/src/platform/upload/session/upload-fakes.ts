// Tests use this file and server, whose steps can be delayed or made to fail.
import type { EncodingName } from '#platform/csv/csv-encodings.ts';
import type { UploadSummary } from './store-file.ts';
import { createErrorCsv, type FileRow, type UploadFile } from './upload-file.ts';
import type { IfExists, UploadCalls } from './upload-kind.ts';
import { type UploadStep as AnyStep, createUploadSession, type UploadSession } from './upload-session.ts';

export interface TestRow {
  name: string;
  note: string;
  keep?: 'note'[];
}

export interface TestImport {
  id: string;
}

const COLUMNS = [
  { name: 'name', label: 'Name' },
  { name: 'note', label: 'Note' },
] as const;
/** Maximum size of a call, in bytes. */
const BODY_MAX = 1024 * 1024;

export function row(line: number, name: string, rest: Partial<TestRow> = {}): FileRow<TestRow> {
  return { line, row: { name, note: '', ...rest }, fault: undefined };
}

export function wrongRow(line: number, name: string, fault: string): FileRow<TestRow> {
  return { ...row(line, name), fault };
}

export function makeFile(...batches: FileRow<TestRow>[][]): UploadFile<TestRow> & { passes: number; closed: number } {
  return {
    encoding: 'UTF-8',
    isWeakGuess: false,
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

/** The server stores each key once and rejects names in `wrong`. `fail` can fail a call before or after it. */
export function fakeServer(wrong: readonly string[] = []) {
  const stored = new Map<string, string[]>();
  const keys: string[] = [];
  const choices: IfExists[] = [];
  const finished: { cancelled: boolean; unreadable: number }[] = [];
  const fail = { before: async (_key: string) => {}, after: async (_key: string) => {} };
  const buildResponse = (rows: TestRow[]) => {
    const errors = rows.flatMap(({ name }, row) => (wrong.includes(name) ? [{ error: 'is wrong', row }] : []));
    return { created: rows.length - errors.length, changed: 0, unchanged: 0, errors };
  };
  const calls: UploadCalls<TestRow, TestImport> = {
    preview: async (rows, { ifExists }) => {
      choices.push(ifExists);
      await fail.before('preview');
      const outcomes = rows.map(({ name }) => (wrong.includes(name) ? ('failed' as const) : ('created' as const)));
      return { ...buildResponse(rows), outcomes, before: new Map(), facts: { previewed: rows.length } };
    },
    start: async () => {
      await fail.before('start');
      return { id: 'import' };
    },
    store: async (rows, { importId, key, ifExists }) => {
      choices.push(ifExists);
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
      return { id: 'import' };
    },
  };
  return { calls, keys, choices, finished, fail, names: () => [...stored.values()].flat() };
}

type UploadStep = AnyStep<TestImport>;

export function createTestSession(
  server: ReturnType<typeof fakeServer>,
  file: UploadFile<TestRow> | Error | ((encoding: EncodingName | undefined) => Promise<UploadFile<TestRow>>),
) {
  const ends: UploadSummary<TestImport>[] = [];
  const session = createUploadSession({
    kind: {
      calls: server.calls,
      open: async (_, { encoding }) => {
        if (file instanceof Error) throw file;
        return typeof file === 'function' ? file(encoding) : file;
      },
      createErrorCsv: () => createErrorCsv(COLUMNS),
      toTexts: ({ name, note }) => ({ name, note }),
      bodyMax: BODY_MAX,
    },
    onStored: (end) => ends.push(end),
  });
  return { session, ends };
}

/** Resolves with the session's step once it is `at` and fulfills the condition. */
export function stepAt<At extends UploadStep['at']>(
  session: UploadSession<TestImport>,
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
