import assert from 'node:assert/strict';
import { EventEmitter, on, once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { getMe } from '@steward/contract/session';
import { listUsers, saveUser } from '@steward/contract/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { callAt } from '#testing/app/call.ts';
import { type Cluster, type Member, startCluster } from '#testing/app/cluster.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { waitForLockWaiter } from '#testing/faults/wait-for-lock.ts';
import { channel, type TestChannel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { delivery, helpdesk, hold, listChannelTexts, type TestHelpdesk } from '#testing/workspace/integrations.ts';

/** Restarts of each node; more with FAULT_ROUNDS=20. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 1);
/** Each client sends one request after another, with a short pause: some of them wait for an answer at any moment. */
const CLIENTS = 8;
/** Requests between two restarts. */
const BETWEEN = 30;
const PAUSE_MS = 30;

let cluster: Cluster;
let team: TestTeam;
let room: TestChannel;
let desk: TestHelpdesk;

beforeAll(async () => {
  cluster = await startCluster();
  team = await createTeamWithMembers(cluster.node);
  // A team in its first week may invite fewer users than the load does.
  await cluster.node.db.updateTable('teams').set({ create_at: 0 }).where('id', '=', team.id).execute();
  room = await channel(cluster.node, team.id);
  desk = await helpdesk(cluster.node, team.id, { channels: [room] });
});

afterAll(() => cluster?.[Symbol.asyncDispose]());

async function countRows(emails: readonly string[]): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`select
      (select count(*)::int from memberships where email = any(${emails})) as people,
      (select count(*)::int from idempotency_keys where key = any(${emails}) and answer is not null) as keys,
      (select count(*)::int from audit_events a join memberships m on m.person_id = a.target
        where a.action = 'users.invited' and m.email = any(${emails})) as audits,
      (select count(*)::int from mails where recipient = any(${emails})) as mails`.execute(cluster.node.db);
  return rows[0] ?? {};
}

test(`each of three nodes is restarted ${ROUNDS} times under load, and no request fails`, async () => {
  const begun = performance.now();
  const load = startLoad({ url: () => cluster.balancer.url, team, desk, clients: CLIENTS });
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { server, start } of cluster.members) {
      await load.answered(BETWEEN);
      assert.equal(await server.stop(), 0, 'it exited in time');
      await load.answered(BETWEEN);
      await start();
    }
  }
  await load.answered(BETWEEN);
  await load.stop();
  const seconds = (performance.now() - begun) / 1_000;
  console.log(
    `${load.count()} requests in ${seconds.toFixed(1)} s, ${cluster.balancer.repeats()} sent to another node`,
  );
  assert.deepEqual(load.failed, []);
  const { saved, delivered } = load;
  assert.ok(saved.length > 20 && delivered.length > 20, `${saved.length}, ${delivered.length}`);
  const each = saved.length;
  assert.deepEqual(await countRows(saved), { people: each, keys: each, audits: each, mails: each });
  await settled(cluster.node);
  assert.deepEqual((await listChannelTexts(cluster.node, room)).sort(), delivered.toSorted());
});

/** Starts a save for each address; each waits for a transaction that adds the same addresses. */
async function lockedSaves({ url }: Member, emails: readonly string[]) {
  const rival = await hold(cluster.node, (trx) =>
    sql`insert into memberships (team_id, person_id, roles, name_key, search, create_at, email, first_name, last_name)
      select ${team.id}, left(md5(email), 26), '{team_user}', email, email, 1, email, '', ''
      from unnest(${emails}::text[]) email`.execute(trx),
  );
  const sending = { as: team.admin, params: { teamId: team.id } };
  const saves = emails.map((email) => callAt(url(), saveUser, { ...sending, body: { email, account_type: 2 } }));
  await waitForLockWaiter(cluster.node, 'memberships');
  return { rival, saves };
}

/** A connection without requests, as browsers open them in advance. */
async function silentTo({ url }: Member): Promise<{ gone: Promise<unknown> }> {
  const silent = connect(Number(new URL(url()).port), '127.0.0.1');
  await once(silent, 'connect');
  return { gone: once(silent, 'close') };
}

test('calls in progress during a stop are answered, silent connections do not delay it, and the node exits', async () => {
  const member = cluster.members[0] as Member;
  const emails = Array.from({ length: 3 }, () => `${newId()}@example.test`);
  const { rival, saves } = await lockedSaves(member, emails);
  const silent = await silentTo(member);
  const stopping = member.server.stop();
  await cluster.balancer.until(0, false);
  const late = await callAt(member.url(), getMe, { as: team.member });
  assert.deepEqual(
    [late.status, late.headers.connection],
    [200, 'close'],
    'until it closes it serves what still comes',
  );
  await silent.gone;
  await rival.release();
  for (const reply of await Promise.all(saves)) {
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.headers.connection, 'close');
  }
  assert.equal(await stopping, 0);
  await assert.rejects(callAt(member.url(), getMe, { as: team.member }), /fetch failed/);
  assert.deepEqual(await countRows(emails), { people: 3, keys: 0, audits: 3, mails: 3 });
  await member.start();
});

interface MixedLoad {
  /** Resolves when this many more requests were answered. */
  answered(more: number): Promise<void>;
  /** Lets each client complete its current request. */
  stop(): Promise<void>;
  count(): number;
  /** Descriptions of all responses other than 200. */
  failed: string[];
  saved: string[];
  delivered: string[];
}

interface Aim {
  url: () => string;
  team: TestTeam;
  desk: TestHelpdesk;
  clients: number;
}

/** Starts immediately, against one URL. */
function startLoad({ url, team, desk, clients }: Aim): MixedLoad {
  const params = { teamId: team.id };
  const answers = new EventEmitter().setMaxListeners(0);
  const load = { failed: [] as string[], saved: [] as string[], delivered: [] as string[] };
  let count = 0;
  let goesOn = true;

  const save = async () => {
    const email = `${newId()}@example.test`;
    const headers = { 'idempotency-key': email };
    const reply = await callAt(url(), saveUser, { as: team.admin, params, headers, body: { email, account_type: 2 } });
    if (reply.status === 200) load.saved.push(email);
    return reply;
  };
  const deliver = async () => {
    const text = `Message ${newId()}`;
    const { headers, body } = delivery(desk, { body: JSON.stringify({ text }) });
    const response = await fetch(`${url()}${desk.path}`, { method: 'POST', headers, body });
    if (response.status === 200) load.delivered.push(text);
    return { status: response.status, text: await response.text() };
  };
  const kinds = [
    () => callAt(url(), getMe, { as: team.member }),
    save,
    () => callAt(url(), listUsers, { as: team.admin, params }),
    deliver,
  ];
  const client = async (number: number) => {
    for (let at = number; goesOn; at += 1) {
      const kind = at % kinds.length;
      const reply = await kinds[kind]?.().catch((error: Error) => ({ status: 0, text: `${error.cause ?? error}` }));
      count += 1;
      if (reply?.status !== 200) load.failed.push(`kind ${kind}: ${reply?.status} ${reply?.text}`);
      answers.emit('answer');
      await pause(PAUSE_MS);
    }
  };
  const running = Array.from({ length: clients }, (_, number) => client(number));
  return {
    ...load,
    count: () => count,
    async answered(more) {
      const wanted = count + more;
      const events = on(answers, 'answer');
      while (count < wanted) await events.next();
      await events.return?.();
    },
    async stop() {
      goesOn = false;
      await Promise.all(running);
    },
  };
}
