import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { deactivateUser } from '@steward/contract/users/lifecycle';
import { eraseUser, exportUser, getUserExport } from '@steward/contract/users/privacy';
import { sql } from 'kysely';
import { test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { killableServer } from '#testing/app/killable-server.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { searchTables } from '#testing/database/dump-database.ts';
import { expireDeadWorkers } from '#testing/database/maintain-queue.ts';
import { downloadArchive } from '#testing/privacy/read-archive.ts';
import { channel, file, record } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';

/** Use `MESSAGES=100000` before a release. */
const MESSAGES = Number(process.env.MESSAGES ?? 12_000);
const KILLS = 2;

/** The member's address is in each message, file name and record. */
async function addContent(node: TestApp, { id, member }: TestTeam): Promise<void> {
  const place = await channel(node, id, { members: [member.id] });
  await sql`insert into messages (team_id, id, channel_id, channel_type, user_id, text, size, create_at, update_at)
    select ${id}, 'm' || lpad(n::text, 25, '0'), ${place.id}, 'O', ${member.id},
      'Message ' || n || ' ' || md5(n::text) || repeat(md5(n::text), 4)
        || ' from ' || ${member.email}::text, 1, n, n
    from generate_series(1, ${MESSAGES}::int) n`.execute(node.db);
  for (let at = 0; at < 20; at += 1) {
    await file(node, id, { userId: member.id, data: `File ${at}`, name: `${member.email}-${at}.txt` });
    await record(node, id, { kind: 'note', userId: member.id, text: `Written by ${member.email}` });
  }
}

test(`the export and the erasure of a user with ${MESSAGES} messages are complete, killed ${KILLS} times each`, async () => {
  await using node = await startApp({ work: false, pool: 4 });
  const team = await createTeamWithMembers(node);
  const { id: teamId, owner, member } = team;
  await addContent(node, team);
  using server = killableServer(node, { roles: 'web,worker' });
  const params = { teamId, userId: member.id };

  const started = await call(node, exportUser, { as: owner, params, body: { reason: 'A drill' } });
  const exportId = started.body.id as string;
  const readExport = async () => (await call(node, getUserExport, { as: owner, params: { ...params, exportId } })).body;
  const findHolder = async () =>
    (await node.db.selectFrom('privacy_exports').select('holder').executeTakeFirstOrThrow()).holder;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const holder = await findHolder();
    await server.start();
    while ((await findHolder()) === holder) await setTimeout(10);
    await setTimeout(kill * 80);
    await server.kill();
    assert.equal((await readExport()).state, 'running', 'the kill met the export under way');
    await expireDeadWorkers(node);
  }
  await server.start();
  while ((await readExport()).state === 'running') await setTimeout(100);
  const files = await downloadArchive(node, { url: (await readExport()).url, as: owner });
  const count = (name: string) => JSON.parse(String(files.get(`${name}.json`))).length;
  assert.deepEqual(
    [count('messages'), count('files'), count('records'), count('channels'), count('profile')],
    [MESSAGES, 20, 20, 1, 1],
  );
  assert.equal(String(files.get('messages.csv')).trim().split('\r\n').length, MESSAGES + 1);

  await server.kill();
  await call(node, deactivateUser, { as: owner, params });
  const erase = async () => (await call(node, eraseUser, { as: owner, params, body: { confirm: member.email } })).body;
  assert.equal((await erase()).state, 'running');
  const findProgress = async () => {
    const row = await node.db.selectFrom('erasures').select(['step', 'reached']).executeTakeFirstOrThrow();
    return `${row.step} ${row.reached}`;
  };
  for (let kill = 0; kill < KILLS; kill += 1) {
    const progress = await findProgress();
    await server.start();
    while ((await findProgress()) === progress) await setTimeout(10);
    await setTimeout(kill * 18);
    await server.kill();
    assert.equal((await erase()).state, 'running', 'the kill met the erasure under way');
    await expireDeadWorkers(node);
  }
  await server.start();
  while ((await erase()).state === 'running') await setTimeout(100);
  assert.deepEqual(await searchTables(node, member.email), []);
  const { rows } = await sql<{ kept: number }>`select count(*)::int as kept from messages
    where team_id = ${teamId} and user_id = ${member.id} and text like 'Message %'`.execute(node.db);
  assert.deepEqual(rows, [{ kept: MESSAGES }]);
});
