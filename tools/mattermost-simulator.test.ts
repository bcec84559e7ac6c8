import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'vitest';

test('it prints its address and a token that may delete for good, and ends on a signal', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'mattermost-simulator.ts'), '--port', '0']);
  try {
    let said = '';
    for await (const chunk of child.stdout) {
      said += String(chunk);
      if (said.includes('Ctrl-C')) break;
    }
    const [, url = ''] = /^Mattermost simulator\s+(http:\/\/127\.0\.0\.1:\d+)$/m.exec(said) ?? [];
    const [, token = ''] = /Token\s+(\w{26}),/.exec(said) ?? [];
    const probe = `${url}/api/v4/posts/${'z'.repeat(26)}?permanent=true`;
    const answer = await fetch(probe, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } });
    assert.equal(answer.status, 404);
  } finally {
    child.kill('SIGTERM');
  }
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
});
