import { FILE_NAME_MAX } from '@steward/contract/api/limits';
import { Failure } from '#platform/api/failure.ts';
import type { EncodingName } from '#platform/csv/csv-encodings.ts';
import { NO_ROWS, storeFile, type Tally, type UploadSummary } from './store-file.ts';
import type { UploadFile } from './upload-file.ts';
import { createForecast, type Forecast } from './upload-forecast.ts';
import type { AnyRow, IfExists, UploadKind } from './upload-kind.ts';

/** The reason why there is no preview of a file. */
export interface UploadError {
  message: string;
  hint: string | undefined;
  /** The server couldn't be reached, so the same file may work later. */
  canRetry: boolean;
}

export type FileFacts = Pick<UploadFile<AnyRow>, 'encoding' | 'isWeakGuess' | 'delimiter' | 'missing' | 'ignored'>;

export type UploadStep<Imported = unknown> =
  | { at: 'choose'; fileName: string; fault: UploadError | null }
  | { at: 'reading'; fileName: string; read: number; size: number; rows: number }
  | {
      at: 'preview';
      fileName: string;
      file: FileFacts;
      forecast: Forecast;
      choices: Choices;
      rereading: Rereading | null;
    }
  | { at: 'storing'; fileName: string; total: number; tally: Tally; trouble: unknown; isStopping: boolean }
  | { at: 'result'; fileName: string; total: number; end: UploadSummary<Imported> };

/** The user's choices about the preview of a file. */
export interface Choices {
  /** Undefined while the encoding is the detected one. */
  encoding: EncodingName | undefined;
  ifExists: IfExists;
}

/** The file of a preview is read again with other choices, or couldn't be. */
export interface Rereading {
  choices: Choices;
  fault: UploadError | null;
}

/** An upload from choosing a file to its result, independent of the screen. */
export interface UploadSession<Imported = unknown> {
  step: () => UploadStep<Imported>;
  watch: (watcher: () => void) => () => void;
  /** The previous file is closed. */
  choose: (file: File) => void;
  again: () => void;
  /** Reads the file of the preview again. The preview stays until the new one is complete. */
  change: (choices: Partial<Choices>) => void;
  /** Returns to choosing a file. */
  reset: () => void;
  store: () => void;
  /** Decides about a call that failed while storing. */
  decide: (decision: 'retry' | 'stop') => void;
  /** Cancels reading immediately, and storing after the current call. */
  cancel: () => void;
}

interface SessionOptions<Row extends AnyRow, Imported> {
  kind: UploadKind<Row, Imported>;
  /** The stored data may have changed. */
  onStored: (end: UploadSummary<Imported>) => void;
}

/** Importing a list twice by mistake adds nothing. */
const FIRST_CHOICES: Choices = { encoding: undefined, ifExists: 'keep' };
const NO_FILE = { at: 'choose', fileName: '', fault: null } as const;
/** Message of a reader error without one. */
const READER_ERROR = 'An error occurred on csv upload';

export function createUploadSession<Row extends AnyRow, Imported>(
  options: SessionOptions<Row, Imported>,
): UploadSession<Imported> {
  const state: SessionState<Row, Imported> = {
    options,
    step: NO_FILE,
    file: undefined,
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
    change: (choices) => void (chosen !== undefined && readAgain(state, chosen, choices)),
    reset,
    store: () => void (state.step.at === 'preview' && !isRereading(state.step) && storePreview(state, state.step)),
    decide: (decision) => state.answer(decision),
    cancel: () => {
      if (state.step.at === 'reading') reset();
      if (state.step.at !== 'storing') return;
      state.ending.abort();
      state.answer('stop');
    },
  };
}

interface SessionState<Row extends AnyRow, Imported> {
  options: SessionOptions<Row, Imported>;
  step: UploadStep<Imported>;
  /** The previewed file, until it is closed. */
  file: UploadFile<Row> | undefined;
  ending: AbortController;
  /** Resolves the pending decision about a failed call. */
  answer: (decision: 'retry' | 'stop') => void;
  watchers: Set<() => void>;
}

const noop = () => {};

