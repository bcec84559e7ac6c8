import assert from 'node:assert/strict';
import { leaveTeam } from '@steward/contract/account/memberships';
import { removeUser, setOwner } from '@steward/contract/users/lifecycle';
import {
  exportOwnData,
  exportUser,
  getOwnExport,
  getUserExport,
  listUserExports,
} from '@steward/contract/users/privacy';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { saveException } from '#features/users/inactivity/rule.store.ts';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { cleanUp } from '#testing/app/clean-up.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { passkey, totpFactor } from '#testing/factors/factors.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { buildGroup, buildUser, scim, scimToken } from '#testing/peers/scim.ts';
import { downloadArchive } from '#testing/privacy/read-archive.ts';
import { connection } from '#testing/sso/sso.ts';
import { connectedServer, remoteUser, sendList } from '#testing/workspace/connections.ts';
import { channel, file, isKept, message, record } from '#testing/workspace/content.ts';
import {
  createTeamWithMembers,
  join,
  type SignedInUser,
  signedIn,
  type TestTeam,
  user,
} from '#testing/workspace/factories.ts';
import { inactivityWarning } from '#testing/workspace/inactivity.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 4 });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  ours = await createTeamWithMembers(node);
});

const REASON = 'Request of the user';
const start = (userId: string, as = ours.owner, body: unknown = { reason: REASON }) =>
  call(node, exportUser, { as, params: { teamId: ours.id, userId }, body });
const read = (userId: string, exportId: string, as = ours.owner) =>
  call(node, getUserExport, { as, params: { teamId: ours.id, userId, exportId } });
const list = async (as = ours.owner) =>
  (await call(node, listUserExports, { as, params: { teamId: ours.id } })).body.records;

/** Exports a user of the team and returns where to download it. */
async function finish(userId: string): Promise<{ id: string; url: string }> {
  const { status, body } = await start(userId);
  assert.equal(status, 200, JSON.stringify(body));
  await settled(node);
  const { url, state } = (await read(userId, body.id)).body;
  assert.equal(state, 'done');
  return { id: body.id, url };
}

async function exported(userId: string) {
  return downloadArchive(node, { url: (await finish(userId)).url, as: ours.owner });
}

const json = (files: ReadonlyMap<string, Buffer>, name: string) => JSON.parse(String(files.get(`${name}.json`)));
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id).sort();

/** Adds content of every kind for a user, and for another one. */
async function addContent(userId: string) {
  const place = await channel(node, ours.id, { type: 'D', members: [userId] });
  const theirs = {
    messages: [await message(node, ours.id, { channel: place, userId, text: '=SUM(A1), "quoted"\nand a line' })],
    files: [(await file(node, ours.id, { userId, data: 'The minutes', name: '../me & you.txt' })).id],
    records: [
      (await record(node, ours.id, { userId, kind: 'voicemail', data: new Uint8Array([0, 255, 10]) })).id,
      (await record(node, ours.id, { userId, kind: 'note', text: 'A thought' })).id,
    ],
  };
  await message(node, ours.id, { channel: place, userId: ours.admin.id });
  await file(node, ours.id, { userId: ours.admin.id, data: 'Not theirs' });
  return theirs;
}

