// `npm run check`: types, lint, unused code and the house rules, each of which must prove that it read every file.
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { checkHouse } from './check-house.ts';
import { findMissedFiles, listTrackedFiles } from './house-files.ts';

interface Result {
  name: string;
  failures: string[];
  summary: string;
}

// Another tree can be given, for tests of the check itself.
const root = realpathSync(process.argv[2] ?? join(import.meta.dirname, '../..'));
const known = listTrackedFiles(root);
const generated = (file: string): boolean => file.endsWith('.gen.ts');

function run(tool: string, args: string[]): Promise<{ code: number; output: string }> {
  const child = spawn(join(root, 'node_modules', '.bin', tool), args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

function unseen(seen: string[], files: string[], by: string): string[] {
  return findMissedFiles(seen, files, by).map(({ file, text }) => `${file}: ${text}`);
}

/** Every tsconfig is a program; a source file that belongs to none of them would never be checked. */
async function types(): Promise<Result> {
  const sources = known.filter((file) => /\.tsx?$/.test(file));
  const projects = known.filter((file) => file.split('/').at(-1) === 'tsconfig.json');
  const failures: string[] = [];
  const seen: string[] = [];
  for (const project of projects) {
    // What did not change since the last check is not checked again: a tenth of the work.
    const cache = join('node_modules/.cache/tsc', `${project.replaceAll('/', '-')}.tsbuildinfo`);
    const incremental = ['--incremental', '--tsBuildInfoFile', cache];
    const { code, output } = await run('tsc', ['-p', project, '--listFiles', '--pretty', 'false', ...incremental]);
    const lines = output.split('\n').filter((line) => line !== '');
    const said = lines.filter((line) => !isAbsolute(line));
    seen.push(...lines.filter((line) => isAbsolute(line)).map((line) => relative(root, line).split(sep).join('/')));
    if (code !== 0) failures.push(...(said.length > 0 ? said : [`tsc -p ${project} ended with ${code}`]));
  }
  failures.push(...unseen(seen, sources, 'tsc'));
  return { name: 'tsc', failures, summary: `${sources.length} files in ${projects.length} programs` };
}

async function lint(): Promise<Result> {
  const sources = known.filter((file) => /\.(tsx?|mjs|css)$/.test(file) && !generated(file));
  const quiet = ['--colors=off', '--diagnostic-level=warn', '--files-ignore-unknown=true', '--max-diagnostics=100'];
  const { code, output } = await run('biome', ['check', '--verbose', ...quiet]);
  const [said = '', listed = ''] = output.split(/^.*Files processed:\s*$/m);
  const seen = [...listed.matchAll(/^ {2}- (.+)$/gm)].map((match) => match[1] ?? '');
  const failures = unseen(seen, sources, 'Biome');
  if (code !== 0) failures.unshift(said.replace(/^ *VERBOSE .*$/gm, '').trim());
  const warnings = /Found (\d+) warnings?/.exec(output)?.[1] ?? '0';
  return { name: 'biome', failures, summary: `${seen.length} files, ${warnings} warnings` };
}

async function deadCode(): Promise<Result> {
  const { code, output } = await run('knip', ['--no-progress']);
  return { name: 'knip', failures: code === 0 ? [] : [output.trim()], summary: 'nothing unused' };
}

async function house(): Promise<Result> {
  const { problems, notes, filesRead } = checkHouse(root);
  for (const note of notes) console.log(`note  ${note}`);
  const failures = problems.map(({ rule, file, text }) => `${rule.padEnd(12)}${file}: ${text}`);
  return { name: 'house', failures, summary: `${filesRead} files` };
}

async function main(): Promise<void> {
  const started = performance.now();
  const results = await Promise.all([types(), lint(), deadCode(), house()]);
  for (const { name, failures, summary } of results) {
    if (failures.length > 0) console.error(`\n${name}\n${failures.join('\n')}\n`);
    console.log(
      `${failures.length > 0 ? 'FAIL' : 'ok  '}  ${name.padEnd(6)} ${failures.length > 0 ? '' : summary}`.trimEnd(),
    );
  }
  console.log(`check: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  if (results.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
}

await main();
