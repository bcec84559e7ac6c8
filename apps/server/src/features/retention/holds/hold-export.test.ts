import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { saveRemoteMessages } from '@steward/contract/connections/connector';
import { exportHold, getHoldExport } from '@steward/contract/retention/holds';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { readArchive } from '#testing/privacy/read-archive.ts';
import {
  connectedServer,
  fillMirror,
  remoteChannel,
  remoteMessage,
  remoteUser,
} from '#testing/workspace/connections.ts';
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
  holdId = await legalHold(node, { teamId: team.id, user_ids: [team.member.id] });
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

describe('messages of a connected server', () => {
  async function exportHeld(scope: object) {
    holdId = await legalHold(node, { teamId: team.id, ...scope });
    const files = await readArchive((await download((await finish()).url)).rawPayload);
    return {
      rows: lines(files, 'connected_messages'),
      manifest: JSON.parse(String(files.get('manifest.json'))),
    };
  }

  test('are described with their whole threads, and the export says that the text stays at the server', async () => {
    const chat = await connectedServer(node, { teamId: team.id, acceptedBy: team.owner.id });
    const at = Date.UTC(2020, 0, 1);
    const files = [
      { id: 'f1', size: 7 },
      { id: 'f2', size: null },
    ];
    const messages = [
      remoteMessage({ id: 'root', user_id: 'ada', created_at: at, size: 12, files }),
      remoteMessage({
        id: 'reply',
        user_id: 'bob',
        root_id: 'root',
        created_at: at + 5,
        deleted_at: at + 9,
        size: null,
      }),
      remoteMessage({ id: 'version', user_id: 'ada', original_id: 'root', created_at: at, size: null }),
      remoteMessage({ id: 'other', user_id: 'bob' }),
    ];
    await fillMirror(chat, {
      users: [remoteUser({ id: 'ada', name: 'Ada Admin' }), remoteUser({ id: 'bob' })],
      channels: [{ ...remoteChannel({ id: 'general', name: 'General' }), messages }],
    });
    const { rows, manifest } = await exportHeld({ connected_user_ids: [`${chat.id}/ada`] });
    const channel = { channel_id: 'general', channel_name: 'General', channel_type: 'O', channel_member_ids: [] };
    const place = { server_id: chat.id, server_name: 'Chat', ...channel, thread_id: 'root', kind: '' };
    const ada = { user_id: 'ada', author_name: 'Ada Admin', covered: true };
    const withFiles = { file_ids: ['f1', 'f2'], file_sizes: [7, null] };
    const none = { file_ids: [], file_sizes: null };
    assert.deepEqual(rows, [
      {
        ...place,
        id: 'reply',
        root_id: 'root',
        original_id: '',
        user_id: 'bob',
        author_name: 'bob',
        created_at: at + 5,
        active_at: at + 9,
        deleted_at: at + 9,
        size: null,
        ...none,
        covered: false,
      },
      {
        ...place,
        id: 'root',
        root_id: '',
        original_id: '',
        ...ada,
        ...withFiles,
        created_at: at,
        active_at: at,
        deleted_at: 0,
        size: 12,
      },
      {
        ...place,
        id: 'version',
        root_id: '',
        original_id: 'root',
        ...ada,
        ...none,
        created_at: at,
        active_at: at,
        deleted_at: 0,
        size: null,
      },
    ]);
    assert.partialDeepStrictEqual(manifest.connected_messages, { rows: 3, covered: 2, withheld: 2 });
    assert.match(manifest.connected_messages.note, /text of these messages .* stay at their server/);
    assert.equal(manifest.counts.connected_messages, 3);
    assert.deepEqual(manifest.hold.connected_user_ids, [`${chat.id}/ada`]);
  });

  test('are read page by page, and only those that the team governs', async () => {
    const chat = await connectedServer(node, { teamId: team.id, acceptedBy: team.owner.id });
    const other = await createTeamWithMembers(node);
    await connectedServer(node, { teamId: other.id, acceptedBy: other.owner.id, remoteTeamId: 'team2', on: chat });
    const threads = Array.from({ length: 201 }, (_, at) => remoteMessage({ id: `t${at}` }));
    const replies = Array.from({ length: 799 }, (_, at) => remoteMessage({ id: `r${at}`, root_id: 't7' }));
    const more = Array.from({ length: 50 }, (_, at) => remoteMessage({ id: `s${at}`, root_id: 't7' }));
    await fillMirror(chat, {
      channels: [
        { ...remoteChannel({ id: 'general' }), messages: [...threads, ...replies] },
        { ...remoteChannel({ id: 'theirs', team_id: 'team2' }), messages: [remoteMessage({ id: 'x' })] },
      ],
    });
    await chat.send(saveRemoteMessages, { body: { channel_id: 'general', messages: more } });
    const { rows, manifest } = await exportHeld({ settings: ['public_channels'] });
    assert.deepEqual(rows.map(({ id }) => id).sort(), [...threads, ...replies, ...more].map(({ id }) => id).sort());
    assert.equal(manifest.connected_messages.rows, 1_050);
  });

  test('are not described by a hold that covers none of them', async () => {
    const chat = await connectedServer(node, { teamId: team.id, acceptedBy: team.owner.id });
    const messages = [remoteMessage({ id: 'a' })];
    await fillMirror(chat, { channels: [{ ...remoteChannel({ id: 'general' }), messages }] });
    const { rows, manifest } = await exportHeld({ user_ids: [team.member.id] });
    assert.deepEqual([rows, manifest.connected_messages.rows], [[], 0]);
  });
});
