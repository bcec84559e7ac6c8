import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { addPost } from '@steward/contract/channels';
import { getMe, login } from '@steward/contract/session';
import { sql } from 'kysely';
import { newId } from '#platform/database/ids.ts';
import { call, send } from '#testing/app/call.ts';
import { startAppWithPostgres } from '#testing/database/app-with-postgres.ts';
import { getDiskSkipReason, mountSmallDisk } from '#testing/faults/small-disk.ts';
import { testUnless } from '#testing/system/unless.ts';
import { findGeneralChannel } from '#testing/workspace/content.ts';
import { createTeamWithMembers } from '#testing/workspace/factories.ts';

const skip = getDiskSkipReason();
const MIB = 1024 * 1024;
/** Free bytes: a little for tables, none, and enough for tables but not for another WAL segment. */
const ROUNDS = [2 * MIB, 0, 15 * MIB];

testUnless(
  skip,
  'a database whose disk is full refuses what it cannot keep, answers what it can, and loses nothing',
  async () => {
    const results: string[] = [];
    using disk = mountSmallDisk(220);
    await using own = await startAppWithPostgres({ base: disk.path });
    const { node } = own;
    const team = await createTeamWithMembers(node);
    const general = await findGeneralChannel(node, team.id);
    const acknowledged: string[] = [];
    /** Random letters can't be compressed. */
    const write = async () => {
      const key = newId();
      const reply = await call(node, addPost, {
        as: team.member,
        headers: { 'idempotency-key': key },
        body: { channel_id: general.id, message: `${key} ${randomBytes(12_000).toString('base64')}` },
      });
      if (reply.status === 201) acknowledged.push(key);
      return reply;
    };
    for (const leave of ROUNDS) {
      assert.equal((await write()).status, 201);
      disk.fill(leave);
      const before = acknowledged.length;
      let reply = await write();
      while (reply.status === 201) reply = await write();
      assert.deepEqual([reply.status, reply.body.id], [503, 'server.unavailable'], reply.text);
      assert.doesNotMatch(reply.text, /space|extend|wal|xlog/i);
      assert.equal((await send(node, { url: '/healthz' })).status, 200);
      const read = await call(node, getMe, { as: team.admin });
      assert.ok([200, 503].includes(read.status), read.text);
      results.push(`${leave / MIB} MiB left: ${acknowledged.length - before} more posts, reads ${read.status}`);
      disk.clear();
      // If PostgreSQL couldn't write its WAL, it restarts itself. If there was still no space, it exited, and its supervisor
      // restarts it (our server for the embedded one).
      while ((await send(node, { url: '/readyz' })).status !== 200) {
        if (own.postmaster() === undefined) await own.start();
        await pause(50);
      }
      assert.equal((await write()).status, 201, 'without a restart of ours');
      const { rows } = await sql<{ key: string }>`select split_part(text, ' ', 1) as key from messages`.execute(
        node.db,
      );
      const stored = rows.map(({ key }) => key);
      assert.deepEqual(new Set(stored), new Set(acknowledged));
      assert.equal(stored.length, acknowledged.length);
    }
    console.log(results.join('; '));
    const credentials = { login_id: team.member.email, password: team.member.password };
    assert.equal((await call(node, login, { body: credentials })).status, 200);
  },
);
