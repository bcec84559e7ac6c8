// `npm test` runs the checks, Vitest and then Playwright, with one PostgreSQL for all of them. `npm test -- PATH…` runs only these
// test files or folders, and `npm test -- --changed` those that can reach the differences from a commit (by default the last one).
// `npm run drills` runs the tests that kill, restart and starve real processes.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob, mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { startTestServer } from '@steward/server/testing/database/test-server.ts';
import { startVitest } from 'vitest/node';
import { changedTests, testsOf } from './changed-tests.ts';
import { type BrowserReport, type Counts, countBrowserTests, countTests } from './test-results.ts';

const root = join(import.meta.dirname, '../..');
const UNIT = ['contract', 'server', 'portal', 'screens', 'tools'];
/** Values of `--only`, with their Vitest projects. The server's tests with a database are for another PostgreSQL. */
const PARTS: Record<string, string[]> = { unit: UNIT, server: ['server'], drills: ['drills'], browser: [] };
const TEST_SERVER = 'apps/server/testing/database/test-server.ts';
const TESTS = ['{apps,packages,tools,e2e}/**/*.test.{ts,tsx}'];
const failures: string[] = [];
const ended = new AbortController();
const counts: Counts = { passed: 0, failed: 0, skipped: 0, missing: new Map() };
// Vitest sets NODE_ENV and other variables in this process.
const env = { ...process.env };

function fail(what: string): void {
  failures.push(what);
  counts.failed += 1;
}

async function check(): Promise<void> {
  if ((await runNode([join(root, 'tools/check/check.ts')])) === 0) counts.passed += 1;
  else fail('npm run check');
}

/** Without files, all files of the projects run. */
async function runVitest(projects: string[], files: string[]): Promise<void> {
  const vitest = await startVitest('test', files, { root, watch: false, project: projects });
  try {
    const found = vitest.state.getTestModules();
    if (found.length === 0) fail(`no test file was found: ${files.join(', ')}`);
    failures.push(...countTests(found, vitest.state.getUnhandledErrors(), counts));
  } finally {
    await vitest.close();
  }
}

async function runPlaywright(specs: string[]): Promise<void> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'steward-browser-'));
  const report = join(folder.path, 'report.json');
  const config = ['--config', join(root, 'e2e/playwright.config.ts'), '--reporter=list,json'];
  const args = [join(root, 'node_modules/@playwright/test/cli.js'), 'test', ...config, ...specs];
  const code = await runNode(args, {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    // Node reads TypeScript itself. In a fresh clone, each worker would translate all modules of the server before its first test.
    PW_DISABLE_TS_ESM: '1',
  });
  const found = existsSync(report)
    ? countBrowserTests(JSON.parse(await readFile(report, 'utf8')) as BrowserReport, counts)
    : [];
  failures.push(...found);
  if (code !== 0 && found.length === 0) fail('Playwright failed before or after its tests; see its lines above.');
}

function runNode(args: string[], more: NodeJS.ProcessEnv = {}): Promise<number> {
  const { signal } = ended;
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...env, ...more }, signal });
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code ?? 1));
  });
}

async function step(name: string, work: () => Promise<void>): Promise<void> {
  process.stdout.write(`\n${name}\n`);
  const started = performance.now();
  await work().catch((error) => fail(`${name} | ${error instanceof Error ? error.message : String(error)}`));
  process.stdout.write(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s\n`);
}

async function listTests(): Promise<string[]> {
  const paths = await Array.fromAsync(glob(TESTS, { cwd: root, exclude: ['**/{node_modules,dist}/**'] }));
  return paths.filter((path) => !/\/drills\/|\.drill\./.test(path)).map((path) => join(root, path));
}

async function runFiles(tests: string[], specs: string[]): Promise<void> {
  const projects = tests.some((path) => path.includes('drill')) ? [] : UNIT;
  if (tests.length > 0) await step('Tests', () => runVitest(projects, tests));
  if (specs.length > 0) await step('Browser', () => runPlaywright(specs));
}

async function runSteps(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { only: { type: 'string' }, changed: { type: 'boolean' } },
    allowPositionals: true,
  });
  const { only, changed } = values;
  const projects = only === undefined ? UNIT : PARTS[only];
  if (projects === undefined) throw new Error(`--only takes ${Object.keys(PARTS).join(', ')}.`);
  if (changed) {
    const { tests, specs } = changedTests(root, positionals[0] ?? 'HEAD', await listTests());
    await step('Check', check);
    return runFiles(
      tests.map((path) => relative(root, path)),
      specs,
    );
  }
  if (positionals.length > 0) {
    const missing = positionals.filter((path) => !existsSync(join(root, path)));
    if (missing.length > 0) throw new Error(`There is no ${missing.join(', no ')}.`);
    const isSpec = (path: string) => /^(?:\.\/)?e2e\b/.test(path) && !path.endsWith('.test.ts');
    return runFiles(
      positionals.filter((path) => !isSpec(path)),
      positionals.filter(isSpec),
    );
  }
  if (only === undefined) await step('Check', check);
  const files = only === 'server' ? testsOf(root, TEST_SERVER, await listTests()) : [];
  if (projects.length > 0) await step('Tests', () => runVitest(projects, files));
  if (only === undefined || only === 'browser') await step('Browser', () => runPlaywright([]));
}

const server = await startTestServer();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    ended.abort();
    await server.stop();
    process.exit(1);
  });
process.env.TEST_POSTGRES = env.TEST_POSTGRES = JSON.stringify(server.connection);
try {
  await runSteps().catch((error) => fail(error instanceof Error ? error.message : String(error)));
} finally {
  await server.stop();
}
const missing = [...counts.missing].map(([line, count]) => `${line}: ${count} skipped`);
if (missing.length > 0) process.stdout.write(`\nWhat was skipped\n${missing.join('\n')}\n`);
if (failures.length > 0) process.stdout.write(`\nWhat failed\n${failures.join('\n')}\n`);
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed${skipped}\n`);
process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
