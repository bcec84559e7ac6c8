import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/database/ids.ts';
import { killableServer } from '#testing/app/killable-server.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { waitForLockWaiter } from '#testing/faults/wait-for-lock.ts';
import { createTeamWithMembers } from '#testing/workspace/factories.ts';
import { hold } from '#testing/workspace/integrations.ts';

let node: TestApp;

before(async () => {
  node = await startApp({ work: false, pool: 3 });
});

after(() => node[Symbol.asyncDispose]());

const FAULTS = { SIGUSR2: 'nobody awaits this', SIGHUP: 'nobody catches this' } as const;

for (const [signal, message] of Object.entries(FAULTS)) {
  test(`an error that nothing catches (${message}) is logged in one line, what runs is finished, and the process ends with 1`, async () => {
    const team = await createTeamWithMembers(node);
    using server = killableServer(node, { program: 'uncaught-process.ts' });
    const url = await server.start();
    const post = (email: string) =>
      fetch(`${url}/api/v4/admin/teams/${team.id}/users`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: team.admin.cookie },
        body: JSON.stringify({ email, account_type: 2 }),
      });
    await using held = await hold(node, (trx) => sql`lock table people in exclusive mode`.execute(trx));
    const underWay = post(`${newId()}@example.test`);
    await waitForLockWaiter(node, 'people');
    const ended = server.end(signal as NodeJS.Signals);
    await refusesMore(url);
    await held.release();
    assert.equal((await underWay).status, 200, 'what was under way is finished');
    const { code, lines } = await ended;
    assert.equal(code, 1);
    assert.equal(lines.at(-1)?.msg, 'everything is closed', 'and nothing had to be cut off');
    const fatal = lines.filter(({ level }) => level === 60);
    assert.deepEqual(
      fatal.map(({ err }) => err?.message),
      [message],
    );
  });
}

/** Ends when the server takes no more requests; until then they are answered. */
async function refusesMore(url: string): Promise<void> {
  for (;;) {
    const status = await fetch(`${url}/readyz`).then(
      (response) => response.status,
      () => 503,
    );
    if (status === 503) return;
  }
}
