import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createLog } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = [];
  write(createLog('info', { write: (line) => void lines.push(line) }));
  return lines;
}

test('a line is JSON with the time in UTC', () => {
  const [line = ''] = logged((log) => log.info({ a: 1 }, 'hello'));
  const { time, msg, a } = JSON.parse(line);
  assert.deepEqual([msg, a, new Date(time).toISOString()], ['hello', 1, time]);
});

test('values of secret keys are removed, at the top level and one level below', () => {
  for (const key of ['password', 'new_password', 'token', 'secret', 'authorization', 'cookie', 'set-cookie']) {
    const [line = ''] = logged((log) =>
      log.info({ [key]: 'canary', body: { [key]: 'canary' }, headers: { [key]: 'canary' } }),
    );
    assert.ok(!line.includes('canary'), key);
  }
});

test('line breaks and escape sequences in logged values stay inside their line', () => {
  const [line = '', ...more] = logged((log) => log.info({ agent: 'a\r\nb\u001b[31m' }, 'x\ny'));
  assert.deepEqual(more, []);
  for (const char of ['\r', '\n', '\u001b']) assert.ok(!line.trimEnd().includes(char));
});
