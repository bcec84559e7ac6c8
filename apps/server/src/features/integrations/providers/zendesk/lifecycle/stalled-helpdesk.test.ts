import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { findGeneralChannel } from '#testing/workspace/content.ts';
import {
  base64,
  type HelpdeskApp,
  type HelpdeskTeam,
  helpdeskTeam,
  lines,
  startHelpdeskApp,
} from '#testing/workspace/helpdesk.ts';

const GLOBEX = { domain: 'globex', username: 'ada@globex.example', token: 'globex-token' };
/** The account that keeps failing is one that no other test calls: it gets no more calls for a while. */
const TRIAL = { domain: 'trial', username: 'ada@trial.example', token: 'trial-token' };

let rig: HelpdeskApp;
let stalled: HelpdeskTeam;
let other: HelpdeskTeam;

/** One database connection: holding it while waiting for a help desk would block all other calls. */
beforeAll(async () => {
  rig = await startHelpdeskApp({ pool: 1 });
});

afterAll(() => rig[Symbol.asyncDispose]());

beforeEach(async () => {
  rig.simulator.reset();
  stalled = await helpdeskTeam(rig.node);
  other = await helpdeskTeam(rig.node);
});

const requestsTo = (account: string) => rig.simulator.requests.filter((request) => request.account === account);

/** Connects the other team's help desk, saves its triggers and disconnects it. */
async function wholeLifeOfOther(): Promise<void> {
  const connected = await other.connect(GLOBEX);
  assert.equal(connected.status, 200, connected.text);
  const { id } = await findGeneralChannel(rig.node, other.team.id);
  const message = base64('{"text":"{{ticket.title}}"}');
  const saved = await other.save({
    ticket_created: true,
    ticket_updated: false,
    message,
    channel_details: [{ channel_id: id }],
  });
  assert.equal(saved.status, 200, saved.text);
  assert.equal((await other.detail()).body.ticket_created, true);
  assert.equal((await other.disable()).status, 200);
}

describe('while the help desk of one team', () => {
  test('is slow, another team can connect, save and disconnect', async () => {
    rig.simulator.fault({ account: 'acme', path: '/users/me', delay_ms: 30_000 });
    const events: string[] = [];
    const waiting = stalled.connect().then((reply) => {
      events.push('the slow one is connected');
      return reply;
    });
    while (requestsTo('acme').length === 0) await pause(5);
    await wholeLifeOfOther();
    events.push('the other one was connected, saved and disconnected');
    rig.simulator.clock.advance(30_000);
    assert.equal((await waiting).status, 200);
    assert.deepEqual(events, ['the other one was connected, saved and disconnected', 'the slow one is connected']);
  });

  test('keeps failing, it gets no more calls, and another team’s does', async () => {
    rig.simulator.fault({ account: 'trial', status: 500, times: 100 });
    for (const calls of [3, 6, 6, 6]) {
      const reply = await stalled.connect(TRIAL);
      assert.deepEqual([reply.status, reply.body.id], [502, 'helpdesk.unreachable'], reply.text);
      assert.equal(requestsTo('trial').length, calls, lines(requestsTo('trial')).join());
    }
    await wholeLifeOfOther();
    assert.equal(requestsTo('trial').length, 6);
  });
});
