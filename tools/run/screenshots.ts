// `npm run screenshots` takes pictures of the screens into var/screenshots, wherever the browser tests call picture(). `-- users
// home` takes those whose names start with these words, and `-- --docs` also replaces the pictures that pages link.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'var/screenshots');

/** Returns `file:line` of each test that takes a wanted picture, as Playwright's command line expects. */
function findTests(isWanted: (name: string) => boolean): string[] {
  const found = new Set<string>();
  for (const file of globSync('e2e/**/*.spec.ts', { cwd: ROOT })) {
    let test = 0;
    for (const [at, line] of readFileSync(join(ROOT, file), 'utf8').split('\n').entries()) {
      if (/^\s*test\(/.test(line)) test = at + 1;
      const name = /\bpicture\(\w+, '([\w-]+)'\)/.exec(line)?.[1];
      if (name !== undefined && isWanted(name)) found.add(`${file}:${test}`);
    }
  }
  return [...found];
}

/** Returns the names of the pictures that pages link. */
function findLinked(): string[] {
  const pages = ['README.md', ...globSync('docs/{,guide/}*.md', { cwd: ROOT })].map((page) =>
    readFileSync(join(ROOT, page), 'utf8'),
  );
  return [...new Set(pages.join('\n').match(/(?<=screens\/)[\w-]+\.png/g))];
}

const { values, positionals } = parseArgs({
  options: { docs: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const linked = findLinked();
const isLinked = (name: string) => linked.some((file) => file.startsWith(`${name}-wide-`));
const isNamed = (name: string) => positionals.length === 0 || positionals.some((part) => name.startsWith(part));
const tests = findTests((name) => isNamed(name) && (!values.docs || isLinked(name)));
if (tests.length === 0) throw new Error(`No browser test takes a picture ${positionals.join(', ')}.`);

mkdirSync(FOLDER, { recursive: true });
const playwright = join(ROOT, 'node_modules/@playwright/test/cli.js');
const args = [playwright, 'test', '--config', join(ROOT, 'e2e/playwright.config.ts'), ...tests];
const env = { ...process.env, STEWARD_PICTURES: FOLDER };
const [code] = await once(spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env }), 'exit');
process.exitCode = code ?? 1;
if (values.docs) {
  const taken = linked.filter((file) => existsSync(join(FOLDER, file)));
  for (const file of taken) copyFileSync(join(FOLDER, file), join(ROOT, 'docs/guide/screens', file));
  console.log(`${taken.length} of ${linked.length} linked pictures are new in docs/guide/screens`);
} else console.log(`Pictures are in ${FOLDER}`);
