// A few processes run Node's test files, many of them each, because loading the server once for all files halves the work of a run.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { type Counts, failureText } from './test-results.ts';

/** A worker receives the next file, or that there is none. */
export interface NextFile {
  file?: string;
}

/** A worker sends this when a test or suite has ended. */
export interface TestResult {
  type: 'result';
  /** Titles from the file's path down to the test's own title. */
  titles: string[];
  isSuite: boolean;
  isSkipped: boolean;
  ms: number;
  /** The reason for a failure; '' for a suite in which a test failed, and absent for a pass. */
  reason?: string;
  stack?: string;
}

export interface NodeTestOptions {
  root: string;
  signal: AbortSignal;
  /** Time limit of one file in milliseconds, because a file that hangs would never let the run end. */
  fileMs: number;
  /**
   * This file keeps the milliseconds of each test file, so that the next run starts with the longest and no worker ends
   * alone. Nothing is kept without it.
   */
  durationsFile?: string;
  print?: (text: string) => void;
}

interface Run extends NodeTestOptions {
  queue: string[];
  /** Duration of each file in milliseconds, by its path. */
  durations: Record<string, number>;
  print: (text: string) => void;
  counts: Counts;
  failures: string[];
}

/** There is one more worker than there are cores, because tests also wait. */
const WORKERS = availableParallelism() + 1;

/** Prints a line for each file, and returns the counts and the failures. */
export async function runNodeTests(
  files: string[],
  options: NodeTestOptions,
): Promise<{ counts: Counts; failures: string[] }> {
  const { durationsFile, print = (text) => void process.stdout.write(text) } = options;
  const durations = readDurations(durationsFile);
  const duration = (file: string) => durations[relative(options.root, file)] ?? 0;
  const queue = files.toSorted((a, b) => duration(b) - duration(a));
  const run: Run = { ...options, print, queue, durations, counts: { passed: 0, failed: 0, skipped: 0 }, failures: [] };
  const workers = Array.from({ length: Math.min(WORKERS, files.length) }, async () => {
    // A worker that crashed or hung is replaced as long as there are files.
    while (run.queue.length > 0 && !run.signal.aborted) await runWorker(run);
  });
  await Promise.all(workers);
  if (durationsFile !== undefined) {
    mkdirSync(dirname(durationsFile), { recursive: true });
    writeFileSync(durationsFile, JSON.stringify(durations));
  }
  return { counts: run.counts, failures: run.failures };
}

function readDurations(file: string | undefined): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file ?? '', 'utf8')) as Record<string, number>;
  } catch {
    return {};
  }
}

async function runWorker(run: Run): Promise<void> {
  const folder = join(run.root, 'tools/test');
  const reporter = ['--test-reporter', join(folder, 'report-results.ts'), '--test-reporter-destination', 'stdout'];
  // The workers of a runner that is itself under test would otherwise report to its parent.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const worker = spawn(process.execPath, [...reporter, join(folder, 'test-worker.ts')], {
    cwd: run.root,
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const kill = () => void worker.kill('SIGKILL');
  run.signal.addEventListener('abort', kill);
  const unfinished = new Set<string>();
  let hung: NodeJS.Timeout | undefined;
  worker.on('message', (message: TestResult | { type: 'ready' }) => {
    if (message.type === 'result') {
      if (addResult(run, message)) unfinished.delete(message.titles[0] ?? '');
      return;
    }
    clearTimeout(hung);
    const file = run.signal.aborted ? undefined : run.queue.shift();
    if (file !== undefined) {
      unfinished.add(relative(run.root, file));
      hung = setTimeout(kill, run.fileMs);
    }
    sendNext(worker, file === undefined ? {} : { file });
  });
  const reason = await new Promise<string>((resolve) => {
    worker.once('error', ({ message }) => resolve(message));
    worker.once('close', (code, signal) => resolve(`its process ended with ${signal ?? code}`));
  });
  clearTimeout(hung);
  run.signal.removeEventListener('abort', kill);
  for (const path of unfinished) fail(run, { titles: [path], reason });
}

function sendNext(worker: ChildProcess, next: NextFile): void {
  // If the worker has died, its `close` event reports that.
  worker.send(next, () => undefined);
}

/** Counts a result. Returns true at the end of a file. */
function addResult(run: Run, result: TestResult): boolean {
  const { titles, isSuite, isSkipped, ms, reason } = result;
  const isFile = titles.length === 1;
  if (reason) fail(run, result);
  else if (!isSuite && isSkipped) run.counts.skipped += 1;
  else if (!isSuite && reason === undefined) run.counts.passed += 1;
  if (isFile) run.durations[titles[0] ?? ''] = Math.round(ms);
  if (isFile) run.print(`${reason === undefined ? '✔' : '✖'} ${titles[0]} (${(ms / 1000).toFixed(1)} s)\n`);
  return isFile;
}

function fail(run: Run, { titles, reason = '', stack }: Pick<TestResult, 'titles' | 'reason' | 'stack'>): void {
  run.counts.failed += 1;
  run.failures.push(failureText(titles[0] ?? '', titles.slice(1).join(' › '), reason));
  run.print(`✖ ${titles.join(' › ')}\n${stack ?? reason}\n`);
}
