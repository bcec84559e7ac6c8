import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { killableServer } from '#testing/app/killable-server.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { waitForLockWaiter } from '#testing/faults/wait-for-lock.ts';
import { createTeamWithMembers } from '#testing/workspace/factories.ts';
import { hold } from '#testing/workspace/integrations.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 3 });
});

afterAll(() => node[Symbol.asyncDispose]());

const FAULTS = { SIGUSR2: 'unhandled rejection', SIGHUP: 'uncaught exception' } as const;

for (const [signal, message] of Object.entries(FAULTS)) {
  test(`an uncaught error (${message}) is logged in one line, current requests finish, and the process exits with 1`, async () => {
    const team = await createTeamWithMembers(node);
    using server = killableServer(node, { program: 'uncaught-process' });
    const url = await server.start();
    const post = (email: string) =>
      fetch(`${url}/api/v4/admin/teams/${team.id}/users`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: team.admin.cookie },
        body: JSON.stringify({ email, account_type: 2 }),
      });
    await using held = await hold(node, (trx) => sql`lock table memberships in exclusive mode`.execute(trx));
    const pending = post(`${newId()}@example.test`);
    await waitForLockWaiter(node, 'memberships');
    const stopping = server.stop(signal as NodeJS.Signals);
    await refusesMore(url);
    await held.release();
    assert.equal((await pending).status, 200, 'the current request is finished');
    assert.equal(await stopping, 1);
    const lines: LogLine[] = server.log().map((line) => JSON.parse(line));
    assert.equal(lines.at(-1)?.msg, 'everything is closed', 'no connection was cut');
    const fatal = lines.filter(({ level }) => level === 60);
    assert.deepEqual(
      fatal.map(({ err }) => err?.message),
      [message],
    );
  });
}

interface LogLine {
  level: number;
  msg: string;
  err?: { message: string };
}

/** Resolves when the server stops accepting requests. */
async function refusesMore(url: string): Promise<void> {
  for (;;) {
    const status = await fetch(`${url}/readyz`).then(
      (response) => response.status,
      () => 503,
    );
    if (status === 503) return;
  }
}
