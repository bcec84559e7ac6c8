import assert from 'node:assert/strict';
import { listAuditEvents } from '@steward/contract/audit';
import { addPost, getChannel, getChannelMember, listPosts, type Post } from '@steward/contract/channels';
import {
  endComplianceAccess,
  grantComplianceAccess,
  listComplianceAccess,
  listTeamComplianceAccess,
} from '@steward/contract/channels/compliance';
import { getFileInfo } from '@steward/contract/files';
import { saveUser } from '@steward/contract/users';
import { deactivateUser, removeUser } from '@steward/contract/users/lifecycle';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call, send, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { channel, file, message, type TestChannel } from '#testing/workspace/content.ts';
import {
  createTeamWithMembers,
  join,
  ROLES,
  type SignedInUser,
  signedIn,
  signIn,
  type TestTeam,
  user,
} from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables, TRACES } from '#testing/workspace/snapshot-tables.ts';
import { removeMembership, saveDeactivated, saveRoles } from '#workspace/users/memberships.store.ts';

let node: TestApp;
let team: TestTeam;
let closed: TestChannel;
let direct: TestChannel;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  team = await createTeamWithMembers(node);
  closed = await channel(node, team.id, { type: 'P', members: [team.member.id], displayName: 'Closed' });
  direct = await channel(node, team.id, { type: 'D', members: [team.member.id], displayName: 'a, b' });
});

const HOUR = 3_600_000;
const REASON = 'Complaint 17';
const inTeam = (id: string) => ({ teamId: team.id, channelId: id });
const grant = (where: { id: string }, to: { id: string }, body: object = {}, as: SignedInUser = team.owner) =>
  call(node, grantComplianceAccess, {
    as,
    params: inTeam(where.id),
    body: { user_id: to.id, hours: 1, reason: REASON, ...body },
  });
const end = (where: { id: string }, of: { id: string }, as: SignedInUser = team.owner) =>
  call(node, endComplianceAccess, { as, params: inTeam(where.id), query: { user_id: of.id } });
const listAll = (as: SignedInUser = team.owner) =>
  call(node, listTeamComplianceAccess, { as, params: { teamId: team.id } });
const open = (where: { id: string }, as: SignedInUser) =>
  call(node, getChannel, { as, params: { channelId: where.id } });
const read = (where: { id: string }, as: SignedInUser, query: Record<string, string> = {}) =>
  call(node, listPosts, { as, params: { channelId: where.id }, query });
const write = (where: { id: string }, as: SignedInUser) =>
  call(node, addPost, { as, body: { channel_id: where.id, message: 'Hello' } });
const rows = async (action: string) => (await auditRows(node, action)).filter(({ team_id }) => team_id === team.id);
const notices = async (where: { id: string }): Promise<Post[]> => {
  const { body } = await read(where, team.member);
  return body.order.map((id: string) => body.posts[id]).filter(({ user_id }: Post) => user_id === '');
};
const expire = () =>
  sql`update compliance_access set expires_at = now() - interval '1 millisecond' where team_id = ${team.id}`.execute(
    node.db,
  );

async function changesNothing(work: () => Promise<void>): Promise<void> {
  const before = await snapshotTables(node, { except: TRACES });
  await work();
  assert.deepEqual(await snapshotTables(node, { except: TRACES }), before);
}

describe('admins and owners outside a private or direct channel', () => {
  test('are refused in the same words as any other member of the team', async () => {
    const stranger = await signedIn(node, { team: team.id });
    for (const where of [closed, direct]) {
      const held = await file(node, team.id, { channel: where, data: 'x', userId: team.admin.id });
      const calls = [
        (as: SignedInUser) => open(where, as),
        (as: SignedInUser) => read(where, as),
        (as: SignedInUser) => write(where, as),
        (as: SignedInUser) =>
          call(node, getChannelMember, { as, params: { channelId: where.id, userId: team.member.id } }),
        (as: SignedInUser) => call(node, getFileInfo, { as, params: { fileId: held.id } }),
        (as: SignedInUser) => send(node, { url: `/api/v4/files/${held.id}`, headers: { cookie: as.cookie } }),
      ];
      for (const ask of calls) {
        const reference = toComparable(await ask(stranger));
        assert.ok([403, 404].includes(reference.status));
        for (const as of [team.admin, team.owner]) assert.deepEqual(toComparable(await ask(as)), reference);
      }
    }
  });

  test('read and write public channels without a trace of compliance', async () => {
    const lobby = await channel(node, team.id, { members: [team.member.id] });
    assert.equal((await write(lobby, team.admin)).status, 201);
    assert.equal((await read(lobby, team.admin)).body.order.length, 1);
    assert.deepEqual((await open(lobby, team.admin)).body.compliance_access, []);
    assert.deepEqual(await rows('channels.compliance_read'), []);
  });
});