describe('the export of a user', () => {
  test('has everything that the team stores about them, in JSON and CSV, and their files', async () => {
    const who = await signedIn(node, { team: ours.id, first_name: 'Ada', last_name: 'Lovelace' });
    const theirs = await addContent(who.id);
    await sql`insert into sign_ins values (${ours.id}, ${newId()}, ${who.id}, now(), 'ok', 'password', '192.0.2.7', 'Firefox', '')`.execute(
      node.db,
    );
    await sql`insert into directory_entries (team_id, id, name, email) values (${ours.id}, ${newId()}, 'Ada L.', ${who.email.toUpperCase()})`.execute(
      node.db,
    );
    await totpFactor(node, who.id);
    const files = await exported(who.id);
    assert.deepEqual(json(files, 'second_factors'), [], 'they belong to the account');
    for (const [kind, expected] of Object.entries(theirs))
      assert.deepEqual(ids(json(files, kind)), expected.sort(), kind);
    assert.equal(json(files, 'profile')[0].email, who.email);
    assert.equal(json(files, 'memberships')[0].state, 'active');
    for (const kind of ['channels', 'sessions', 'sign_ins', 'directory', 'audit_log'])
      assert.equal(json(files, kind).length, 1, kind);
    const [minutes] = json(files, 'files');
    assert.equal(String(files.get(minutes.content)), 'The minutes');
    assert.match(minutes.content, /^files\/[a-z0-9]{26}-[\w.-]+$/);
    const [, voicemail] = json(files, 'records').toSorted((a: { kind: string }, b: { kind: string }) =>
      a.kind < b.kind ? -1 : 1,
    );
    assert.deepEqual(files.get(voicemail.content), Buffer.from([0, 255, 10]));
    assert.equal(JSON.parse(String(files.get('export.json'))).counts.messages, 1);
    const csv = String(files.get('messages.csv'));
    assert.match(csv, /^\uFEFFteam_id,id,/);
    assert.ok(csv.includes(`"'=SUM(A1), ""quoted""\nand a line"`), csv);
  });

  test('reads more rows than one page, in their order and none twice', async () => {
    const place = await channel(node, ours.id);
    await sql`insert into messages (team_id, id, channel_id, channel_type, user_id, text, size, create_at, update_at)
      select ${ours.id}, lpad(n::text, 26, 'm'), ${place.id}, 'O', case when n % 3 = 0 then ${ours.member.id} else '' end, 'm', 1, n, n
      from generate_series(1, 5000) n`.execute(node.db);
    const rows = json(await exported(ours.member.id), 'messages');
    assert.equal(rows.length, 1_666);
    assert.deepEqual(
      rows,
      rows.toSorted((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)),
    );
  });

  test('says which messages reply to one that is gone', async () => {
    const place = await channel(node, ours.id);
    const [kept, gone] = [
      await message(node, ours.id, { channel: place }),
      await message(node, ours.id, { channel: place }),
    ];
    const userId = ours.member.id;
    const reply = (rootId: string) => message(node, ours.id, { channel: place, userId, rootId });
    const replies = [await reply(kept), await reply(gone)];
    await node.db.deleteFrom('messages').where('id', '=', gone).execute();
    const rows: { id: string; root_deleted: boolean }[] = json(await exported(userId), 'messages');
    const deleted = replies.map((id) => rows.find((row) => row.id === id)?.root_deleted);
    assert.deepEqual(deleted, [false, true]);
  });

  test('of a former user has what the team still stores', async () => {
    const theirs = await addContent(ours.member.id);
    await call(node, removeUser, { as: ours.owner, params: { teamId: ours.id, userId: ours.member.id } });
    const files = await exported(ours.member.id);
    assert.deepEqual(ids(json(files, 'messages')), theirs.messages);
    assert.equal(json(files, 'memberships')[0].state, 'former');
    assert.deepEqual(json(files, 'sessions'), []);
  });

  test('has nothing of other teams', async () => {
    const other = await createTeamWithMembers(node);
    await join(node, other.id, ours.member.id);
    const place = await channel(node, other.id, { members: [ours.member.id] });
    await message(node, other.id, { channel: place, userId: ours.member.id });
    const files = await exported(ours.member.id);
    assert.deepEqual(json(files, 'messages'), []);
    assert.equal(
      [...files.values()].some((content) => String(content).includes(other.id)),
      false,
    );
  });

  test('is recorded with its reason, once while it is being written', async () => {
    const [first, second] = await Promise.all([start(ours.member.id), start(ours.member.id)]);
    const rows = (await auditRows(node, 'users.exported')).filter(({ team_id }) => team_id === ours.id);
    const started = new Set([first.body.id, second.body.id]).size;
    assert.deepEqual(
      rows.map(({ details }) => details),
      Array(started).fill({ reason: REASON }),
    );
    await settled(node);
    assert.equal((await list()).length, started);
  });

  const REFUSED: Record<string, [() => Promise<{ status: number }>, number]> = {
    'a blank reason': [() => start(ours.member.id, ours.owner, { reason: ' \n' }), 400],
    'an invitation': [() => start(ours.pending.id), 409],
    'a help desk user': [() => start(ours.zendesk.id), 403],
    'someone of another team': [async () => start((await user(node)).id), 404],
  };
  for (const [what, [send, status]] of Object.entries(REFUSED))
    test(`is refused for ${what}`, async () => {
      assert.equal((await send()).status, status);
      assert.deepEqual(await list(), []);
    });
});

