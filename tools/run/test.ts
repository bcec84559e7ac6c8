// `npm test`: what `npm run check` says, every test of Node's runner, then the browser's; one PostgreSQL for all of them.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { startTestServer } from '@steward/server/testing/database/test-server.ts';
import { buildPortal } from './build-portal.ts';
import { type BrowserSuite, failedScreens, failedTest } from './failed-tests.ts';

/** How many tests of a step passed and failed, as its runner counted them. */
interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const root = join(import.meta.dirname, '../..');
// Every test file is a process of its own and reads the same sources: compiled once, they start in half the time.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/compiled');
const SERVER_TESTS = ['apps/server/**/*.test.ts'];
const TESTS = ['packages/*/src/**/*.test.ts', 'apps/**/*.test.ts', 'tools/**/*.test.ts', 'e2e/**/*.test.ts'];
/** What `--only` takes; the server's alone are what another PostgreSQL can be about. */
const PARTS = ['unit', 'server', 'browser'];
/** A test file that takes longer hangs: without an end the whole run would. */
const FILE_MS = 5 * 60_000;
/** A step that broke before it could count anything is one failure. */
const BROKEN: Counts = { passed: 0, failed: 1, skipped: 0 };
const failures: string[] = [];
const ended = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ended.abort());

async function check(): Promise<Counts> {
  const code = await runNode([join(root, 'tools/house/check.ts')]);
  if (code === 0) return { passed: 1, failed: 0, skipped: 0 };
  failures.push('npm run check');
  return BROKEN;
}

/** Each file in a process of its own; half a core's worth more than there are cores, since tests also wait. */
async function unitTests(patterns: string[]): Promise<Counts> {
  const files = (await Array.fromAsync(glob(patterns, { cwd: root, exclude: isForeign }))).map((file) =>
    join(root, file),
  );
  if (files.length === 0) return nothingFound('test file');
  const stream = run({
    files: files.sort(),
    concurrency: availableParallelism() + 1,
    timeout: FILE_MS,
    signal: ended.signal,
  });
  let counts: Counts | undefined;
  stream.on('test:summary', (summary) => {
    // Each file ends with a summary of its own; the one without a file is the whole.
    if (summary.file !== undefined) return;
    const { passed, skipped, todo, tests } = summary.counts;
    counts = { passed, skipped: skipped + todo, failed: tests - passed - skipped - todo };
    if (!summary.success) counts.failed ||= 1;
  });
  stream.on('test:fail', (event) => {
    const line = failedTest(root, event);
    if (line !== undefined) failures.push(line);
  });
  const report = stream.compose(spec);
  report.pipe(process.stdout, { end: false });
  await new Promise((resolve, reject) => report.once('end', resolve).once('error', reject));
  return counts === undefined || counts.passed + counts.failed === 0 ? nothingFound('test') : counts;
}

async function browserTests(): Promise<Counts> {
  const config = join(root, 'e2e/playwright.config.ts');
  if (!existsSync(config)) return nothingFound('browser test');
  await buildPortal();
  const folder = await mkdtemp(join(tmpdir(), 'steward-browser-'));
  try {
    const report = join(folder, 'report.json');
    const cli = join(root, 'node_modules/@playwright/test/cli.js');
    const args = [cli, 'test', '--config', config, '--reporter=list,json'];
    const code = await runNode(args, { PLAYWRIGHT_JSON_OUTPUT_NAME: report, PLAYWRIGHT_JSON_OUTPUT_FILE: report });
    if (!existsSync(report)) return nothingFound('browser report');
    const { stats, suites } = JSON.parse(await readFile(report, 'utf8')) as {
      suites: BrowserSuite[];
      stats: { expected: number; unexpected: number; flaky: number; skipped: number };
    };
    const counts = { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
    if (code !== 0) counts.failed ||= 1;
    failures.push(...failedScreens(suites));
    return counts.passed + counts.failed === 0 ? nothingFound('browser test') : counts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isForeign(path: string): boolean {
  return path.split(/[\\/]/).some((part) => part === 'node_modules' || part === 'dist');
}

function nothingFound(what: string): Counts {
  process.stderr.write(`There is no ${what}: a run that tested nothing has failed.\n`);
  return BROKEN;
}

function runNode(args: string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  ended.signal.addEventListener('abort', () => child.kill());
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code ?? 1));
  });
}

async function step(name: string, work: () => Promise<Counts>): Promise<Counts> {
  if (ended.signal.aborted) return BROKEN;
  process.stdout.write(`\n${name}\n`);
  return work().catch((error) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return BROKEN;
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string' } } });
  const { only } = values;
  if (only !== undefined && !PARTS.includes(only)) throw new Error(`--only takes ${PARTS.join(', ')}.`);
  const server = await startTestServer();
  process.env.TEST_POSTGRES = JSON.stringify(server.connection);
  try {
    const results: Counts[] = [];
    if (only === undefined) results.push(await step('Check', check));
    if (only !== 'browser') {
      const patterns = only === 'server' ? SERVER_TESTS : TESTS;
      results.push(await step('Tests', () => unitTests(patterns)));
    }
    if (only === undefined || only === 'browser') results.push(await step('Browser', browserTests));
    const sum = (key: keyof Counts) => results.reduce((total, counts) => total + counts[key], 0);
    const skipped = sum('skipped');
    const tail = skipped > 0 ? `, ${skipped} skipped` : '';
    if (failures.length > 0) process.stdout.write(`\nWhat failed\n${failures.join('\n')}\n`);
    process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed${tail}\n`);
    process.exitCode = sum('failed') === 0 ? 0 : 1;
  } finally {
    await server.stop();
  }
}

await main().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
