import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'vitest';

function start(port: string): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [join(import.meta.dirname, 'helpdesk-simulator.ts'), '--port', port]);
}

/** Returns the output until the simulator is ready. */
async function welcome({ stdout }: ChildProcessWithoutNullStreams): Promise<string> {
  let said = '';
  for await (const chunk of stdout) {
    said += String(chunk);
    if (said.includes('Ctrl-C')) return said;
  }
  throw new Error(`it ended after printing: ${said}`);
}

test('it prints its address, the setting and working credentials, and ends on a signal', async () => {
  const child = start('0');
  try {
    const said = await welcome(child);
    const [, url = ''] = /^Help-desk simulator\s+(http:\/\/127\.0\.0\.1:(\d+))$/m.exec(said) ?? [];
    assert.ok(said.includes(`HELPDESK_URL='${url}/{subdomain}'`));
    const [, email, token] = /API token\s+(\S+), (\S+)/.exec(said) ?? [];
    const authorization = `Basic ${Buffer.from(`${email}/token:${token}`).toString('base64')}`;
    const me = await fetch(`${url}/acme/api/v2/users/me.json`, { headers: { authorization } });
    assert.equal(((await me.json()) as { user: { role: string } }).user.role, 'admin');
    const taken = start(new URL(url).port);
    const [complaint, [code]] = await Promise.all([text(taken.stderr), once(taken, 'exit')]);
    assert.match(complaint, /is in use; take another/);
    assert.equal(code, 1);
  } finally {
    child.kill('SIGTERM');
  }
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
});

test('an invalid port is refused with a message', async () => {
  const child = start('many');
  const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  assert.match(complaint, /--port takes a number/);
  assert.equal(code, 1);
});