describe('granting compliance access', () => {
  test('lets the user read the channel, and nothing else', async () => {
    await message(node, team.id, { channel: closed, text: 'A secret' });
    const { status, body } = await grant(closed, team.admin, { hours: 3 });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      channel_id: closed.id,
      channel_name: 'Closed',
      channel_type: 'P',
      user_id: team.admin.id,
      user_name: 'Some Body',
      email: team.admin.email,
      granted_by: team.owner.id,
      granted_by_name: 'Some Body',
      granted_at: body.granted_at,
      until: body.granted_at + 3 * HOUR,
      reason: REASON,
    });
    assert.match((await read(closed, team.admin)).text, /A secret/);
    assert.equal((await open(closed, team.admin)).status, 200);
    await changesNothing(async () => {
      const refused = await write(closed, team.admin);
      assert.deepEqual([refused.status, refused.body.id], [403, 'channels.members_only']);
    });
    assert.equal((await read(direct, team.admin)).status, 403, 'another channel stays closed');
    assert.equal((await read(closed, team.owner)).status, 403, 'the owner gave it to someone else');
  });

  test('is for the owner too, and for direct channels, which have no name outside', async () => {
    const { status, body } = await grant(direct, team.owner, { hours: 24 });
    assert.deepEqual([status, body.channel_name, body.channel_type], [200, '', 'D']);
    assert.equal((await read(direct, team.owner)).status, 200);
    assert.equal((await write(direct, team.owner)).status, 403);
  });

  test('is shown to the members of the channel, in the channel and in a message of the system', async () => {
    const { until } = (await grant(closed, team.admin)).body;
    const access = [{ user_id: team.admin.id, until, reason: REASON }];
    assert.deepEqual((await open(closed, team.member)).body.compliance_access, access);
    const [notice = assert.fail(), ...others] = await notices(closed);
    assert.deepEqual(others, []);
    assert.match(notice.message, /^Some Body gave Some Body compliance access to this channel until .+ UTC\./);
    const who = { user_id: team.admin.id, by: team.owner.id, until };
    assert.deepEqual(notice.props, { compliance_access: { event: 'granted', ...who } });
    await end(closed, team.admin);
    assert.deepEqual((await open(closed, team.member)).body.compliance_access, []);
    assert.match((await notices(closed))[0]?.message ?? '', /^Some Body ended the compliance access of Some Body/);
  });

  test('tells an archived channel too', async () => {
    const old = await channel(node, team.id, { type: 'P', members: [team.member.id], deleteAt: 9 });
    assert.equal((await grant(old, team.admin)).status, 200);
    assert.equal((await notices(old)).length, 1);
  });

  test('again replaces the earlier grant, and both are in the audit log', async () => {
    const first = (await grant(closed, team.admin, { hours: 24, reason: 'First' })).body;
    const second = (await grant(closed, team.admin, { hours: 1, reason: 'Second' })).body;
    assert.ok(second.until < first.until);
    assert.deepEqual((await listAll()).body.records, [second]);
    const granted = await rows('channels.compliance_granted');
    const details = { user_id: team.admin.id, until: first.until, hours: 24, reason: 'First' };
    const newer = { ...details, until: second.until, hours: 1, reason: 'Second', replaced_until: first.until };
    assert.deepEqual(granted, [
      { team_id: team.id, actor_id: team.owner.id, target: closed.id, details },
      { team_id: team.id, actor_id: team.owner.id, target: closed.id, details: newer },
    ]);
    assert.equal((await notices(closed)).length, 2);
  });

  test('by two owners concurrently leaves one grant and two rows, the later of which names the other', async () => {
    const other = await signedIn(node, { team: team.id, kind: 'owner' });
    const replies = await Promise.all([
      grant(closed, team.admin, { hours: 1 }),
      grant(closed, team.admin, { hours: 2 }, other),
    ]);
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200],
    );
    assert.equal((await listAll()).body.records.length, 1);
    const granted = await rows('channels.compliance_granted');
    assert.equal(granted.length, 2);
    assert.equal(granted.filter(({ details }) => details.replaced_until !== undefined).length, 1);
  });

  test('with one Idempotency-Key happens once', async () => {
    const sending = {
      as: team.owner,
      params: inTeam(closed.id),
      body: { user_id: team.admin.id, hours: 1, reason: REASON },
      headers: { 'idempotency-key': newId() },
    };
    const [first, second] = [
      await call(node, grantComplianceAccess, sending),
      await call(node, grantComplianceAccess, sending),
    ];
    assert.deepEqual(toComparable(second), toComparable(first));
    assert.equal((await notices(closed)).length, 1);
  });
});

