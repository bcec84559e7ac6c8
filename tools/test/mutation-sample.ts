// Measures what the tests find. Breaks functions of the product that a seed chooses, one at a time, runs the tests that can
// reach each of them, nearest first, and writes which test failed. It changes files and restores them: run it in a clone of its
// own.
//   node tools/test/mutation-sample.ts --result var/before.json
//   node tools/test/mutation-sample.ts --result var/after.json --like var/before.json
// `--like` breaks the functions of an earlier result again, wherever they are now. A run that was stopped continues.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseArgs } from 'node:util';
import { startTestServer } from '@steward/server/testing/database/test-server.ts';

interface Mutation {
  name: string;
  file: string;
  kind: string;
  /** The text of the function before and after it is broken. */
  before: string;
  after: string;
  /** The first test that failed; null if none did, absent before the tests ran. */
  foundBy?: string | null;
  /** No function has this name now. */
  isGone?: boolean;
}

interface ProductFunction {
  name: string;
  file: string;
  text: string;
}

const root = join(import.meta.dirname, '../..');
const PRODUCT =
  /^(?:packages\/(?:contract|liquid|embedded-postgres)|apps\/(?:server|portal|cli))\/src\/(?!migrations\/)/;
const FUNCTION =
  /^(?:export )?(?:async )?function (\w+)|^(?:export )?const (\w+) = (?:async )?(?:\([^;]*?\)|\w+)(?:: [^=]+)? =>/gm;
/** These files import the whole product, so a test that reaches a function only through them isn't near it. */
const COMPOSITION = /^apps\/(?:server\/src\/app\/|portal\/src\/app\/routes)/;
/** Number of test files that run before the next group, nearest first. */
const GROUPS = [4, 12, 24];
/** Time limit of a group, in milliseconds: a broken loop never ends. */
const GROUP_MS = 600_000;

/** Each way has a pattern, and a replacement for a match. */
const WAYS: readonly [kind: string, pattern: RegExp, replace: (match: string) => string][] = [
  ['condition inverted', /\bif \((?!!)(?=[\w.]+\))/g, () => 'if (!'],
  ['guard removed', /^ +if \([^\n]*\) (?:return|throw|continue|refuse)\b[^\n{]*;\n/gm, () => ''],
  ['comparison inverted', /(?<= )(?:===|!==)(?= )/g, (match) => (match === '===' ? '!==' : '===')],
  ['and for or', /(?<= )(?:&&|\|\|)(?= )/g, (match) => (match === '&&' ? '||' : '&&')],
  ['await removed', /\bawait (?=\w)/g, () => 'void '],
  ['text changed', /(?<=[ (,])'[a-z][\w .:-]{2,}'/g, (match) => `${match.slice(0, -1)}x'`],
  ['number changed', /(?<=[ (])\d+(?=[;,) ])/g, (match) => String(Number(match) + 1)],
];

/** Numbers from 0 to 1 depend only on the seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const pick = <T>(list: readonly T[], random: () => number): T | undefined => list[Math.floor(random() * list.length)];

/** Reads every source file of the repository. */
function readSources(): Map<string, string> {
  const listed = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' });
  const files = listed.split('\n').filter((file) => file !== '' && !file.endsWith('.gen.ts'));
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

const isTest = (file: string) => /\.test\.tsx?$/.test(file);

/** Lists the functions of at least four lines at the top level of product files. */
function listFunctions(sources: Map<string, string>): ProductFunction[] {
  return [...sources].flatMap(([file, code]) => {
    if (!PRODUCT.test(file) || isTest(file)) return [];
    return [...code.matchAll(FUNCTION)].flatMap(({ 1: declared, 2: assigned, index }) => {
      const end = /^[}\])]+;?$/m.exec(code.slice(index));
      const text = end ? code.slice(index, index + end.index + end[0].length) : '';
      return text.split('\n').length > 3 ? [{ name: declared ?? assigned ?? '', file, text }] : [];
    });
  });
}

/** Breaks a function in one way, of the wanted kind if possible. Returns undefined if no way applies. */
function mutate({ name, file, text }: ProductFunction, random: () => number, wanted?: string): Mutation | undefined {
  const places = WAYS.flatMap(([kind, pattern, replace]) =>
    [...text.matchAll(pattern)]
      .filter(({ index }) => index > text.indexOf('\n'))
      .map((match) => ({ kind, match, replace })),
  );
  const kinds = [...new Set(places.map(({ kind }) => kind))];
  const kind = wanted !== undefined && kinds.includes(wanted) ? wanted : pick(kinds, random);
  const place = pick(
    places.filter((each) => each.kind === kind),
    random,
  );
  if (place === undefined) return undefined;
  const { match, replace } = place;
  const after = text.slice(0, match.index) + replace(match[0]) + text.slice(match.index + match[0].length);
  return { name, file, kind: place.kind, before: text, after };
}

function draw(functions: readonly ProductFunction[], seed: number, count: number): Mutation[] {
  const random = createRandom(seed);
  const shuffled = functions.map((each) => ({ each, order: random() })).sort((a, b) => a.order - b.order);
  return shuffled.flatMap(({ each }) => mutate(each, random) ?? []).slice(0, count);
}

/** Finds the functions of an earlier result in the current code. If the text of one has changed, it is broken again in the same kind. */
function drawAgain(functions: readonly ProductFunction[], earlier: readonly Mutation[], seed: number): Mutation[] {
  const random = createRandom(seed);
  return earlier.map(({ foundBy: _, ...old }) => {
    const named = functions.filter(({ name }) => name === old.name);
    const found =
      named.find(({ text }) => text === old.before) ?? named.find(({ file }) => file === old.file) ?? named[0];
    if (found?.text === old.before) return { ...old, file: found.file };
    return (found && mutate(found, random, old.kind)) ?? { ...old, isGone: true };
  });
}

