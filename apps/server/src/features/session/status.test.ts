import assert from 'node:assert/strict';
import { getMe, listStatuses } from '@steward/contract/session';
import { listTeamMembers, listTeams } from '@steward/contract/session/teams';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import {
  createTeamWithMembers,
  join,
  type SignedInUser,
  signedIn,
  type TestTeam,
  team,
  user,
} from '#testing/workspace/factories.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false });
  ours = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const ask = (body: unknown) => call(node, listStatuses, { as: ours.member, body });

describe('the status call', () => {
  test('returns the caller as online, and users of their teams', async () => {
    const reply = await ask([ours.member.id, ours.owner.id]);
    assert.equal(reply.status, 200);
    const mine = reply.body.find((row: { user_id: string }) => row.user_id === ours.member.id);
    assert.equal(mine.status, 'online');
    assert.equal(mine.manual, false);
    assert.equal(reply.body.length, 2);
  });

  test('leaves out users of other teams, unknown ids and duplicates', async () => {
    const stranger = await user(node, { team: await team(node) });
    const reply = await ask([stranger.id, newId(), ours.owner.id, ours.owner.id]);
    assert.deepEqual(
      reply.body.map((row: { user_id: string }) => row.user_id),
      [ours.owner.id],
    );
  });

  test('online becomes away after five minutes and offline after thirty', async () => {
    const shown = async (minutes: number) => {
      await sql`insert into presence (person_id, last_activity_at) values (${ours.admin.id}, ${Date.now() - minutes * 60_000})
        on conflict (person_id) do update set last_activity_at = excluded.last_activity_at`.execute(node.db);
      return (await ask([ours.admin.id])).body[0].status;
    };
    assert.deepEqual([await shown(4), await shown(6), await shown(31)], ['online', 'away', 'offline']);
  });

  test('writes once a minute, and does not wait for the disk', async () => {
    await sql`create table commits (mode text)`.execute(node.db);
    await sql`create function note_commit() returns trigger language plpgsql security definer as $$ begin
      insert into commits values (current_setting('synchronous_commit')); return new; end $$`.execute(node.db);
    await sql`create trigger note_commit after insert or update on presence for each row execute function note_commit()`.execute(
      node.db,
    );
    // The server of the tests never waits, and this node has one connection.
    await sql`set synchronous_commit = on`.execute(node.deps.db);
    const polling = await signedIn(node, { team: ours.id });
    await sql`delete from presence where person_id = ${polling.id}`.execute(node.db);
    await sql`delete from commits`.execute(node.db);
    const poll = () => call(node, listStatuses, { as: polling, body: [polling.id] });
    const version = async () =>
      (
        await sql<{
          xmin: string;
          xmax: string;
        }>`select xmin, xmax from presence where person_id = ${polling.id}`.execute(node.db)
      ).rows;

    await poll();
    const first = await version();
    await poll();
    assert.deepEqual(await version(), first, 'the row is not even locked');
    await sql`update presence set last_activity_at = last_activity_at - 61000 where person_id = ${polling.id}`.execute(
      node.db,
    );
    await poll();

    const { rows } = await sql`select mode from commits`.execute(node.db);
    assert.deepEqual(rows.length, 3);
    assert.deepEqual([rows[0], rows[2]], [{ mode: 'off' }, { mode: 'off' }]);
    await sql`reset synchronous_commit`.execute(node.deps.db);
    await sql`drop trigger note_commit on presence`.execute(node.db);
  });
});

describe('the version of the caller’s teams', () => {
  const ask = async (as: SignedInUser, ids = [as.id]) => (await call(node, listStatuses, { as, body: ids })).body;
  const version = async (as: SignedInUser): Promise<string> => (await ask(as))[0].teams_version;

  test('is in the caller’s own row only, and stays while nothing changes', async () => {
    const { owner, member } = ours;
    const rows: { user_id: string; teams_version?: string }[] = await ask(member, [member.id, owner.id]);
    const own = rows.find(({ user_id }) => user_id === member.id);
    assert.match(own?.teams_version ?? '', /^[\w-]{16}$/);
    assert.equal(own?.teams_version, await version(member));
    const other = rows.find(({ user_id }) => user_id === owner.id);
    assert.ok(other && !('teams_version' in other));
    const unasked: object[] = await ask(member, [owner.id]);
    assert.ok(unasked.every((row) => !('teams_version' in row)));
  });

  test('changes with a role, a name, a new team, a deactivation and a removal', async () => {
    const teamId = await team(node);
    const who = await signedIn(node, { team: teamId });
    const update = (assignment: RawBuilder<unknown>) =>
      sql`update memberships set ${assignment} where team_id = ${teamId} and person_id = ${who.id}`.execute(node.db);
    const versions = [await version(who)];
    for (const change of [
      () => update(sql`roles = '{team_user,team_admin}'`),
      () => sql`update teams set display_name = 'Renamed' where id = ${teamId}`.execute(node.db),
      async () => join(node, await team(node), who.id, 'member'),
      () => update(sql`deactivated = true, deactivated_at = 1`),
      () => sql`delete from memberships where person_id = ${who.id}`.execute(node.db),
    ]) {
      await change();
      versions.push(await version(who));
    }
    assert.equal(new Set(versions).size, versions.length);
  });
});

describe('the caller’s teams', () => {
  test('are listed by name with time zone, and memberships with roles', async () => {
    const who = await signedIn(node, { team: null });
    const [zulu, alpha] = [await team(node, 'zulu'), await team(node, 'Alpha')];
    await join(node, zulu, who.id, 'owner');
    await join(node, alpha, who.id, 'member');
    const params = { userId: who.id };
    const teams = (await call(node, listTeams, { as: who, params })).body;
    assert.deepEqual(
      teams.map((row: { id: string; display_name: string; time_zone: string }) => [
        row.id,
        row.display_name,
        row.time_zone,
      ]),
      [
        [alpha, 'Alpha', 'UTC'],
        [zulu, 'zulu', 'UTC'],
      ],
    );
    assert.deepEqual((await call(node, listTeamMembers, { as: who, params })).body, [
      { team_id: alpha, id: who.id, display_name: 'Alpha', roles: ['team_user'] },
      { team_id: zulu, id: who.id, display_name: 'zulu', roles: ['team_user', 'team_admin', 'team_owner'] },
    ]);
  });

  test('the roles of the signed-in user are those of all their teams', async () => {
    const who = await signedIn(node, { team: await team(node), kind: 'admin' });
    await join(node, await team(node), who.id, 'member');
    const { body } = await call(node, getMe, { as: who });
    assert.deepEqual(body.roles.sort(), ['team_admin', 'team_user']);
    assert.equal(body.account_type, 1);
  });
});
