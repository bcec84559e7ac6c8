import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Database, inTransaction, type Trx } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { addMembers, deactivate, invite, team, user } from '#testing/workspace/factories.ts';
import { hold } from '#testing/workspace/integrations.ts';
import { addUpMemberCounts, countGroups } from './member-counts.store.ts';
import { removeMembership, saveAccepted, saveRoles } from './memberships.store.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
});

afterAll(() => node[Symbol.asyncDispose]());

/** Groups with a count other than 0, as counted and as they are. */
async function counts(db: Database | Trx, teamId: string) {
  const { rows } = await sql<{ member_group: number; count: number }>`select member_group, sum(count)::int as count
    from member_counts where team_id = ${teamId} group by 1 having sum(count) <> 0 order by 1`.execute(db);
  const real = await sql<{ member_group: number; count: number }>`
    select member_group(roles, email, deactivated), count(*)::int as count from memberships where team_id = ${teamId}
    group by 1 order by 1`.execute(db);
  return [rows, real.rows] as const;
}

async function assertExact(db: Database | Trx, teamId: string): Promise<void> {
  const [counted, real] = await counts(db, teamId);
  assert.deepEqual(counted, real);
}

const countRows = async (teamId: string) =>
  (await node.db.selectFrom('member_counts').select('id').where('team_id', '=', teamId).execute()).length;

describe('counts of members', () => {
  test('follow every kind of change, and stay right when they are added up', async () => {
    const teamId = await team(node);
    await addMembers(node, teamId, 300);
    const admin = await user(node, { team: teamId, kind: 'admin' });
    const gone = await user(node, { team: teamId, deactivated: true });
    const invited = await invite(node, { teamId, email: 'counted@example.test' });
    const accepting = await user(node);
    await assertExact(node.db, teamId);
    await inTransaction(node.db, async (trx) => {
      await saveAccepted(trx, { teamId, id: invited, userId: accepting.id });
      await saveRoles(trx, { teamId, userId: admin.id, roles: ['team_user', 'team_admin', 'team_owner'] });
      await removeMembership(trx, teamId, gone.id);
      await assertExact(trx, teamId);
    });
    await assertExact(node.db, teamId);
    await sql`update memberships set deactivated = true, deactivated_at = 1
      where team_id = ${teamId} and person_id < ${admin.id} and roles = '{team_user}'`.execute(node.db);
    await assertExact(node.db, teamId);
    const before = await countRows(teamId);
    for (const _ of ['once', 'and again']) {
      await addUpMemberCounts(node.db);
      await assertExact(node.db, teamId);
    }
    const [, real] = await counts(node.db, teamId);
    assert.ok(before > real.length);
    assert.equal(await countRows(teamId), real.length);
  });

  test('write nothing for a change of something else', async () => {
    const teamId = await team(node);
    await addMembers(node, teamId, 3);
    const before = await countRows(teamId);
    await sql`update memberships set last_active_at = 5 where team_id = ${teamId}`.execute(node.db);
    assert.equal(await countRows(teamId), before);
  });

  test('are those of each transaction: what another has not committed is not counted, and nobody waits', async () => {
    const teamId = await team(node);
    await addMembers(node, teamId, 2);
    const [one, two] = [await user(node, { team: teamId }), await user(node, { team: teamId })];
    await using held = await hold(node, (trx) =>
      sql`update memberships set deactivated = true, deactivated_at = 1 where team_id = ${teamId} and person_id = ${one.id}`.execute(
        trx,
      ),
    );
    await deactivate(node, teamId, two.id);
    await addUpMemberCounts(node.db);
    await assertExact(node.db, teamId);
    await held.release();
    await assertExact(node.db, teamId);
    await addUpMemberCounts(node.db);
    await assertExact(node.db, teamId);
  });

  test('stay right under writers and several jobs at once', async () => {
    const teamId = await team(node);
    const write = async () => {
      const { id } = await user(node, { team: teamId });
      await deactivate(node, teamId, id);
    };
    const jobs = Array.from({ length: 12 }, () => addUpMemberCounts(node.db));
    await Promise.all([...Array.from({ length: 25 }, write), ...jobs]);
    await assertExact(node.db, teamId);
    await addUpMemberCounts(node.db);
    await assertExact(node.db, teamId);
    const { rows } = await sql<{ n: number }>`select ${countGroups(teamId, [23])} as n`.execute(node.db);
    assert.deepEqual(rows, [{ n: 25 }]);
  });
});