describe('compliance access is refused', () => {
  test('for anyone but an active member of the team, in the same words', async () => {
    const twin = await createTeamWithMembers(node);
    const gone = await user(node, { team: team.id, deactivated: true });
    await changesNothing(async () => {
      const reference = toComparable(await grant(closed, { id: newId() }));
      assert.equal(reference.status, 400);
      for (const who of [team.zendesk, team.pending, twin.owner, gone])
        assert.deepEqual(toComparable(await grant(closed, who)), reference);
    });
  });

  test('to channels that are unknown, of another team, or public', async () => {
    const twin = await createTeamWithMembers(node);
    const foreign = await channel(node, twin.id, { type: 'P', members: [team.owner.id] });
    const lobby = await channel(node, team.id);
    await changesNothing(async () => {
      const reference = toComparable(await grant({ id: newId() }, team.admin));
      assert.equal(reference.status, 404);
      for (const id of [foreign.id, 'x', '\0'])
        for (const reply of [
          await grant({ id }, team.admin),
          await end({ id }, team.admin),
          await call(node, listComplianceAccess, { as: team.owner, params: inTeam(id) }),
        ])
          assert.deepEqual(toComparable(reply), reference, id);
      const open = await grant(lobby, team.admin);
      assert.deepEqual([open.status, open.body.id], [400, 'channels.compliance_not_needed']);
    });
  });

  test('for a time or a reason that is not one', async () => {
    const invalid: [string, object][] = [
      ...[0, 25, -1, 1.5, '24', null, 1e308].map((hours): [string, object] => ['hours', { hours }]),
      ...['', '  ', '\u200b', 'x'.repeat(501), 'x'.repeat(1_000), 'a\0b', 'a\nb', 'a\u001b[31m', '\u202eabc', 7].map(
        (reason): [string, object] => ['reason', { reason }],
      ),
      ['user_id', { user_id: 'me' }],
    ];
    await changesNothing(async () => {
      for (const [field, body] of invalid) {
        const reply = await grant(closed, team.admin, body);
        assert.deepEqual([reply.status, reply.body.id], [400, 'request.invalid'], JSON.stringify(body));
        assert.match(reply.body.message, new RegExp(`^${field}:`));
      }
    });
    assert.equal((await grant(closed, team.admin, { hours: 24, reason: 'x'.repeat(500) })).status, 200);
  });
});