describe('who reads an export', () => {
  const download = async (url: string, as: SignedInUser) =>
    (await node.app.inject({ method: 'GET', url, headers: { cookie: as.cookie } })).statusCode;

  test('the owner who requested it, as long as they are one', async () => {
    const { id, url } = await finish(ours.member.id);
    const second = await signedIn(node, { team: ours.id, kind: 'owner' });
    assert.equal((await read(ours.member.id, id, second)).status, 404);
    assert.equal(await download(url, second), 404);
    assert.deepEqual(await list(second), []);
    assert.equal(await download(url, ours.admin), 403);
    assert.equal(await download(url, ours.member), 403);
    assert.equal((await read(ours.admin.id, id)).status, 404);
    assert.equal(await download(url, ours.owner), 200);
    await call(node, setOwner, {
      as: second,
      params: { teamId: ours.id, userId: ours.owner.id },
      body: { owner: false },
    });
    assert.equal(await download(url, ours.owner), 403);
  });

  test('is listed with the name of the user, also after they left', async () => {
    const who = await signedIn(node, { team: ours.id, first_name: 'Ada', last_name: 'Lovelace' });
    const { id } = await finish(who.id);
    await call(node, leaveTeam, { as: who, params: { teamId: ours.id } });
    const [row] = await list();
    assert.deepEqual([row.id, row.user_id, row.name, row.state], [id, who.id, 'Ada Lovelace', 'done']);
    assert.ok(row.size > 500 && row.expires_at > row.requested_at);
  });

  test('no one after seven days, and its file is deleted', async () => {
    const { id, url } = await finish(ours.member.id);
    const { parts } = await node.db
      .selectFrom('privacy_exports')
      .select('parts')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(await isKept(node, parts[0] ?? null), true);
    await sql`update privacy_exports set expires_at = now() - interval '1 second' where id = ${id}`.execute(node.db);
    assert.equal(await download(url, ours.owner), 404);
    assert.deepEqual(await list(), []);
    await cleanUp(node);
    assert.equal(await isKept(node, parts[0] ?? null), false);
    assert.equal((await node.db.selectFrom('privacy_exports').select('id').where('id', '=', id).execute()).length, 0);
  });
});

describe('what identity providers know', () => {
  test('is in the export of the team and in the own one, without what is another team’s', async () => {
    const other = await createTeamWithMembers(node);
    const who = await signedIn(node, { team: ours.id });
    await join(node, other.id, who.id);
    for (const { id, owner } of [ours, other]) {
      const connectionId = await connection(node, id, { issuer: `https://${id}.example`, clientId: 'a', secret: 'b' });
      await sql`insert into sso_identities (team_id, person_id, connection_id, issuer, subject, email)
        values (${id}, ${who.id}, ${connectionId}, ${`https://${id}.example`}, 'subject-1', ${who.email})`.execute(
        node.db,
      );
      const idp = await scimToken(node, id, owner.id);
      const body = buildUser(who.email, { externalId: 'x-1', displayName: 'Ada at work' });
      const user = await scim(node, idp, `PUT /Users/${who.id}`, { body });
      assert.equal(user.status, 200, user.text);
      await scim(node, idp, 'POST /Groups', { body: buildGroup('Staff', [user.body.id]) });
    }
    const pick = (files: ReadonlyMap<string, Buffer>, name: string, columns: readonly string[]) =>
      json(files, name).map((row: Record<string, unknown>) => columns.map((column) => row[column]));
    const provisioned = (files: ReadonlyMap<string, Buffer>) =>
      pick(files, 'provisioning', ['team_id', 'external_id', 'display_name', 'groups']);
    const identities = (files: ReadonlyMap<string, Buffer>) => pick(files, 'single_sign_on', ['issuer', 'subject']);
    const byTeam = await exported(who.id);
    assert.deepEqual(provisioned(byTeam), [[ours.id, 'x-1', 'Ada at work', ['Staff']]]);
    assert.deepEqual(identities(byTeam), [[`https://${ours.id}.example`, 'subject-1']]);
    assert.equal((await call(node, exportOwnData, { as: who })).status, 200);
    await settled(node);
    const { url } = (await call(node, getOwnExport, { as: who })).body.export;
    const own = await downloadArchive(node, { url, as: who });
    assert.deepEqual([provisioned(own).length, identities(own).length], [2, 2]);
  });
});

