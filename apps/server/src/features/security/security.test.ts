import assert from 'node:assert/strict';
import { changePassword, listOwnSessions, saveProfile } from '@steward/contract/account';
import { requestEmailChange } from '@steward/contract/account/email';
import { listOwnInvitations } from '@steward/contract/account/memberships';
import { addPost, getChannel, listPosts } from '@steward/contract/channels';
import { getFileInfo } from '@steward/contract/files';
import { getSecurityPolicy, saveSecurityPolicy } from '@steward/contract/security';
import { getMe, listStatuses } from '@steward/contract/session';
import { listTeamMembers, listTeams } from '@steward/contract/session/teams';
import { listUsers } from '@steward/contract/users';
import { exportOwnData } from '@steward/contract/users/privacy';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { call, type Reply } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { totpFactor } from '#testing/factors/factors.ts';
import { authenticated, demand, nameOwner } from '#testing/sessions/sessions.ts';
import { file, findGeneralChannel } from '#testing/workspace/content.ts';
import {
  createTeamWithMembers,
  join,
  team as newTeam,
  PASSWORD,
  signedIn,
  signIn,
  type TestTeam,
} from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

/** Sets the last request of all sessions of a user to this many minutes ago. */
async function lastUsed(node: TestApp, { id }: { id: string }, minutesAgo: number): Promise<void> {
  await sql`update sessions set active_at = now() - make_interval(mins => ${minutesAgo}) where person_id = ${id}`.execute(
    node.db,
  );
}

let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp();
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  team = await createTeamWithMembers(node);
});

const POLICY = {
  require_mfa: 'none',
  idle_minutes: null,
  session_hours: null,
  networks: [],
  break_glass_owners: [] as string[],
};
const CONNECTION = 'connectionconnectionconnec';

const params = () => ({ teamId: team.id });
const save = (policy: object, from?: string) =>
  call(node, saveSecurityPolicy, {
    as: team.owner,
    params: params(),
    body: { ...POLICY, ...policy },
    ...(from && { from }),
  });
const list = (as: { cookie: string }, from?: string) =>
  call(node, listUsers, { as, params: params(), ...(from && { from }) });
const outcome = ({ status, body }: Reply) => (status < 300 ? status : `${status} ${body.id}`);

describe('the policy', () => {
  test('demands nothing of a team that never saved it, and says what the server demands', async () => {
    const { body } = await call(node, getSecurityPolicy, { as: team.owner, params: params(), from: '203.0.113.7' });
    const owner = { id: team.owner.id, name: 'Some Body', email: team.owner.email, has_second_factor: false };
    const server = {
      your_address: '203.0.113.7',
      server_idle_minutes: 60,
      server_session_hours: 24,
      requires_sso: false,
    };
    assert.deepEqual(body, { ...POLICY, ...server, owners: [owner] });
  });

  test('is saved as a whole, with networks in their normal form, and recorded with what it was', async () => {
    const networks = ['203.0.113.9/24', '203.0.113.0/24', '2001:DB8::1/32', '::ffff:198.51.100.7', '192.0.2.1'];
    const reply = await save({ require_mfa: 'admins', idle_minutes: 5, session_hours: 720, networks }, '203.0.113.7');
    assert.equal(reply.status, 200, reply.text);
    const normal = ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7/32', '192.0.2.1/32'];
    const saved = {
      require_mfa: 'admins',
      idle_minutes: 5,
      session_hours: 720,
      networks: normal,
      break_glass_owners: [],
    };
    assert.partialDeepStrictEqual(reply.body, saved);
    const rows = (await auditRows(node, 'security.saved')).filter(({ team_id }) => team_id === team.id);
    assert.deepEqual(rows, [
      { team_id: team.id, actor_id: team.owner.id, target: team.id, details: { before: POLICY, after: saved } },
    ]);
  });

  test('that is saved again leaves no second row in the audit log', async () => {
    for (let i = 0; i < 2; i += 1) assert.equal((await save({ idle_minutes: 30 })).status, 200);
    assert.equal((await auditRows(node, 'security.saved')).filter(({ team_id }) => team_id === team.id).length, 1);
  });

  test('is refused with networks that leave out who saves it', async () => {
    const reply = await save({ networks: ['198.51.100.0/24'] }, '203.0.113.7');
    assert.equal(outcome(reply), '409 security.locks_you_out');
    assert.equal((await list(team.owner)).status, 200);
  });

  for (const [what, wrong] of Object.entries({
    'an unknown group': { require_mfa: 'some' },
    'too few minutes': { idle_minutes: 4 },
    'too many minutes': { idle_minutes: 1441 },
    'half a minute': { idle_minutes: 5.5 },
    'no hours': { session_hours: 0 },
    'too many hours': { session_hours: 721 },
    'hours as text': { session_hours: '12' },
    'a name for a network': { networks: ['office'] },
    'a prefix that is too long': { networks: ['203.0.113.0/33'] },
    'a network twice in one line': { networks: ['203.0.113.0/24 198.51.100.0/24'] },
    'too many networks': { networks: Array.from({ length: 101 }, (_, i) => `10.0.${i}.0/24`) },
    'a missing field': { networks: undefined },
  }))
    test(`is refused with ${what}`, async () => {
      assert.equal(outcome(await save(wrong)), '400 request.invalid');
    });
});