function listImporters(sources: Map<string, string>): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const [file, code] of sources)
    for (const [, name = ''] of code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^'\n]+)'/g)) {
      const target = listTargets(file, name).find((path) => sources.has(path));
      if (target) importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  return importers;
}

function listTargets(file: string, name: string): string[] {
  if (name.startsWith('.')) return [posix.join(posix.dirname(file), name)];
  const app = /^apps\/[^/]+/.exec(file)?.[0];
  if (name.startsWith('#')) return [`${app}/src/${name.slice(1)}`, `${app}/${name.slice(1)}`];
  const [, workspace, path = ''] = /^@steward\/([^/]+)\/(.+)$/.exec(name) ?? [];
  const inPackage = `packages/${workspace}/src/${path}`;
  return [`apps/${workspace}/${path}`, inPackage, `${inPackage}.ts`, `${inPackage}/${path}.ts`];
}

const getFeature = (file: string) => /(?:features|^e2e)\/([^/]+)\//.exec(file)?.[1];

/** Returns the test files and the folders of browser tests that can reach a file, nearest first. */
function findTests(sources: Map<string, string>, importers: Map<string, string[]>, file: string) {
  const distance = new Map([[file, 0]]);
  for (const [current, steps] of distance)
    for (const importer of importers.get(current) ?? [])
      if (!distance.has(importer)) distance.set(importer, steps + (COMPOSITION.test(importer) ? 100 : 1));
  const feature = getFeature(file);
  const isPortal = file.startsWith('apps/portal/');
  const rank = (path: string) => (distance.get(path) ?? 200) - (getFeature(path) === feature ? 50 : 0);
  const tests = [...sources.keys()].filter(
    (path) =>
      isTest(path) &&
      !/\.drill\.|^apps\/server\/drills|^e2e/.test(path) &&
      isPortal === path.startsWith('apps/portal/') &&
      (distance.has(path) || (feature !== undefined && getFeature(path) === feature)),
  );
  const features = [feature, ...[...distance.keys()].map(getFeature)].filter((name) => name !== undefined);
  const specs = [...new Set(features)].map((name) => `e2e/${name}`).filter((folder) => existsSync(join(root, folder)));
  return { tests: tests.sort((a, b) => rank(a) - rank(b)), specs: isPortal ? specs.slice(0, 2) : [] };
}

/** The first test that fails, or the check that refuses the code; null if none does. */
async function findFailure({ tests, specs }: { tests: string[]; specs: string[] }): Promise<string | null> {
  let first = 0;
  for (const size of GROUPS) {
    const files = tests.slice(first, first + size);
    first += size;
    if (files.length === 0) break;
    const run = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--exclude=**/*.drill.test.ts', ...files];
    const failure = await runTests(run, / FAIL +(.*)/);
    if (failure !== null) return failure;
  }
  for (const folder of specs) {
    const config = ['--config', 'e2e/playwright.config.ts', '-x', '--reporter=line'];
    const run = ['node_modules/@playwright/test/cli.js', 'test', ...config, `${folder}/`];
    const failure = await runTests(run, /^ +1\) (.*)$/m);
    if (failure !== null) return failure;
  }
  return runTests(['tools/check/check.ts'], /^(FAIL .*)/m);
}

/** Runs a program of Node. Returns the first failure that it prints; null if it succeeds. */
async function runTests(args: string[], failed: RegExp): Promise<string | null> {
  const options = { cwd: root, env: { ...process.env, NO_COLOR: '1' }, timeout: GROUP_MS } as const;
  const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  return code === 0 ? null : (failed.exec(output)?.[1] ?? `${args[0]} did not end`);
}

async function main(): Promise<void> {
  const options = {
    result: { type: 'string' },
    like: { type: 'string' },
    seed: { type: 'string' },
    count: { type: 'string' },
  } as const;
  const { result, like, seed = '1', count = '120' } = parseArgs({ options }).values;
  if (result === undefined) throw new Error('--result names the file for the result.');
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Mutation[];
  const sources = readSources();
  const functions = listFunctions(sources);
  const drawNew = () =>
    like ? drawAgain(functions, read(like), Number(seed)) : draw(functions, Number(seed), Number(count));
  const sample = existsSync(result) ? read(result) : drawNew();
  const importers = listImporters(sources);
  const server = await startTestServer();
  process.env.TEST_POSTGRES = JSON.stringify(server.connection);
  try {
    for (const mutation of sample.filter(({ foundBy, isGone }) => foundBy === undefined && !isGone)) {
      const path = join(root, mutation.file);
      const original = readFileSync(path, 'utf8');
      if (!original.includes(mutation.before))
        throw new Error(`${mutation.name} has changed: draw it again by --like.`);
      writeFileSync(
        path,
        original.replace(mutation.before, () => mutation.after),
      );
      try {
        mutation.foundBy = await findFailure(findTests(sources, importers, mutation.file));
      } finally {
        writeFileSync(path, original);
      }
      writeFileSync(result, `${JSON.stringify(sample, null, 1)}\n`);
      console.log(
        `${mutation.foundBy === null ? 'green' : 'red  '} ${mutation.file} ${mutation.name}: ${mutation.kind}`,
      );
    }
  } finally {
    await server.stop();
  }
  const red = sample.filter(({ foundBy }) => typeof foundBy === 'string').length;
  const gone = sample.filter(({ isGone }) => isGone).length;
  console.log(`${red} red, ${sample.length - red - gone} green, ${gone} gone`);
}

await main();
