import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { killableServer } from '#testing/app/killable-server.ts';
import { rawClient } from '#testing/app/raw-http.ts';
import { startApp } from '#testing/app/start-app.ts';
import { testUnless } from '#testing/system/unless.ts';
import { createTeamWithMembers } from '#testing/workspace/factories.ts';

const OPEN_FILES = 100;
const CLIENTS = 300;

testUnless(
  process.platform === 'win32' && 'Windows has no limit of open files',
  'a server that may open no more files lives, answers 503 where it would need one, and serves all as before afterwards',
  async () => {
    await using node = await startApp({ work: false });
    const team = await createTeamWithMembers(node);
    using server = killableServer(node, { openFiles: OPEN_FILES, requestMs: 3_000 });
    const url = await server.start();
    const agent = new Agent({ keepAlive: true });
    const list = `/api/v4/admin/teams/${team.id}/users`;
    const ask = (by: Agent | false, path = list) =>
      new Promise<number>((resolve, reject) => {
        const options = { agent: by, headers: { cookie: team.admin.cookie } };
        const sent = request(url + path, options, (response) => {
          response.resume().once('end', () => resolve(response.statusCode ?? 0));
        });
        sent.once('error', reject).end();
      });
    // Their connections exist before, but those to the database don't yet.
    const before = await Promise.all(Array.from({ length: 6 }, () => ask(agent, '/healthz')));
    assert.deepEqual(new Set(before), new Set([200]));

    const clients = Array.from({ length: CLIENTS }, () => rawClient(url));
    let refused = 0;
    for (const client of clients) void client.closed.then(() => (refused += client.statuses().length === 0 ? 1 : 0));
    while (refused < CLIENTS - OPEN_FILES) await pause(10);
    const statuses = await Promise.all(Array.from({ length: 6 }, () => ask(agent)));
    assert.ok(statuses.includes(503), statuses.join());
    for (const status of statuses) assert.ok([200, 503].includes(status), statuses.join());
    await assert.rejects(ask(false), 'no new connection is possible');

    await Promise.all(clients.map(({ closed }) => closed));
    const after = await Promise.all(Array.from({ length: 20 }, () => ask(false)));
    assert.deepEqual(new Set(after), new Set([200]));
    agent.destroy();
  },
);