describe('owners who may enter without single sign-on', () => {
  const name = (...break_glass_owners: string[]) => save({ break_glass_owners });

  test('are named by an owner, which is in the audit log and emailed to all owners', async () => {
    const other = await signedIn(node, { team: team.id, kind: 'owner' });
    await totpFactor(node, other.id);
    const { status, body } = await name(other.id);
    assert.deepEqual([status, body.break_glass_owners], [200, [other.id]]);
    for (const { email } of [team.owner, other]) {
      const mail = await node.inbox.next(email);
      assert.match(mail.subject, /who can enter without single sign-on has changed/);
      assert.match(mail.text, /Named now: Some Body/);
    }
    const [row] = (await auditRows(node, 'security.saved')).filter(({ team_id }) => team_id === team.id);
    assert.deepEqual(row?.details, { before: POLICY, after: { ...POLICY, break_glass_owners: [other.id] } });
    assert.equal(
      (
        await call(node, saveSecurityPolicy, {
          as: team.owner,
          params: params(),
          body: { ...POLICY, break_glass_owners: undefined, idle_minutes: 30 },
        })
      ).status,
      200,
    );
    assert.deepEqual(
      (await call(node, getSecurityPolicy, { as: team.owner, params: params() })).body.break_glass_owners,
      [other.id],
      'clients that know nothing of them keep them',
    );
  });

  test('are active owners of the team with a second factor', async () => {
    const elsewhere = await createTeamWithMembers(node);
    const [plain, theirs] = [await signedIn(node, { team: team.id, kind: 'owner' }), elsewhere.owner];
    const gone = await signedIn(node, { team: team.id, kind: 'owner' });
    for (const { id } of [theirs, team.admin, gone]) await totpFactor(node, id);
    await node.db
      .updateTable('memberships')
      .set({ deactivated: true, deactivated_at: 1 })
      .where('person_id', '=', gone.id)
      .execute();
    for (const { id } of [plain, theirs, team.admin, gone, { id: 'x'.repeat(26) }])
      assert.equal(outcome(await name(id)), '409 security.cannot_be_named');
    assert.equal(outcome(await name('x')), '400 request.invalid');
  });

  test('are no longer named once they stop being owners, also when they come back', async () => {
    for (const change of [sql`roles = '{team_user,team_admin}'`, sql`deactivated = true, deactivated_at = 1`]) {
      const other = await signedIn(node, { team: team.id, kind: 'owner' });
      await totpFactor(node, other.id);
      await name(other.id);
      await sql`update memberships set ${change} where person_id = ${other.id}`.execute(node.db);
      await sql`update memberships set roles = '{team_user,team_admin,team_owner}', deactivated = false,
        deactivated_at = null where person_id = ${other.id}`.execute(node.db);
      const { body } = await call(node, getSecurityPolicy, { as: team.owner, params: params() });
      assert.deepEqual(body.break_glass_owners, []);
    }
  });

  test('can be changed, but not be nobody, while single sign-on is required', async () => {
    const owner = await signIn(node, team.owner, { hasSecondFactor: true });
    await totpFactor(node, team.owner.id);
    await name(team.owner.id);
    await demand(node, team.id, { required_connection_id: CONNECTION });
    const reply = await call(node, saveSecurityPolicy, { as: owner, params: params(), body: POLICY });
    assert.equal(outcome(reply), '409 sso.no_break_glass');
    assert.equal(outcome(await list(owner)), 200);
  });
});

