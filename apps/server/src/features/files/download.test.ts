import assert from 'node:assert/strict';
import { getFileInfo } from '@steward/contract/files';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, send, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { channel, file } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';

let node: TestApp;
let ours: TestTeam;
let twin: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false });
  [ours, twin] = [await createTeamWithMembers(node), await createTeamWithMembers(node)];
});

afterAll(() => node[Symbol.asyncDispose]());

const info = (as: { cookie: string }, fileId: string) => call(node, getFileInfo, { as, params: { fileId } });
const download = (as: { cookie: string }, fileId: string) =>
  send(node, { url: `/api/v4/files/${encodeURIComponent(fileId)}`, headers: { cookie: as.cookie } });

describe('a file', () => {
  test('is described in Mattermost’s format', async () => {
    const where = await channel(node, ours.id, { members: [ours.member.id] });
    const { id } = await file(node, ours.id, {
      channel: where,
      userId: ours.owner.id,
      name: 'Plan B.PDF',
      size: 4_711,
      createAt: 77,
    });
    assert.deepEqual((await info(ours.member, id)).body, {
      id,
      user_id: ours.owner.id,
      channel_id: where.id,
      post_id: '',
      create_at: 77,
      update_at: 77,
      delete_at: 0,
      name: 'Plan B.PDF',
      extension: 'pdf',
      size: 4_711,
      mime_type: 'application/pdf',
    });
  });

  test('is downloaded completely, as an attachment with its name that no cache stores', async () => {
    const data = `<script>alert(1)</script>${'ä'.repeat(40_000)}`;
    const { id } = await file(node, ours.id, { userId: ours.member.id, name: 'Übersicht.html', data });
    const reply = await node.app.inject({
      url: `/api/v4/files/${id}`,
      headers: { cookie: ours.member.cookie, 'accept-encoding': 'gzip, br' },
    });
    assert.equal(reply.statusCode, 200);
    assert.ok(reply.rawPayload.equals(Buffer.from(data)));
    const { headers } = reply;
    assert.equal(headers['content-type'], 'application/octet-stream');
    assert.equal(
      headers['content-disposition'],
      `attachment; filename="_bersicht.html"; filename*=UTF-8''%C3%9Cbersicht.html`,
    );
    assert.equal(headers['content-length'], String(Buffer.byteLength(data)));
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['cache-control'], 'no-store');
    assert.match(String(headers['content-security-policy']), /default-src 'none'/);
  });

  test('is visible to those who may view it; others get the same 404 as for an unknown file', async () => {
    const kept = await channel(node, ours.id, { type: 'P', members: [ours.member.id] });
    const others = await channel(node, ours.id, { type: 'D', members: [ours.owner.id] });
    const lobby = await channel(node, ours.id, { members: [ours.owner.id] });
    const make = (options: object) => file(node, ours.id, { data: 'x', ...options }).then(({ id }) => id);
    const [inKept, inOthers] = [await make({ channel: kept }), await make({ channel: others, userId: ours.member.id })];
    const inLobby = await make({ channel: lobby });
    const [outside, foreign] = [await make({ userId: ours.member.id }), await make({ userId: twin.owner.id })];
    /** Maps a caller to the files that they may view. */
    const seen: [{ cookie: string }, string[]][] = [
      [ours.member, [inKept, outside]],
      [ours.admin, [inLobby, outside, foreign]],
      [ours.owner, [inLobby, inOthers, outside, foreign]],
      [ours.zendesk, []],
      [twin.owner, []],
      [{ cookie: '' }, []],
    ];
    for (const ask of [info, download]) {
      for (const [who, theirs] of seen) {
        const unknown = toComparable(await ask(who, newId()));
        assert.equal(unknown.status, who.cookie ? 404 : 401);
        for (const id of [inKept, inOthers, inLobby, outside, foreign]) {
          const reply = await ask(who, id);
          if (theirs.includes(id)) assert.equal(reply.status, 200);
          else assert.deepEqual(toComparable(reply), unknown);
        }
        for (const id of ['x', '\0']) assert.deepEqual(toComparable(await ask(who, id)), unknown);
      }
    }
  });

  test('that is marked deleted, being deleted or gone is unknown to everyone', async () => {
    const marked = await file(node, ours.id, { data: 'x', deleteAt: 9 });
    const deleting = await file(node, ours.id, { data: 'x' });
    await sql`update files set doomed = true where id = ${deleting.id}`.execute(node.db);
    const gone = await file(node, ours.id, { data: 'x' });
    await sql`delete from files where id = ${gone.id}`.execute(node.db);
    const unknown = toComparable(await download(ours.owner, newId()));
    for (const { id } of [marked, deleting, gone]) {
      assert.deepEqual(toComparable(await download(ours.owner, id)), unknown);
      assert.equal((await info(ours.owner, id)).status, 404);
    }
  });

  test('whose content is stored elsewhere or was lost is described, and can’t be downloaded', async () => {
    const elsewhere = await file(node, ours.id, { size: 5 });
    const lost = await file(node, ours.id, { data: 'x' });
    await node.deps.blobs.remove(lost.blob ?? '');
    for (const { id } of [elsewhere, lost]) {
      assert.equal((await info(ours.owner, id)).status, 200);
      const reply = await download(ours.owner, id);
      assert.deepEqual([reply.status, reply.body.id], [404, 'record.not_found']);
      assert.equal(reply.headers['content-disposition'], undefined);
    }
  });
});
