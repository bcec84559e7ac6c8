// `npm run check`: types, lint and format, unused code, imports and table writers.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findForbiddenImports } from './imports.ts';
import { readSources } from './source-files.ts';
import { findTableFaults } from './table-writers.ts';

interface Check {
  name: string;
  /** Resolves to a description of the problems, or '' if there are none. */
  run: () => Promise<string>;
}

const root = join(import.meta.dirname, '../..');
const sources = readSources(root);
const checked = new Set<string>();

async function runTool(tool: string, ...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(join(root, 'node_modules/.bin', tool), args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  return { code, output };
}

async function checkTypes(project: string): Promise<string> {
  const cache = `node_modules/.cache/tsc/${project.replaceAll('/', '-')}.tsbuildinfo`;
  const incremental = ['--incremental', '--tsBuildInfoFile', cache];
  // Four checkers, the default, check shared types four times and take twice the processor time.
  const args = ['-p', project, '--checkers', '1', '--listFiles', '--pretty', 'false', ...incremental];
  const { code, output } = await runTool('tsc', ...args);
  const lines = output.trim().split('\n');
  for (const line of lines) if (line.startsWith(`${root}/`)) checked.add(line.slice(root.length + 1));
  return code === 0 ? '' : lines.filter((line) => !line.startsWith('/')).join('\n') || `tsc ended with ${code}`;
}

async function checkWith(tool: string, ...args: string[]): Promise<string> {
  const { code, output } = await runTool(tool, ...args);
  return code === 0 ? '' : output.trim() || `${tool} ended with ${code}`;
}

async function checkRules(): Promise<string> {
  const architecture = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  return [...findForbiddenImports(sources), ...findTableFaults(sources, architecture)].join('\n');
}

// Each program that imports the server checks it again, so e2e belongs to the program of tools. Editors read e2e/tsconfig.json.
const PROGRAMS = ['tsconfig.json', 'apps/portal/tsconfig.json', 'tools/tsconfig.json'];

const checks: Check[] = [
  ...PROGRAMS.map((project) => ({
    name: `tsc -p ${project}`,
    run: () => checkTypes(project),
  })),
  { name: 'biome check', run: () => checkWith('biome', 'check', '--diagnostic-level=warn', '--max-diagnostics=100') },
  { name: 'knip', run: () => checkWith('knip', '--no-progress') },
  { name: 'imports and table writers', run: checkRules },
];

async function report({ name, run }: Check): Promise<void> {
  const started = performance.now();
  const faults = await run();
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`${faults === '' ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)${faults === '' ? '' : `\n${faults}\n`}`);
  if (faults !== '') process.exitCode = 1;
}

/** Two checks run at a time: most of them use one core. */
async function runLane(): Promise<void> {
  for (let check = checks.shift(); check !== undefined; check = checks.shift()) await report(check);
}

await Promise.all([runLane(), runLane()]);
// A source file that belongs to no program of the type checker would never be checked.
const unchecked = [...sources.keys()].filter((file) => !file.endsWith('.mjs') && !checked.has(file));
await report({ name: 'every file has a program', run: async () => unchecked.join('\n') });