describe('what a team demands', () => {
  test('binds admins to its networks, from their next request', async () => {
    await demand(node, team.id, { networks: ['203.0.113.0/24'] });
    assert.equal(outcome(await list(team.admin, '198.51.100.1')), '403 security.network');
    assert.equal(outcome(await list(team.admin, '203.0.113.200')), 200);
  });

  test('is answered after the role: a member learns nothing of it', async () => {
    await demand(node, team.id, { networks: ['203.0.113.0/24'], require_mfa: 'everyone' });
    assert.equal(outcome(await list(team.member, '198.51.100.1')), '403 team.admin_required');
  });

  test('names the address of single sign-on where it requires that', async () => {
    await demand(node, team.id, { required_connection_id: CONNECTION });
    const reply = await list(team.admin);
    assert.equal(outcome(reply), '403 sso.required');
    assert.equal(reply.body.sso_url, `/auth/oidc/${CONNECTION}/start`);
    const sso = await signIn(node, team.admin, { sso: { teamId: team.id, connectionId: CONNECTION } });
    assert.equal(outcome(await list(sso)), 200);
    const owner = await signIn(node, team.owner, { hasSecondFactor: true });
    assert.equal(outcome(await list(owner)), '403 sso.required');
    await nameOwner(node, team.id, team.owner.id);
    assert.equal(outcome(await list(owner)), 200);
  });

  test('comes before step-up, and step-up before the shape of the request', async () => {
    await authenticated(node, team.owner, 11);
    assert.equal(outcome(await save({ idle_minutes: 'x' })), '403 session.reauth_required');
    await demand(node, team.id, { require_mfa: 'admins' });
    assert.equal(outcome(await save({ idle_minutes: 'x' })), '403 mfa.enroll_required');
  });

  test('a second factor of everyone is needed in channels and for files, and not for the own account', async () => {
    const general = await findGeneralChannel(node, team.id);
    const attached = await file(node, team.id, { channel: general, userId: team.member.id });
    await demand(node, team.id, { require_mfa: 'everyone' });
    const as = team.member;
    const inChannel = { as, params: { channelId: general.id } };
    const refused = '403 mfa.enroll_required';
    assert.equal(outcome(await call(node, getChannel, inChannel)), refused);
    assert.equal(outcome(await call(node, listPosts, inChannel)), refused);
    assert.equal(outcome(await call(node, addPost, { as, body: { channel_id: general.id, message: 'Hi' } })), refused);
    assert.equal(outcome(await call(node, getFileInfo, { as, params: { fileId: attached.id } })), refused);
    const statuses = await call(node, listStatuses, { as, body: [team.admin.id, as.id] });
    assert.deepEqual(
      statuses.body.map(({ user_id }: { user_id: string }) => user_id),
      [as.id],
    );
    assert.equal((await call(node, getMe, { as })).status, 200);
    assert.equal((await call(node, listTeams, { as, params: { userId: as.id } })).body.length, 1);
    const withFactor = await signIn(node, as, { hasSecondFactor: true });
    assert.equal((await call(node, getChannel, { ...inChannel, as: withFactor })).status, 200);
  });

  test('a session that was left alone stays refused after it was used elsewhere', async () => {
    await demand(node, team.id, { idle_minutes: 5 });
    await lastUsed(node, team.admin, 7);
    assert.equal((await call(node, getMe, { as: team.admin })).status, 200);
    assert.equal(outcome(await list(team.admin)), '403 session.reauth_required');
  });

  test('an old session is refused in this team only', async () => {
    const other = await newTeam(node);
    await join(node, other, team.admin.id, 'admin');
    await demand(node, team.id, { session_hours: 1 });
    await authenticated(node, team.admin, 61);
    assert.equal(outcome(await list(team.admin)), '403 session.reauth_required');
    assert.equal((await call(node, listUsers, { as: team.admin, params: { teamId: other } })).status, 200);
  });
});

describe('a session of single sign-on', () => {
  test('opens its own team, and in every other one the user counts as a stranger', async () => {
    const other = await createTeamWithMembers(node);
    await join(node, other.id, team.owner.id, 'owner');
    const sso = await signIn(node, team.owner, { sso: { teamId: team.id, connectionId: CONNECTION } });
    assert.equal(outcome(await list(sso)), 200);
    const inOther = { as: sso, params: { teamId: other.id } };
    assert.equal(outcome(await call(node, listUsers, inOther)), '403 team.admin_required');
    const general = await findGeneralChannel(node, other.id);
    assert.equal(
      outcome(await call(node, getChannel, { as: sso, params: { channelId: general.id } })),
      '404 record.not_found',
    );
    const attached = await file(node, other.id, { channel: general, userId: other.member.id });
    assert.equal(
      outcome(await call(node, getFileInfo, { as: sso, params: { fileId: attached.id } })),
      '404 record.not_found',
    );
    assert.equal(outcome(await call(node, getFileInfo, { as: team.owner, params: { fileId: attached.id } })), 200);
    for (const endpoint of [listTeams, listTeamMembers]) {
      const { body } = await call(node, endpoint, { as: sso, params: { userId: sso.id } });
      assert.equal(body.length, 1, endpoint.name);
    }
    const { body } = await call(node, listStatuses, { as: sso, body: [other.member.id, team.member.id] });
    assert.deepEqual(
      body.map(({ user_id }: { user_id: string }) => user_id),
      [team.member.id],
    );
  });

  test('can’t change what proves who someone is, and nothing of an account with other teams', async () => {
    const sso = await signIn(node, team.member, { sso: { teamId: team.id, connectionId: CONNECTION } });
    const refused = '403 session.team_only';
    const password = { current_password: PASSWORD, new_password: 'another long password' };
    assert.equal(outcome(await call(node, changePassword, { as: sso, body: password })), refused);
    const email = { email: 'new@example.test', password: PASSWORD };
    assert.equal(outcome(await call(node, requestEmailChange, { as: sso, body: email })), refused);
    assert.equal(outcome(await call(node, exportOwnData, { as: sso, body: {} })), refused);
    const profile = { as: sso, body: { first_name: 'New', last_name: 'Name' } };
    assert.equal(outcome(await call(node, saveProfile, profile)), 200);
    await join(node, await newTeam(node), team.member.id);
    assert.equal(outcome(await call(node, saveProfile, profile)), refused);
    assert.equal(outcome(await call(node, listOwnSessions, { as: sso })), 200);
    assert.equal(outcome(await call(node, listOwnInvitations, { as: sso })), 200);
  });
});