test('warnings about inactivity and the reason of an exception are exported', async () => {
  const who = await user(node, { team: ours.id });
  await inTransaction(node.db, (trx) =>
    saveException(trx, { teamId: ours.id, userId: who.id, addedBy: ours.owner.id, reason: 'Sabbatical', until: null }),
  );
  await inactivityWarning(node, { teamId: ours.id, userId: who.id });
  assert.partialDeepStrictEqual(json(await exported(who.id), 'inactivity'), [
    { team_id: ours.id, warned_again_on: null, excepted_because: 'Sabbatical', excepted_until: null },
  ]);
});

test('users of connected servers who are linked to the account are exported, without an open invitation', async () => {
  const who = await user(node, { team: ours.id });
  const chat = await connectedServer(node, { teamId: ours.id, acceptedBy: ours.owner.id });
  await sendList(chat, { users: [remoteUser({ id: 'ada', name: 'Ada', email: 'ada@chat.test' })] });
  await sql`insert into connected_links (server_id, team_id, user_id, person_id)
    values (${chat.id}, ${ours.id}, 'ada', ${who.id})`.execute(node.db);
  assert.deepEqual(json(await exported(who.id), 'connected_servers'), []);
  await sql`update connected_links set linked_at = now() where server_id = ${chat.id}`.execute(node.db);
  assert.partialDeepStrictEqual(json(await exported(who.id), 'connected_servers'), [
    { team_id: ours.id, server: 'Chat', user_id: 'ada', username: 'ada', name: 'Ada', email: 'ada@chat.test' },
  ]);
});

describe("a person's own export", () => {
  const own = async (as: SignedInUser) => (await call(node, getOwnExport, { as })).body.export;

  test('has all of their teams, former ones included, and is only for them', async () => {
    const other = await createTeamWithMembers(node);
    const who = await signedIn(node, { team: ours.id });
    await join(node, other.id, who.id);
    const place = await channel(node, other.id, { members: [who.id] });
    const written = await message(node, other.id, { channel: place, userId: who.id });
    await call(node, leaveTeam, { as: who, params: { teamId: other.id } });
    assert.equal(await own(who), null);
    await totpFactor(node, who.id);
    const { key } = await passkey(node, who.id, 'http://steward.test');
    assert.equal((await call(node, exportOwnData, { as: who })).status, 200);
    await settled(node);
    const { url, state } = await own(who);
    assert.equal(state, 'done');
    const files = await downloadArchive(node, { url, as: who });
    assert.deepEqual(
      json(files, 'memberships')
        .map((row: { team_id: string; state: string }) => row.state)
        .sort(),
      ['active', 'former'],
    );
    assert.deepEqual(ids(json(files, 'messages')), [written]);
    const factors = json(files, 'second_factors').map(({ kind, name }: { kind: string; name: string }) => [kind, name]);
    assert.deepEqual(factors, [
      ['authenticator app', ''],
      ['passkey', 'A passkey'],
    ]);
    for (const [name, content] of files) assert.ok(!String(content).includes(key.publicKey), name);
    assert.equal(await own(ours.owner), null);
    const foreign = await node.app.inject({ method: 'GET', url, headers: { cookie: ours.owner.cookie } });
    assert.equal(foreign.statusCode, 404);
  });
});
