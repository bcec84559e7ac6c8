import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { collectOutput } from '#testing/faults/collect-output.ts';
import { listMissingFlags, V8_FLAGS } from './v8-flags.ts';

const MAIN = join(import.meta.dirname, '../../app/main.ts');
const WINDOWS = process.platform === 'win32' && 'a process can not be replaced on Windows';
/** Reports the process that ends; the start is refused, because PORT is no number. */
const REPORT = `process.on('exit', () => console.log(JSON.stringify([process.pid, process.execArgv, process.argv.slice(2)])))`;

/** Starts the server's program and tells which process ended it, with which flags. */
async function start(flags: readonly string[]): Promise<{ isSame: boolean; flags: string[]; args: string[] }> {
  const reporting = ['--import', `data:text/javascript,${encodeURIComponent(REPORT)}`];
  const server = spawn(process.execPath, [...flags, ...reporting, MAIN, 'an argument'], {
    env: { PATH: process.env.PATH ?? '', PORT: 'many' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, out, err } = await collectOutput(server);
  assert.equal(code, 1);
  assert.match(err, /^Invalid configuration:\n +PORT: /);
  const [pid, given, args] = JSON.parse(out) as [number, string[], string[]];
  return { isSame: pid === server.pid, flags: given.filter((flag) => !reporting.includes(flag)), args };
}

test('the server runs with the flags of V8 however it is started, as the same process', { skip: WINDOWS }, async () => {
  assert.deepEqual(await start([]), { isSame: true, flags: [...V8_FLAGS], args: ['an argument'] });
  assert.deepEqual((await start(['--stack-size=900'])).flags, ['--stack-size=900', ...V8_FLAGS]);
});

test('a flag on the command line keeps its value', { skip: WINDOWS }, async () => {
  assert.deepEqual((await start(['--max-semi-space-size=64'])).flags, ['--max-semi-space-size=64']);
  assert.deepEqual(listMissingFlags(['--max_semi_space_size=64', '--import', 'x']), []);
});
