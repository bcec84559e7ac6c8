import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgram } from '@steward/server/testing/system/run-program.ts';
import { beforeAll, test } from 'vitest';
import { BUILT_SERVER, buildServer } from './build-server.ts';

const DIST = dirname(BUILT_SERVER);

beforeAll(async () => {
  await buildServer();
});

test('a server that is built already is not built again', async () => {
  assert.equal(await buildServer(), false);
});

test('the built server starts, and refuses a wrong configuration like its sources', async () => {
  const env = { PATH: process.env.PATH ?? '', PORT: 'many' };
  const { code, err } = await runProgram(process.execPath, [BUILT_SERVER], { env });
  assert.equal(code, 1);
  assert.match(err, /^Invalid configuration:\n +PORT: /);
});

test('the files that the built server needs beside its sources exist', () => {
  const code = readFileSync(join(DIST, 'run.js'), 'utf8');
  const places = [
    ...code.matchAll(/import\.meta\.dirname \+ "([^"]+)"/g),
    ...code.matchAll(/new URL\("(\.\.\/[^"]+)", import\.meta\.url\)/g),
  ].map(([, place = '']) => join(DIST, place));
  assert.ok(places.length >= 4, `only ${places.length} places`);
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
    places.filter((place) => place.startsWith('../') && !/^\.\.\/(src|\.\.\/\.\.\/packages)\//.test(place)),
    [],
  );
});