function show<Row extends AnyRow, Imported>(state: SessionState<Row, Imported>, step: UploadStep<Imported>): void {
  state.step = step;
  for (const watcher of state.watchers) watcher();
}

function release<Row extends AnyRow, Imported>(state: SessionState<Row, Imported>): AbortSignal {
  state.ending.abort();
  state.file?.close();
  state.file = undefined;
  state.ending = new AbortController();
  return state.ending.signal;
}

async function readFile<Row extends AnyRow, Imported>(state: SessionState<Row, Imported>, source: File): Promise<void> {
  const signal = release(state);
  const { name: fileName, size } = source;
  show(state, { at: 'reading', fileName, read: 0, size, rows: 0 });
  const onProgress = (progress: { read: number; rows: number }) => {
    if (!signal.aborted) show(state, { at: 'reading', fileName, size, ...progress });
  };
  try {
    await preview(state, source, { signal, choices: FIRST_CHOICES, onProgress });
  } catch (thrown) {
    if (!signal.aborted) show(state, { at: 'choose', fileName, fault: getError(thrown) });
  }
}

async function readAgain<Row extends AnyRow, Imported>(
  state: SessionState<Row, Imported>,
  source: File,
  changed: Partial<Choices>,
): Promise<void> {
  const { step } = state;
  if (step.at !== 'preview') return;
  // This stops reading with choices that were made before.
  state.ending.abort();
  state.ending = new AbortController();
  const { signal } = state.ending;
  const choices = { ...(step.rereading?.choices ?? step.choices), ...changed };
  show(state, { ...step, rereading: { choices, fault: null } });
  try {
    await preview(state, source, { signal, choices, onProgress: noop });
  } catch (thrown) {
    if (!signal.aborted) show(state, { ...step, rereading: { choices, fault: getError(thrown) } });
  }
}

/** In the meantime the user can only choose again, or another file. */
export function isRereading({ rereading }: UploadStep & { at: 'preview' }): boolean {
  return rereading !== null && rereading.fault === null;
}

interface PreviewOptions {
  signal: AbortSignal;
  choices: Choices;
  onProgress: (progress: { read: number; rows: number }) => void;
}

async function preview<Row extends AnyRow, Imported>(
  state: SessionState<Row, Imported>,
  source: File,
  { signal, choices, onProgress }: PreviewOptions,
): Promise<void> {
  const { kind } = state.options;
  const file = await kind.open(source, { signal, encoding: choices.encoding });
  try {
    const forecast = await createForecast({ file, kind, ifExists: choices.ifExists, signal, onProgress });
    signal.throwIfAborted();
    state.file?.close();
    state.file = file;
    show(state, { at: 'preview', fileName: source.name, file, forecast, choices, rereading: null });
  } catch (thrown) {
    file.close();
    throw thrown;
  }
}

type Storing = UploadStep & { at: 'storing' };

async function storePreview<Row extends AnyRow, Imported>(
  state: SessionState<Row, Imported>,
  { fileName, forecast, choices }: UploadStep & { at: 'preview' },
): Promise<void> {
  const { file } = state;
  if (file === undefined) return;
  state.file = undefined;
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
  const end = await storeFile({
    file,
    fileName: sanitizeFileName(fileName),
    total,
    kind: state.options.kind,
    ifExists: choices.ifExists,
    signal,
    onProgress: (tally) => update({ tally }),
    onCallFailed: (trouble) => askAboutFailure(state, update, trouble),
  });
  file.close();
  show(state, { at: 'result', fileName, total, end });
  state.options.onStored(end);
}

function askAboutFailure(
  state: Pick<SessionState<AnyRow, unknown>, 'answer'>,
  update: (change: Pick<Storing, 'trouble'> & Partial<Storing>) => void,
  trouble: unknown,
): Promise<'retry' | 'stop'> {
  return new Promise((resolve) => {
    state.answer = (decision) => {
      state.answer = noop;
      update({ trouble: undefined, isStopping: decision === 'stop' });
      resolve(decision);
    };
    update({ trouble });
  });
}

/** The user sees this reason why a file couldn't be read. */
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
