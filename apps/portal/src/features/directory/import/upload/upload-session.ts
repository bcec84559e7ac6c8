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
  /** The server couldn't be reached, so the same file may work later. */
  canRetry: boolean;
}

/** The state of an upload. */
export type UploadStep =
  | { at: 'choose'; fileName: string; fault: UploadError | null }
  | { at: 'reading'; fileName: string; read: number; size: number; rows: number }
  | { at: 'preview'; fileName: string; file: DirectoryFile; forecast: Forecast }
  | { at: 'storing'; fileName: string; total: number; tally: Tally; trouble: unknown; isStopping: boolean }
  | { at: 'result'; fileName: string; total: number; end: UploadSummary };

/** An upload from choosing a file to its result, independent of the screen. */
export interface UploadSession {
  step: () => UploadStep;
  watch: (watcher: () => void) => () => void;
  /** Reads a file and previews it; the previous file is closed. */
  choose: (file: File) => void;
  /** Reads the same file again. */
  again: () => void;
  /** Returns to choosing a file. */
  reset: () => void;
  /** Stores the previewed rows. */
  store: () => void;
  /** Decides about a call that failed while storing. */
  decide: (decision: 'retry' | 'stop') => void;
  /** Cancels reading immediately, and storing after the current call. */
  cancel: () => void;
}

interface SessionOptions {
  calls: UploadCalls;
  open: (file: File, signal: AbortSignal) => Promise<DirectoryFile>;
  /** Entries may have changed. */
  onStored: (end: UploadSummary) => void;
}

const NO_FILE: UploadStep = { at: 'choose', fileName: '', fault: null };
/** Message of a reader error without one. */
const READER_ERROR = 'An error occurred on csv upload';

export function createUploadSession(options: SessionOptions): UploadSession {
  const state: SessionState = {
    options,
    step: NO_FILE,
    ending: new AbortController(),
    answer: noop,
    watchers: new Set(),
  };
  let chosen: File | undefined;
  const read = (file: File) => {
    if (state.step.at === 'storing') return;
    chosen = file;
    void readFile(state, file);
  };
  const reset = () => {
    if (state.step.at === 'storing') return;
    release(state);
    show(state, NO_FILE);
  };
  return {
    step: () => state.step,
    watch: (watcher) => {
      state.watchers.add(watcher);
      return () => state.watchers.delete(watcher);
    },
    choose: read,
    again: () => chosen !== undefined && read(chosen),
    reset,
    store: () => void (state.step.at === 'preview' && storePreview(state, state.step)),
    decide: (decision) => state.answer(decision),
    cancel: () => {
      if (state.step.at === 'reading') reset();
      if (state.step.at !== 'storing') return;
      state.ending.abort();
      state.answer('stop');
    },
  };
}

interface SessionState {
  options: SessionOptions;
  step: UploadStep;
  /** Cancels reading or storing. */
  ending: AbortController;
  /** Resolves the pending decision about a failed call. */
  answer: (decision: 'retry' | 'stop') => void;
  watchers: Set<() => void>;
}

const noop = () => {};

function show(state: SessionState, step: UploadStep): void {
  state.step = step;
  for (const watcher of state.watchers) watcher();
}

/** Cancels reading, and closes the previewed file. */
function release(state: SessionState): AbortSignal {
  state.ending.abort();
  if (state.step.at === 'preview') state.step.file.close();
  state.ending = new AbortController();
  return state.ending.signal;
}

async function readFile(state: SessionState, source: File): Promise<void> {
  const { calls, open } = state.options;
  const signal = release(state);
  const { name: fileName, size } = source;
  show(state, { at: 'reading', fileName, read: 0, size, rows: 0 });
  let file: DirectoryFile | undefined;
  try {
    file = await open(source, signal);
    const onProgress = (progress: { read: number; rows: number }) => {
      if (!signal.aborted) show(state, { at: 'reading', fileName, size, ...progress });
    };
    const forecast = await createForecast({ file, calls, signal, onProgress });
    signal.throwIfAborted();
    show(state, { at: 'preview', fileName, file, forecast });
  } catch (thrown) {
    file?.close();
    if (!signal.aborted) show(state, { at: 'choose', fileName, fault: getError(thrown) });
  }
}

type Storing = UploadStep & { at: 'storing' };

async function storePreview(
  state: SessionState,
  { fileName, file, forecast }: UploadStep & { at: 'preview' },
): Promise<void> {
  state.ending = new AbortController();
  const { signal } = state.ending;
  const total = forecast.rows;
  let shown: Storing = { at: 'storing', fileName, total, tally: NO_ROWS, trouble: undefined, isStopping: false };
  const update = (change: Partial<Storing>) => {
    shown = { ...shown, ...change };
    show(state, shown);
  };
  update({});
  signal.addEventListener('abort', () => update({ isStopping: true }));
  const ask = (trouble: unknown) =>
    new Promise<'retry' | 'stop'>((resolve) => {
      state.answer = (decision) => {
        state.answer = noop;
        update({ trouble: undefined, isStopping: decision === 'stop' });
        resolve(decision);
      };
      update({ trouble });
    });
  const end = await storeFile({
    file,
    fileName: sanitizeFileName(fileName),
    total,
    calls: state.options.calls,
    signal,
    onProgress: (tally) => update({ tally }),
    onCallFailed: ask,
  });
  file.close();
  show(state, { at: 'result', fileName, total, end });
  state.options.onStored(end);
}

/** Why a file couldn't be read, for the user. */
export function getError(thrown: unknown): UploadError {
  const { message, hint } = thrown as { message?: unknown; hint?: unknown };
  return {
    message: typeof message === 'string' && message !== '' ? message : READER_ERROR,
    hint: typeof hint === 'string' ? hint : undefined,
    canRetry: thrown instanceof Failure,
  };
}

/** The file name without characters that can't be stored, cut to its maximum length. */
function sanitizeFileName(fileName: string): string {
  const name = fileName.replaceAll('\0', '').toWellFormed().trim();
  return name.length <= FILE_NAME_MAX ? name : `${name.slice(0, FILE_NAME_MAX - 1).toWellFormed()}…`;
}
