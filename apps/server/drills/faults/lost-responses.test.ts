import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { afterAll, beforeAll, test } from 'vitest';
import { type KillableServer, killableServer } from '#testing/app/killable-server.ts';
import { type Change, changing, prepareChange, sendChange, UNKEYED } from '#testing/authorization/change-requests.ts';
import { difference, getRows, listAuditTransactions } from '#testing/authorization/row-counts.ts';
import { sharedDns } from '#testing/peers/dns-peer.ts';
import { listen } from '#testing/peers/listen.ts';
import { PATIENCE } from '#testing/system/time-scale.ts';
import { type HelpdeskApp, startHelpdeskApp } from '#testing/workspace/helpdesk.ts';

/** For every twentieth call, the server is killed between commit and response; for the others, the response is lost on the way. */
const KILL_EVERY = Number(process.env.KILL_EVERY ?? 20);

let rig: HelpdeskApp;
let server: KillableServer;
let cutter: ResponseDropper;
let url: string;
let calls = 0;

beforeAll(async () => {
  rig = await startHelpdeskApp({ pool: 2 });
  server = killableServer(rig.node, {
    limits: PATIENCE,
    env: { HELPDESK_URL: rig.simulator.template, TRUST_PROXY: '1', DNS_SERVERS: (await sharedDns()).address },
  });
  url = await server.start();
  cutter = await startResponseDropper(
    () => url,
    async () => {
      calls += 1;
      if (calls % KILL_EVERY === 0) await server.kill();
    },
  );
});

afterAll(async () => {
  await cutter[Symbol.asyncDispose]();
  server[Symbol.dispose]();
  await rig[Symbol.asyncDispose]();
});

/** Sends a change whose response is lost, and returns that response. */
async function lose(change: Change): Promise<{ status: number; text: string }> {
  assert.equal(await sendChange(cutter.url, change), undefined, 'the caller learns nothing');
  if (calls % KILL_EVERY === 0) url = await server.start();
  return cutter.lost.at(-1) ?? assert.fail('the server did not answer');
}

for (const endpoint of changing.filter(({ name }) => !UNKEYED.includes(name))) {
  test(`${endpoint.name}, sent again with its key after its answer was lost, is done once and answered the same`, async () => {
    const change = await prepareChange(rig.node, endpoint);
    const first = await lose(change);
    assert.equal(first.status, endpoint.success ?? 200, first.text);
    const done = await getRows(rig.node, change.teamId);
    assert.deepEqual(await sendChange(url, change), first);
    assert.deepEqual(difference(done, await getRows(rig.node, change.teamId)), {});
    assert.equal((await listAuditTransactions(rig.node)).get(change.address)?.length, 1);
  });
}

/** A proxy that loses every response: the caller only sees the connection end. */
interface ResponseDropper extends AsyncDisposable {
  url: string;
  /** The server's responses in order. */
  lost: { status: number; text: string }[];
}

/** `onReply` is awaited between the server's complete response and the end of the caller's connection. */
async function startResponseDropper(target: () => string, onReply: () => Promise<void>): Promise<ResponseDropper> {
  const lost: ResponseDropper['lost'] = [];
  const server = createServer((incoming) => {
    const { method, headers, url } = incoming;
    const passed = request(
      `${target()}${url}`,
      { method: method ?? 'GET', headers, agent: false },
      async (answered) => {
        let text = '';
        for await (const piece of answered.setEncoding('utf8')) text += piece;
        lost.push({ status: answered.statusCode ?? 0, text });
        await onReply();
        incoming.socket.destroy();
      },
    );
    passed.on('error', () => incoming.socket.destroy());
    incoming.pipe(passed);
  });
  return { ...(await listen(server)), lost };
}
