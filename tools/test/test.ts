// `npm test` runs the checks, every test of Node's runner and then the browser's, with one PostgreSQL for all of them. `npm test --
// --changed` runs the tests that can reach the differences from a commit (by default the last one). `npm run drills` runs the tests
// that kill, restart and starve real processes.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startTestServer } from '@steward/server/testing/database/test-server.ts';
import { buildPortal } from '../build/build-portal.ts';
import { changedTests } from './changed-tests.ts';
import { runNodeTests } from './node-tests.ts';
import { type BrowserSuite, browserFailures, type Counts } from './test-results.ts';

const root = join(import.meta.dirname, '../..');
// Sources are compiled once for all processes.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/compiled');
const DRILLS = ['apps/server/drills/**/*.test.ts', '{apps,packages,tools}/**/*.drill.test.ts'];
const SERVER_TESTS = ['apps/{cli,server}/**/*.test.ts', 'packages/embedded-postgres/src/**/*.test.ts'];
const TESTS = ['packages/*/src/**/*.test.ts', 'apps/**/*.test.ts', 'tools/**/*.test.ts', 'e2e/**/*.test.ts'];
/** Values of `--only`. The server's tests alone are for another PostgreSQL. */
const PARTS = ['unit', 'server', 'drills', 'browser'] as const;
type Part = (typeof PARTS)[number];
const DURATIONS = join(root, 'node_modules/.cache/test-durations.json');
/** Time limit of one file. */
const FILE_MS = 5 * 60_000;
/** A step that failed before it could count anything counts as one failure. */
const BROKEN: Counts = { passed: 0, failed: 1, skipped: 0 };
const failures: string[] = [];
const ended = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ended.abort());

async function check(): Promise<Counts> {
  const code = await runNode([join(root, 'tools/check/check.ts')]);
  if (code === 0) return { passed: 1, failed: 0, skipped: 0 };
  failures.push('npm run check');
  return BROKEN;
}

async function nodeTests(files: string[]): Promise<Counts> {
  if (files.length === 0) return nothingFound('test file');
  const run = await runNodeTests(files, { root, signal: ended.signal, fileMs: FILE_MS, durationsFile: DURATIONS });
  failures.push(...run.failures);
  return run.counts.passed + run.counts.failed === 0 ? nothingFound('test') : run.counts;
}

async function browserTests(specs: string[]): Promise<Counts> {
  await buildPortal();
  const folder = await mkdtemp(join(tmpdir(), 'steward-browser-'));
  try {
    const report = join(folder, 'report.json');
    const cli = join(root, 'node_modules/@playwright/test/cli.js');
    const config = join(root, 'e2e/playwright.config.ts');
    const args = [cli, 'test', '--config', config, '--reporter=list,json', ...specs];
    const code = await runNode(args, { PLAYWRIGHT_JSON_OUTPUT_NAME: report, PLAYWRIGHT_JSON_OUTPUT_FILE: report });
    if (!existsSync(report)) return nothingFound('browser report');
    const { stats, suites } = JSON.parse(await readFile(report, 'utf8')) as {
      suites: BrowserSuite[];
      stats: { expected: number; unexpected: number; flaky: number; skipped: number };
    };
    const counts = { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
    if (code !== 0) counts.failed ||= 1;
    failures.push(...browserFailures(suites));
    return counts.passed + counts.failed === 0 ? nothingFound('browser test') : counts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Lists matching files under the root, except those of packages and builds. */
async function findFiles(patterns: readonly string[]): Promise<string[]> {
  const exclude = (path: string): boolean =>
    path.split(/[\\/]/).some((part) => ['node_modules', 'dist'].includes(part));
  const paths = await Array.fromAsync(glob(patterns, { cwd: root, exclude }));
  return paths.sort().map((path) => join(root, path));
}

function nothingFound(what: string): Counts {
  failures.push(`no ${what} was found: a run that tested nothing has failed`);
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
  const started = performance.now();
  const counts = await work().catch((error) => {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`${reason}\n`);
    failures.push(`${name} | ${reason.split('\n')[0]}`);
    return BROKEN;
  });
  process.stdout.write(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s\n`);
  return counts;
}

/** A run has everything but drills, one part, or the tests that can reach the changed files. */
async function runSteps(only: Part | undefined, changedSince: string | undefined): Promise<Counts[]> {
  const drills = new Set(await findFiles(DRILLS));
  const withoutDrills = (files: string[]) => files.filter((file) => !drills.has(file));
  const results: Counts[] = [];
  const add = async (name: string, work: () => Promise<Counts>) => void results.push(await step(name, work));
  if (changedSince !== undefined) {
    const { tests, specs } = changedTests(root, changedSince, withoutDrills(await findFiles(TESTS)));
    await add('Check', check);
    if (tests.length > 0) await add('Tests', () => nodeTests(tests));
    if (specs.length > 0) await add('Browser', () => browserTests(specs));
    return results;
  }
  if (only === undefined) await add('Check', check);
  if (only === undefined || only === 'unit')
    await add('Tests', async () => nodeTests(withoutDrills(await findFiles(TESTS))));
  if (only === 'server') await add('Tests', async () => nodeTests(withoutDrills(await findFiles(SERVER_TESTS))));
  if (only === 'drills') await add('Drills', () => nodeTests([...drills]));
  if (only === undefined || only === 'browser') await add('Browser', () => browserTests([]));
  return results;
}

function parseOptions(): { only: Part | undefined; changedSince: string | undefined } {
  const { values, positionals } = parseArgs({
    options: { only: { type: 'string' }, changed: { type: 'boolean' } },
    allowPositionals: true,
  });
  const only = PARTS.find((part) => part === values.only);
  if (values.only !== undefined && only === undefined) throw new Error(`--only takes ${PARTS.join(', ')}.`);
  return { only, changedSince: values.changed ? (positionals[0] ?? 'HEAD') : undefined };
}

async function main(): Promise<void> {
  const { only, changedSince } = parseOptions();
  const server = await startTestServer();
  process.env.TEST_POSTGRES = JSON.stringify(server.connection);
  try {
    const results = await runSteps(only, changedSince);
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