describe('compliance access ends', () => {
  test('on time, by the clock of the database', async () => {
    await grant(closed, team.admin);
    await expire();
    assert.equal((await read(closed, team.admin)).body.id, 'channels.members_only');
    assert.equal((await open(closed, team.admin)).status, 403);
    assert.deepEqual((await open(closed, team.member)).body.compliance_access, []);
    assert.deepEqual((await listAll()).body.records, []);
    assert.equal((await end(closed, team.admin)).status, 404);
    assert.equal((await grant(closed, team.admin)).status, 200);
    assert.equal((await rows('channels.compliance_granted'))[1]?.details.replaced_until, undefined);
  });

  test('immediately when an owner ends it, with one row', async () => {
    const { until } = (await grant(closed, team.admin)).body;
    assert.deepEqual((await end(closed, team.admin)).body, { status_code: 200 });
    assert.equal((await read(closed, team.admin)).status, 403);
    const details = { user_id: team.admin.id, until };
    assert.deepEqual(await rows('channels.compliance_ended'), [
      { team_id: team.id, actor_id: team.owner.id, target: closed.id, details },
    ]);
    await changesNothing(async () => assert.equal((await end(closed, team.admin)).status, 404));
  });

  test('with the membership of the team, and does not come back with it', async () => {
    await grant(closed, team.admin);
    await inTransaction(node.db, (trx) => removeMembership(trx, team.id, team.admin.id));
    assert.equal((await read(closed, team.admin)).status, 404);
    assert.deepEqual((await listAll()).body.records, []);
    await join(node, team.id, team.admin.id, 'admin');
    assert.equal((await read(closed, team.admin)).status, 403);
  });

  test('for a user who is deactivated, and does not come back when they are reactivated', async () => {
    const set = (deactivated: boolean) =>
      inTransaction(node.db, (trx) => saveDeactivated(trx, { teamId: team.id, userId: team.admin.id, deactivated }));
    await grant(closed, team.admin);
    await set(true);
    assert.equal((await read(closed, team.admin)).status, 404);
    assert.deepEqual((await open(closed, team.member)).body.compliance_access, []);
    await set(false);
    assert.equal((await read(closed, team.admin)).status, 403);
    assert.deepEqual((await listAll()).body.records, []);
  });

  test('for a user who is demoted or becomes a Zendesk user, but not for one who is promoted', async () => {
    const set = (kind: keyof typeof ROLES) =>
      inTransaction(node.db, (trx) => saveRoles(trx, { teamId: team.id, userId: team.admin.id, roles: ROLES[kind] }));
    await grant(closed, team.admin);
    await set('owner');
    assert.equal((await read(closed, team.admin)).status, 200);
    for (const lower of ['admin', 'member', 'zendesk'] as const) {
      await set(lower);
      assert.equal((await read(closed, team.admin)).status, 403, lower);
      await set('owner');
      assert.equal((await read(closed, team.admin)).status, 403, `${lower} and back`);
      assert.equal((await grant(closed, team.admin)).status, 200);
      assert.equal((await read(closed, team.admin)).status, 200);
    }
  });

  test('by the calls that deactivate, remove and demote', async () => {
    const params = { teamId: team.id, userId: team.admin.id };
    const as = team.owner;
    const demote = { email: team.admin.email, first_name: 'Some', last_name: 'Body', account_type: 2 };
    await grant(closed, team.admin);
    assert.equal((await call(node, saveUser, { as, params: { teamId: team.id }, body: demote })).status, 200);
    assert.equal((await read(closed, team.admin)).status, 403);
    for (const endpoint of [deactivateUser, removeUser]) {
      const reader = await signedIn(node, { team: team.id });
      assert.equal((await grant(closed, reader)).status, 200);
      assert.equal((await read(closed, reader)).status, 200);
      assert.equal((await call(node, endpoint, { as, params: { ...params, userId: reader.id } })).status, 200);
      assert.equal((await read(closed, await signIn(node, reader))).status, 404);
    }
    assert.deepEqual((await listAll()).body.records, []);
  });
});

