import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { exportHold, getHoldExport } from '@steward/contract/retention/holds';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { readArchive } from '#testing/privacy/read-archive.ts';
import { file, findGeneralChannel, message, record } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam, user } from '#testing/workspace/factories.ts';
import { legalHold } from '#testing/workspace/holds.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let team: TestTeam;
let holdId: string;

beforeAll(async () => {
  node = await startApp({ pool: 4 });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  team = await createTeamWithMembers(node);
  holdId = await legalHold(node, { teamId: team.id, userIds: [team.member.id] });
});

const start = () =>
  call(node, exportHold, {
    as: team.owner,
    params: { teamId: team.id, holdId },
    body: { reason: 'Request of the court' },
  });
const read = (exportId: string, as = team.owner) =>
  call(node, getHoldExport, { as, params: { teamId: team.id, holdId, exportId } });
const download = (url: string, as = team.owner) =>
  node.app.inject({ method: 'GET', url, headers: { cookie: as.cookie } });
const sha256 = (content: Uint8Array | string) => createHash('sha256').update(content).digest('hex');

async function finish() {
  const { status, body } = await start();
  assert.equal(status, 200, JSON.stringify(body));
  await settled(node);
  const done = (await read(body.id)).body;
  assert.equal(done.state, 'done');
  return { id: body.id as string, ...(done as { url: string; sha256: string; size: number }) };
}

const lines = (files: ReadonlyMap<string, Buffer>, kind: string) =>
  String(files.get(`${kind}.ndjson`))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

test('the export has everything that the hold covers, with digests of each file and of the whole', async () => {
  const general = await findGeneralChannel(node, team.id);
  const rootId = await message(node, team.id, { channel: general, userId: team.admin.id });
  const theirs = await message(node, team.id, {
    channel: general,
    userId: team.member.id,
    rootId,
    text: 'Line\n"two" 🦊',
  });
  await node.db.deleteFrom('messages').where('id', '=', rootId).execute();
  await message(node, team.id, { channel: general, userId: team.admin.id });
  const kept = await file(node, team.id, { userId: team.member.id, data: 'The minutes', name: '../minutes.txt' });
  const voicemail = await record(node, team.id, {
    userId: team.member.id,
    kind: 'voicemail',
    data: new Uint8Array([0, 255, 10]),
  });
  const { id, url, sha256: digest, size } = await finish();
  const { rawPayload } = await download(url);
  assert.deepEqual([rawPayload.length, sha256(rawPayload)], [size, digest]);
  const files = await readArchive(rawPayload);
  const messages = lines(files, 'public_channels');
  assert.deepEqual(
    messages.map((row) => [row.id, row.text, row.root_deleted]),
    [[theirs, 'Line\n"two" 🦊', true]],
  );
  const [stored] = lines(files, 'files');
  assert.equal(stored.id, kept.id);
  assert.equal(String(files.get(stored.content)), 'The minutes');
  const [recording] = lines(files, 'voicemails');
  assert.deepEqual([recording.id, [...(files.get(recording.content) ?? [])]], [voicemail.id, [0, 255, 10]]);
  const manifest = JSON.parse(String(files.get('manifest.json')));
  assert.deepEqual(
    manifest.entries.map(({ name, sha256: entry }: { name: string; sha256: string }) => [name, entry]),
    [...files].filter(([name]) => name !== 'manifest.json').map(([name, content]) => [name, sha256(content)]),
  );
  const listed = manifest.entries.map((entry: { sha256: string; name: string }) => `${entry.sha256}  ${entry.name}\n`);
  assert.equal(manifest.content_sha256, sha256(listed.join('')));
  assert.deepEqual([manifest.reason, manifest.hold.id], ['Request of the court', holdId]);
  assert.equal(manifest.requested_by.id, team.owner.id);
  const rows = (await auditRows(node, 'holds.export_ended')).filter((row) => row.team_id === team.id);
  const details = rows[0]?.details as { sha256: string; export_id: string } | undefined;
  assert.deepEqual([details?.sha256, details?.export_id], [digest, id]);
});

test('only the owner who requested it can read and download it', async () => {
  const { id, url } = await finish();
  const second = await user(node, { team: team.id, kind: 'owner' });
  const { cookie } = await (await import('#testing/workspace/factories.ts')).signIn(node, second);
  const others = [{ ...team.owner, cookie }, team.admin, (await createTeamWithMembers(node)).owner];
  const expected = [404, 403, 403];
  for (const [at, as] of others.entries()) {
    assert.equal((await read(id, as)).status, expected[at]);
    assert.equal((await download(url, as)).statusCode, expected[at]);
  }
});

test('a hold that has ended can’t be exported', async () => {
  await sql`update holds set release_at = now() where id = ${holdId}`.execute(node.db);
  assert.equal((await start()).body.id, 'holds.released');
});
