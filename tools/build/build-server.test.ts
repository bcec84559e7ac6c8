import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { createLog } from '@steward/server/src/platform/observability/log.ts';
import { collectOutput } from '@steward/server/testing/faults/collect-output.ts';
import { BUILT_SERVER, buildServer } from './build-server.ts';

const ROOT = join(import.meta.dirname, '../..');
const DIST = dirname(BUILT_SERVER);

const read = (file: string) => readFileSync(file, 'utf8').split('\n');
const isCreateLog = (line: string) => line.includes('function createLog(');

before(async () => {
  await buildServer();
});

test('a server that is built already is not built again', async () => {
  assert.equal(await buildServer(), false);
});

test('the built server starts, and refuses a wrong configuration like its sources', async () => {
  const server = spawn(process.execPath, [BUILT_SERVER], {
    env: { PATH: process.env.PATH ?? '', PORT: 'many' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, err } = await collectOutput(server);
  assert.equal(code, 1);
  assert.match(err, /^Invalid configuration:\n +PORT: /);
});

test('a stack trace in the log of a built server names the line of the source', () => {
  const file = readdirSync(DIST).find((name) => name.endsWith('.js') && read(join(DIST, name)).some(isCreateLog));
  assert.ok(file);
  const line = read(join(DIST, file)).findIndex(isCreateLog) + 1;
  const lines: string[] = [];
  const error = new Error('Broken');
  error.stack = `Error: Broken\n    at createLog (file://${join(DIST, file)}:${line}:3)\n    at file://${DIST}/other.js:1:1`;
  createLog('info', { write: (text) => void lines.push(text) }).error({ err: error }, 'failed');
  const source = 'apps/server/src/platform/observability/log.ts';
  const expected = read(join(ROOT, source)).findIndex(isCreateLog) + 1;
  const { err } = JSON.parse(lines[0] ?? '') as { err: { message: string; stack: string } };
  assert.deepEqual(err.stack.split('\n').slice(1), [
    `    at createLog (file://${ROOT}/${source}:${expected})`,
    `    at file://${DIST}/other.js:1:1`,
  ]);
  assert.equal(err.message, 'Broken');
});

test('what the built server finds beside a source is there', () => {
  const code = readFileSync(join(DIST, 'run.js'), 'utf8');
  const places = [
    ...code.matchAll(/import\.meta\.dirname \+ "([^"]+)"/g),
    ...code.matchAll(/new URL\("(\.\.\/src[^"]+)", import\.meta\.url\)/g),
  ].map(([, place = '']) => join(DIST, place));
  assert.ok(places.length >= 6, `only ${places.length} places`);
  for (const place of places) assert.ok(existsSync(place), `${place} is missing`);
});

test('the built server does not depend on the directory in which the build was started', () => {
  const code = readdirSync(DIST)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(DIST, name), 'utf8'))
    .join('\n');
  const places = [...code.matchAll(/new URL\("([^"]+)", import\.meta\.url\)/g)].map(([, place = '']) => place);
  assert.ok(places.length > 0);
  assert.deepEqual(
    places.filter((place) => place.startsWith('../') && !place.startsWith('../src/')),
    [],
  );
});
