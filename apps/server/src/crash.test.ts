import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { peopledTeam, type TestTeam } from '#testing/factories.ts';
import { type KillableServer, killableServer } from '#testing/killable-server.ts';
import { startApp, type TestApp } from '#testing/start-app.ts';

const KILLS = 5;
const CLIENTS = 6;

let node: TestApp;
let team: TestTeam;
let server: KillableServer;

before(async () => {
  node = await startApp({ work: false });
  team = await peopledTeam(node);
  server = killableServer(node);
});

after(async () => {
  server[Symbol.dispose]();
  await node[Symbol.asyncDispose]();
});

/** One save; `unknown` when the connection ended before the answer. */
async function save(url: string, email: string): Promise<'acknowledged' | 'unknown'> {
  try {
    const response = await fetch(`${url}/api/v4/admin/teams/${team.id}/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: team.admin.cookie, 'idempotency-key': email },
      body: JSON.stringify({ email, account_type: 2 }),
    });
    assert.equal(response.status, 200, await response.text());
    return 'acknowledged';
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return 'unknown';
  }
}

test(`of the saves around ${KILLS} kills every acknowledged one is there, whole and once, also after a repetition`, async () => {
  const history = new Map<string, 'acknowledged' | 'unknown'>();
  for (let round = 0; round < KILLS; round += 1) {
    const url = await server.start();
    // Each round is killed at another number of answers, while others are on their way.
    const last = 3 + round * 7;
    let answers = 0;
    let dead: Promise<void> | undefined;
    const client = async () => {
      while (!dead) {
        const email = `${newId()}@example.test`;
        const outcome = await save(url, email);
        history.set(email, outcome);
        if (outcome === 'acknowledged') answers += 1;
        if (answers >= last) dead ??= server.kill();
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    await dead;
  }
  const acknowledged = [...history].filter(([, outcome]) => outcome === 'acknowledged').map(([email]) => email);
  const unknown = [...history].filter(([, outcome]) => outcome === 'unknown').map(([email]) => email);
  assert.ok(acknowledged.length >= KILLS * 10 && unknown.length > 0, `${acknowledged.length}, ${unknown.length}`);
  assert.deepEqual(await lost(acknowledged), []);
  assert.deepEqual(await halves(), []);

  const url = await server.start();
  // Those whose answer was lost are sent once more, as a client would, and some of the others too.
  for (const email of [...unknown, ...acknowledged.slice(0, 20)]) assert.equal(await save(url, email), 'acknowledged');
  await server.kill();
  assert.deepEqual(await lost([...history.keys()]), []);
  assert.deepEqual(await halves(), []);
});

async function lost(emails: string[]): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`select email from people where email = any(${emails})`.execute(node.db);
  const there = new Set(rows.map(({ email }) => email));
  return emails.filter((email) => !there.has(email));
}

/** People whose membership, link, audit row or mail is missing or there twice; and mails of nobody. */
async function halves(): Promise<unknown[]> {
  const { rows } = await sql`
    select p.email, m.n as memberships, l.n as links, a.n as audits from people p,
      lateral (select count(*) as n from memberships where person_id = p.id) m,
      lateral (select count(*) as n from links where person_id = p.id) l,
      lateral (select count(*) as n from audit_events where target = p.id and action = 'users.invited') a
    where exists (select 1 from idempotency_keys k where k.key = p.email) and (m.n <> 1 or l.n <> 1 or a.n <> 1)
    union all
    select 'mails', (select count(*) from pgboss.job where name = 'mail.send'), (select count(*) from links), 0
    where (select count(*) from pgboss.job where name = 'mail.send') <> (select count(*) from links)
    union all
    select k.key, 0, 0, 0 from idempotency_keys k where k.answer is null or not exists (
      select 1 from people where email = k.key)`.execute(node.db);
  return rows;
}
