import { FILE_NAME_MAX } from '@steward/contract/api/limits';
import { Failure } from '#platform/api/failure.ts';
import type { DirectoryFile } from '../file/directory.csv.ts';
import { NO_ROWS, storeFile, type Tally, type UploadSummary } from './store-file.ts';
import type { UploadCalls } from './upload-calls.ts';
import { createForecast, type Forecast } from './upload-forecast.ts';

/** Why there is no preview of a file. */
export interface UploadError {
  message: string;
  hint: string | undefined;
  /** The file may be all right: the server could not be asked. */
  canRetry: boolean;
}

/** Where an upload is. */
export type UploadStep =
  | { at: 'choose'; fileName: string; fault: UploadError | null }
  | { at: 'reading'; fileName: string; read: number; size: number; rows: number }
  | { at: 'preview'; fileName: string; file: DirectoryFile; forecast: Forecast }
  | { at: 'storing'; fileName: string; total: number; tally: Tally; trouble: unknown; isStopping: boolean }
  | { at: 'result'; fileName: string; total: number; end: UploadSummary };

/** An upload from the choice of a file to its result; knows nothing of the screen. */
export interface UploadSession {
  step: () => UploadStep;
  watch: (watcher: () => void) => () => void;
  /** Reads a file and shows what it would do; whatever was chosen before is let go. */
  choose: (file: File) => void;
  /** Reads the same file again. */
  again: () => void;
  /** Back to the choice of a file. */
  reset: () => void;
  /** Stores what the preview has shown. */
  store: () => void;
  /** What to do about a call that failed while storing. */
  decide: (decision: 'retry' | 'stop') => void;
  /** Ends what is under way: reading at once, storing after the call under way. */
  cancel: () => void;
}

interface SessionOptions {
  calls: UploadCalls;
  open: (file: File, signal: AbortSignal) => Promise<DirectoryFile>;
  /** Entries may have changed. */
  onStored: (end: UploadSummary) => void;
}

const NO_FILE: UploadStep = { at: 'choose', fileName: '', fault: null };
/** Text of a reader error that brings none of its own. */
const READER_ERROR = 'An error occurred on csv upload';

export function createUploadSession(options: SessionOptions): UploadSession {
  const held: SessionState = {
    options,
    step: NO_FILE,
    ending: new AbortController(),
    answer: noop,
    watchers: new Set(),
  };
  let chosen: File | undefined;
  const read = (file: File) => {
    if (held.step.at === 'storing') return;
    chosen = file;
    void readFile(held, file);
  };
  const reset = () => {
    if (held.step.at === 'storing') return;
    letGo(held);
    show(held, NO_FILE);
  };
  return {
    step: () => held.step,
    watch: (watcher) => {
      held.watchers.add(watcher);
      return () => held.watchers.delete(watcher);
    },
    choose: read,
    again: () => chosen !== undefined && read(chosen),
    reset,
    store: () => void (held.step.at === 'preview' && storePreview(held, held.step)),
    decide: (decision) => held.answer(decision),
    cancel: () => {
      if (held.step.at === 'reading') reset();
      if (held.step.at !== 'storing') return;
      held.ending.abort();
      held.answer('stop');
    },
  };
}

interface SessionState {
  options: SessionOptions;
  step: UploadStep;
  /** Ends what is under way. */
  ending: AbortController;
  /** Answers the question about a call that failed. */
  answer: (decision: 'retry' | 'stop') => void;
  watchers: Set<() => void>;
}

const noop = () => {};

function show(held: SessionState, step: UploadStep): void {
  held.step = step;
  for (const watcher of held.watchers) watcher();
}

/** Ends the reading that is under way, and closes the file that is shown. */
function letGo(held: SessionState): AbortSignal {
  held.ending.abort();
  if (held.step.at === 'preview') held.step.file.close();
  held.ending = new AbortController();
  return held.ending.signal;
}

async function readFile(held: SessionState, source: File): Promise<void> {
  const { calls, open } = held.options;
  const signal = letGo(held);
  const { name: fileName, size } = source;
  show(held, { at: 'reading', fileName, read: 0, size, rows: 0 });
  let file: DirectoryFile | undefined;
  try {
    file = await open(source, signal);
    const onProgress = (progress: { read: number; rows: number }) => {
      if (!signal.aborted) show(held, { at: 'reading', fileName, size, ...progress });
    };
    const forecast = await createForecast({ file, calls, signal, onProgress });
    signal.throwIfAborted();
    show(held, { at: 'preview', fileName, file, forecast });
  } catch (thrown) {
    file?.close();
    if (!signal.aborted) show(held, { at: 'choose', fileName, fault: getError(thrown) });
  }
}

type Storing = UploadStep & { at: 'storing' };

async function storePreview(
  held: SessionState,
  { fileName, file, forecast }: UploadStep & { at: 'preview' },
): Promise<void> {
  held.ending = new AbortController();
  const { signal } = held.ending;
  const total = forecast.rows;
  let shown: Storing = { at: 'storing', fileName, total, tally: NO_ROWS, trouble: undefined, isStopping: false };
  const update = (change: Partial<Storing>) => {
    shown = { ...shown, ...change };
    show(held, shown);
  };
  update({});
  signal.addEventListener('abort', () => update({ isStopping: true }));
  const ask = (trouble: unknown) =>
    new Promise<'retry' | 'stop'>((resolve) => {
      held.answer = (decision) => {
        held.answer = noop;
        update({ trouble: undefined, isStopping: decision === 'stop' });
        resolve(decision);
      };
      update({ trouble });
    });
  const end = await storeFile({
    file,
    fileName: sanitizeFileName(fileName),
    total,
    calls: held.options.calls,
    signal,
    onProgress: (tally) => update({ tally }),
    onCallFailed: ask,
  });
  file.close();
  show(held, { at: 'result', fileName, total, end });
  held.options.onStored(end);
}

/** Why a file could not be read, for the person. */
export function getError(thrown: unknown): UploadError {
  const { message, hint } = thrown as { message?: unknown; hint?: unknown };
  return {
    message: typeof message === 'string' && message !== '' ? message : READER_ERROR,
    hint: typeof hint === 'string' ? hint : undefined,
    canRetry: thrown instanceof Failure,
  };
}

/** As much of the name as is kept, without what cannot be stored. */
function sanitizeFileName(fileName: string): string {
  const name = fileName.replaceAll('\0', '').toWellFormed().trim();
  return name.length <= FILE_NAME_MAX ? name : `${name.slice(0, FILE_NAME_MAX - 1).toWellFormed()}…`;
}