describe('reading by compliance access', () => {
  test('writes one row for each page, with the number of posts and no content', async () => {
    for (let createAt = 1; createAt <= 3; createAt += 1)
      await message(node, team.id, { channel: closed, text: 'A secret', createAt });
    await grant(closed, team.admin);
    await read(closed, team.admin, { per_page: '2' });
    await read(closed, team.admin, { per_page: '2', page: '1' });
    await read(closed, team.admin, { per_page: '2', page: '9' });
    await read(closed, team.member);
    assert.equal((await read(closed, team.admin, { per_page: '999' })).status, 400);
    const found = await rows('channels.compliance_read');
    const line = { team_id: team.id, actor_id: team.admin.id, target: closed.id };
    assert.deepEqual(
      found,
      [2, 2, 0].map((posts) => ({ ...line, details: { posts } })),
    );
    assert.doesNotMatch(JSON.stringify(found), /secret/);
  });

  test('writes one row for each file', async () => {
    const held = await file(node, team.id, { channel: closed, data: 'x', userId: team.member.id });
    const unseen = await file(node, team.id, { channel: direct, data: 'x' });
    const download = (id: string) => send(node, { url: `/api/v4/files/${id}`, headers: { cookie: team.admin.cookie } });
    assert.equal((await download(held.id)).status, 404);
    await grant(closed, team.admin);
    assert.deepEqual([(await download(held.id)).status, (await download(unseen.id)).status], [200, 404]);
    assert.equal((await call(node, getFileInfo, { as: team.admin, params: { fileId: held.id } })).status, 200);
    const line = { team_id: team.id, actor_id: team.admin.id, target: closed.id, details: { file_id: held.id } };
    assert.deepEqual(await rows('channels.compliance_read'), [line, line]);
    await end(closed, team.admin);
    assert.equal((await download(held.id)).status, 404);
  });

  test('writes none for a member of the channel who has it too', async () => {
    await grant(closed, team.member);
    await read(closed, team.member);
    assert.deepEqual(await rows('channels.compliance_read'), []);
    assert.equal((await write(closed, team.member)).status, 201);
  });

  test('answers nothing if the row cannot be written', async () => {
    await message(node, team.id, { channel: closed, text: 'A secret' });
    await grant(closed, team.admin);
    const name = `refuse_${newId()}`;
    await sql`create function ${sql.raw(name)}() returns trigger language plpgsql as
      'begin if new.action = ''channels.compliance_read'' then raise exception ''no''; end if; return new; end'`.execute(
      node.db,
    );
    await sql`create trigger ${sql.raw(name)} before insert on audit_events
      for each row execute function ${sql.raw(name)}()`.execute(node.db);
    try {
      const { status, text } = await read(closed, team.admin);
      assert.equal(status, 500);
      assert.doesNotMatch(text, /secret/);
    } finally {
      await sql`drop function ${sql.raw(name)} cascade`.execute(node.db);
    }
  });
});

describe('the audit log of compliance access', () => {
  const log = async (as: SignedInUser, query: Record<string, string> = {}) =>
    (await call(node, listAuditEvents, { as, params: { teamId: team.id }, query })).body.records;

  test('names the channel to owners and to those who see it, and to other admins has an empty target', async () => {
    await grant(closed, team.owner);
    await grant(direct, team.owner);
    await write(closed, team.member);
    const targets = async (as: SignedInUser) =>
      (await log(as, { action: 'channels.compliance_granted' })).map(
        ({ target, target_name }: { target: string; target_name: string }) => [target, target_name],
      );
    await expire();
    assert.deepEqual(await targets(team.owner), [
      [direct.id, ''],
      [closed.id, 'Closed'],
    ]);
    assert.deepEqual(await targets(team.admin), [
      ['', ''],
      ['', ''],
    ]);
    const everything = JSON.stringify(await log(team.admin));
    for (const { id } of [closed, direct]) assert.doesNotMatch(everything, new RegExp(id));
    const [{ details }] = await log(team.admin, { action: 'channels.compliance_granted' });
    assert.deepEqual(Object.keys(details).sort(), ['hours', 'reason', 'until']);
    assert.deepEqual(await log(team.admin, { target: closed.id }), [], 'a filter finds nothing either');
    assert.equal((await log(team.owner, { target: closed.id })).length, 1);
    const posted = (await log(team.owner, { action: 'channels.posted' }))[0];
    assert.deepEqual(posted.details, {}, 'where someone posted is not about compliance access');
    await grant(closed, team.admin);
    assert.deepEqual((await targets(team.admin)).slice(0, 1), [[closed.id, 'Closed']]);
  });
});

describe('the lists of compliance access', () => {
  test('have what is in effect now, the next to end first', async () => {
    const [later, sooner] = [
      (await grant(closed, team.admin, { hours: 5 })).body,
      (await grant(direct, team.owner, { hours: 2 })).body,
    ];
    const twin = await createTeamWithMembers(node);
    assert.deepEqual((await listAll()).body.records, [sooner, later]);
    assert.deepEqual(
      (await call(node, listComplianceAccess, { as: team.owner, params: inTeam(closed.id) })).body.records,
      [later],
    );
    const others = await call(node, listTeamComplianceAccess, { as: twin.owner, params: { teamId: twin.id } });
    assert.deepEqual(others.body.records, []);
  });
});
