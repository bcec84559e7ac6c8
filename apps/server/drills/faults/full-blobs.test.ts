import assert from 'node:assert/strict';
import { renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import { send } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { getDiskSkipReason, mountSmallDisk, type SmallDisk } from '#testing/faults/small-disk.ts';
import { testUnless } from '#testing/system/unless.ts';
import { findGeneralChannel, ingest, serviceToken, type TestService } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { getIds, runNow, setRule } from '#testing/workspace/retention.ts';

const skip = getDiskSkipReason();
const SIZE = 200 * 1024;

let disk: SmallDisk;
let files: string;
let node: TestApp;
let team: TestTeam;
let service: TestService;

beforeAll(async () => {
  if (skip) return;
  disk = mountSmallDisk(2);
  files = join(disk.path, 'files');
  node = await startApp({ work: false, env: { FILES_URL: pathToFileURL(files).href } });
  team = await createTeamWithMembers(node);
  service = await serviceToken(node, team.id);
});

afterAll(async () => {
  if (skip) return;
  await node[Symbol.asyncDispose]();
  disk[Symbol.dispose]();
});

/** Imports a file of 200 KiB that only the member may see. */
const ingestFile = (id: string) =>
  ingest(node, service, [
    {
      kind: 'file',
      external_id: id,
      created_at: 1,
      user_id: team.member.id,
      name: 'a.bin',
      data: Buffer.alloc(SIZE, id).toString('base64'),
    },
  ]);

const findRow = async (id: string) => {
  const { rows } = await sql<{ id: string }>`select id from files where external_id = ${id}`.execute(node.db);
  return rows[0]?.id;
};

const download = async (id: string) => {
  const { status, text } = await send(node, {
    url: `/api/v4/files/${await findRow(id)}`,
    headers: { cookie: team.member.cookie },
  });
  return { status, isWhole: text === Buffer.alloc(SIZE, id).toString() };
};

const WHOLE = { status: 200, isWhole: true };

/** Asserts that a file is rejected with our error and leaves no row, and that everything else works. */
async function refused(id: string): Promise<void> {
  const reply = await ingestFile(id);
  assert.deepEqual([reply.status, reply.body.id], [503, 'server.unavailable'], reply.text);
  assert.equal(reply.headers['retry-after'], '2');
  assert.doesNotMatch(reply.text, /ENOSPC|EROFS|ENOENT|no space|read-only/i);
  assert.ok(node.log.some((line) => line.includes('could not store a blob') && line.includes('"code":"E')));
  assert.equal(await findRow(id), undefined);
  const { id: channelId } = await findGeneralChannel(node, team.id);
  const message = { kind: 'message', external_id: `with ${id}`, created_at: 1, channel_id: channelId, text: 'x' };
  const other = await ingest(node, service, [{ ...message, user_id: team.member.id }]);
  assert.equal(other.body?.accepted, 1, other.text);
}

testUnless(
  skip,
  'a disk that is full refuses new files, shows the old ones, and takes more as soon as there is room',
  async () => {
    assert.equal((await ingestFile('before')).body.accepted, 1);
    disk.fill(SIZE / 2);
    await refused('full');
    assert.deepEqual(await download('before'), WHOLE);
    disk.clear();
    assert.equal((await ingestFile('full')).body.accepted, 1);
    assert.deepEqual(await download('full'), WHOLE);
  },
);

testUnless(
  skip,
  'a disk that is full fails a retention run, which deletes nothing and works as soon as there is room',
  async () => {
    assert.equal((await ingestFile('old enough')).body.accepted, 1);
    await setRule(node, team.id, 'files', { value: 1, canmark: 0, duration: { count: 1, period: 'd' } });
    const { size } = await getIds(node, team.id);
    disk.fill();
    const [failed] = await runNow(node, team.id);
    assert.deepEqual([failed?.state, failed?.deleted], ['failed', 0]);
    assert.match(failed?.note ?? '', /The archive of what is deleted couldn't be written/);
    assert.equal((await getIds(node, team.id)).size, size);
    assert.deepEqual(await download('old enough'), WHOLE);
    disk.clear();
    const [next] = await runNow(node, team.id);
    assert.equal(next?.state, 'finished');
    assert.equal(await findRow('old enough'), undefined);
    await setRule(node, team.id, 'files', { value: 0, canmark: 0 });
  },
);

testUnless(
  skip,
  'a disk that has become read-only refuses new files, shows the old ones, and takes more when that is over',
  async () => {
    assert.equal((await ingestFile('old')).body.accepted, 1);
    disk.setReadOnly(true);
    await refused('read-only');
    assert.deepEqual(await download('old'), WHOLE);
    disk.setReadOnly(false);
    assert.equal((await ingestFile('read-only')).body.accepted, 1);
  },
);

testUnless(
  skip,
  'a deleted directory is created again as private, and its files are 404 until it is restored',
  async () => {
    assert.equal((await ingestFile('away')).body.accepted, 1);
    renameSync(files, `${files}-away`);
    assert.equal((await download('away')).status, 404);
    assert.equal((await ingestFile('anew')).body.accepted, 1);
    assert.equal(statSync(files).mode & 0o777, 0o700);
    assert.deepEqual(await download('anew'), WHOLE);
    renameSync(files, `${files}-anew`);
    renameSync(`${files}-away`, files);
    assert.deepEqual(await download('away'), WHOLE);
  },
);
