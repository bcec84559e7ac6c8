import assert from 'node:assert/strict';
import { listAuditEvents } from '@steward/contract/audit';
import { login } from '@steward/contract/session';
import { listUsers, saveUser } from '@steward/contract/users';
import { deactivateUser, removeUser } from '@steward/contract/users/lifecycle';
import { saveUsers } from '@steward/contract/users/multi';
import { eraseUser, exportUser, listFormerUsers } from '@steward/contract/users/privacy';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import type { Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call, type Reply } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { searchTables } from '#testing/database/dump-database.ts';
import { passkey, totpFactor } from '#testing/factors/factors.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { channel, file, isKept, message, record } from '#testing/workspace/content.ts';
import {
  createTeamWithMembers,
  invite,
  join,
  type SignedInUser,
  signedIn,
  signIn,
  type TestTeam,
} from '#testing/workspace/factories.ts';
import { legalHold } from '#testing/workspace/holds.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { countFactors } from '#workspace/access/factors/factors.store.ts';
import { createResumeErasuresWorker, eraseInTurns } from './erase.job.ts';
import { findErasure } from './erasures.store.ts';

let node: TestApp;
let ours: TestTeam;
let ada: SignedInUser;

beforeAll(async () => {
  node = await startApp({ pool: 4 });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  ours = await createTeamWithMembers(node);
  ada = await signedIn(node, { team: ours.id, first_name: 'Ada', last_name: `Lovelace${newId()}` });
});

const nameOf = async (who: { id: string }) =>
  (await node.db.selectFrom('people').select('last_name').where('id', '=', who.id).executeTakeFirstOrThrow()).last_name;
const send = (
  who: { id: string; email: string },
  as = ours.owner,
  body: unknown = { confirm: who.email },
): Promise<Reply> => call(node, eraseUser, { as, params: { teamId: ours.id, userId: who.id }, body });
const end = (endpoint: typeof deactivateUser | typeof removeUser, who: { id: string }) =>
  call(node, endpoint, { as: ours.owner, params: { teamId: ours.id, userId: who.id } });

/** Erases a user without access, and waits for the job. */
async function erase(who: { id: string; email: string }): Promise<Reply['body']> {
  const { status, body } = await send(who);
  assert.equal(status, 200, JSON.stringify(body));
  await settled(node);
  return (await send(who)).body;
}

/** Stores the address and the name in every place that the product has. */
async function leaveTraces(who: SignedInUser): Promise<string | null> {
  const lastName = await nameOf(who);
  const place = await channel(node, ours.id, { members: [who.id] });
  await message(node, ours.id, { channel: place, userId: who.id, text: `Write to ${who.email.toUpperCase()}.` });
  const content = await file(node, ours.id, { userId: who.id, name: `${who.email}.txt`, data: 'x' });
  await record(node, ours.id, { kind: 'note', userId: who.id, title: `Call ${who.email}`, text: who.email });
  const body = { email: who.email, account_type: 2, first_name: 'Ada', last_name: lastName };
  const sent = { as: ours.admin, params: { teamId: ours.id }, body, headers: { 'idempotency-key': newId() } };
  await call(node, saveUser, sent);
  await call(node, login, { body: { login_id: who.email, password: who.password } });
  await call(node, login, { body: { login_id: who.email, password: 'a wrong one' } });
  await sql`insert into directory_entries (team_id, id, name, email, phone_number)
    values (${ours.id}, ${newId()}, ${`Ada ${lastName}`}, ${who.email}, '+1 555 0100')`.execute(node.db);
  await sql`insert into signups (token_hash, owner_email, team_name, invitees, expires_at, team_id)
    values (${newId()}, ${ours.owner.email}, 'T', ${[who.email]}, now() + interval '1 day', ${ours.id})`.execute(
    node.db,
  );
  await sql`insert into audit_events (team_id, id, actor_id, action, target, details, address, request_id)
    values (${ours.id}, ${newId()}, ${ours.admin.id}, 'users.edited', ${who.id},
      ${JSON.stringify({ before: { first_name: 'Ada', last_name: lastName }, after: { first_name: 'Ada', last_name: lastName } })}, '192.0.2.1', '')`.execute(
    node.db,
  );
  await sql`insert into mails (id, team_id, person_id, kind, recipient) values (${newId()}, ${ours.id}, null, 'users.invitation', ${who.email})`.execute(
    node.db,
  );
  await sql`insert into scim_users (team_id, id, person_id, user_name, addresses)
    values (${ours.id}, ${newId()}, ${who.id}, ${who.email}, ${[who.email]}),
      (${ours.id}, ${newId()}, null, ${`${who.email}.old`}, ${[who.email]})`.execute(node.db);
  await sql`insert into scim_log (team_id, id, method, path, request, status, effect, request_id)
    values (${ours.id}, ${newId()}, 'POST', '/', ${`{"name":"Ada ${lastName}"}`}, 201, '', ''),
      (${ours.id}, ${newId()}, 'PUT', '/', '', 200, ${`Changed ${who.email.toUpperCase()}`}, '')`.execute(node.db);
  await call(node, exportUser, {
    as: ours.owner,
    params: { teamId: ours.id, userId: who.id },
    body: { reason: `Asked by ${who.email}` },
  });
  await settled(node);
  return content.blob;
}

describe('erasing a user', () => {
  test('leaves their address and name in no table, and their content under a pseudonym', async () => {
    const lastName = await nameOf(ada);
    const blob = await leaveTraces(ada);
    await totpFactor(node, ada.id);
    await passkey(node, ada.id, 'http://steward.test');
    await end(deactivateUser, ada);
    assert.notDeepEqual(await searchTables(node, ada.email), []);
    const body = await erase(ada);
    assert.match(body.name, /^Deleted user [0-9A-F]{4}$/);
    assert.deepEqual({ ...body, name: '' }, { status_code: 200, state: 'done', name: '', account: 'deleted' });
    assert.deepEqual(await searchTables(node, ada.email), []);
    assert.deepEqual(await searchTables(node, lastName), []);
    const [written] = await sql<{
      text: string;
      size: number;
      user_id: string;
    }>`select text, size, user_id from messages
      where team_id = ${ours.id}`
      .execute(node.db)
      .then(({ rows }) => rows);
    assert.deepEqual(written, {
      text: `Write to ${body.name}.`,
      size: Buffer.byteLength(`Write to ${body.name}.`),
      user_id: ada.id,
    });
    assert.deepEqual(await countFactors(node.db, ada.id), { totp: false, passkeys: 0, recovery_codes_left: 0 });
    assert.equal(await isKept(node, blob), true);
    assert.equal((await call(node, login, { body: { login_id: ada.email, password: ada.password } })).status, 401);
  });

  test('keeps every audit row with its id, time, actor, action and target, and shows the pseudonym', async () => {
    await leaveTraces(ada);
    await end(deactivateUser, ada);
    const lasting = async () =>
      (
        await sql`select team_id, id, at, actor_id, action, target from audit_events where action <> 'users.erased' order by id`.execute(
          node.db,
        )
      ).rows;
    const before = await lasting();
    const { name } = await erase(ada);
    assert.deepEqual(await lasting(), before);
    const query = { target: ada.id };
    const { records } = (await call(node, listAuditEvents, { as: ours.owner, params: { teamId: ours.id }, query }))
      .body;
    assert.ok(records.length >= 3);
    assert.ok(
      records.some((row: { target_name: string }) => row.target_name === name),
      JSON.stringify(records[0]),
    );
  });

  test('no other statement can change an audit row, not even through the function that erases', async () => {
    const change = (statement: string) => sql.raw(statement).execute(node.db);
    await assert.rejects(change(`update audit_events set details = '{}'`), { code: '42501' });
    await assert.rejects(change('delete from audit_events'), { code: '42501' });
  });

  test('a former user is erased as the team knew them, and no longer listed', async () => {
    await end(removeUser, ada);
    const list = async () =>
      (await call(node, listFormerUsers, { as: ours.owner, params: { teamId: ours.id } })).body.records;
    const [former] = await list();
    assert.deepEqual([former.id, former.email], [ada.id, ada.email]);
    assert.equal((await erase(ada)).state, 'done');
    assert.deepEqual(await list(), []);
    assert.deepEqual(await searchTables(node, ada.email), []);
  });

  test('an invitation of the same address goes with it', async () => {
    await end(removeUser, ada);
    await invite(node, { teamId: ours.id, email: ada.email });
    await erase(ada);
    assert.deepEqual(await searchTables(node, ada.email), []);
  });

  for (const state of ['active', 'deactivated', 'invited'] as const)
    test(`an account that is ${state} in another team is kept, and that team sees no change`, async () => {
      const other = await createTeamWithMembers(node);
      if (state === 'invited') await invite(node, { teamId: other.id, email: ada.email });
      else await join(node, other.id, ada.id);
      if (state === 'deactivated')
        await call(node, deactivateUser, { as: other.owner, params: { teamId: other.id, userId: ada.id } });
      await end(deactivateUser, ada);
      const query = { deactivated_accounts: '1' };
      const seen = async () =>
        (await call(node, listUsers, { as: other.owner, params: { teamId: other.id }, query })).body;
      const before = await seen();
      const body = await erase(ada);
      assert.equal(body.account, 'kept');
      assert.deepEqual(await seen(), before);
      const found = await searchTables(node, ada.email);
      assert.equal(
        found.some((row) => row.includes(ours.id)),
        false,
        found.join('\n'),
      );
      if (state === 'active')
        assert.equal((await call(node, login, { body: { login_id: ada.email, password: ada.password } })).status, 200);
    });

  test('a longer address that contains theirs stays', async () => {
    const place = await channel(node, ours.id);
    const text = `x.${ada.email}, ${ada.email}.example, <${ada.email}>`;
    const id = await message(node, ours.id, { channel: place, text });
    await end(deactivateUser, ada);
    const { name } = await erase(ada);
    const row = await node.db.selectFrom('messages').select('text').where('id', '=', id).executeTakeFirstOrThrow();
    assert.equal(row.text, `x.${ada.email}, ${ada.email}.example, <${name}>`);
  });

  test('leaves what a legal hold keeps of others as it is', async () => {
    const place = await channel(node, ours.id);
    const text = `Ask ${ada.email}`;
    const of = (userId: string) => ({
      message: message(node, ours.id, { channel: place, userId, text }),
      file: file(node, ours.id, { userId, name: text }).then(({ id }) => id),
      record: record(node, ours.id, { userId, kind: 'note', title: text }).then(({ id }) => id),
    });
    const held = await Promise.all(Object.values(of(ours.member.id)));
    await Promise.all(Object.values(of(ours.admin.id)));
    await legalHold(node, { teamId: ours.id, user_ids: [ours.member.id] });
    await end(deactivateUser, ada);
    await erase(ada);
    const { rows } = await sql<{ id: string }>`select id from (
        select id, text as words from messages where team_id = ${ours.id} union all
        select id, name from files where team_id = ${ours.id} union all
        select id, title from records where team_id = ${ours.id}) items
      where strpos(words, ${ada.email}) > 0`.execute(node.db);
    assert.deepEqual(rows.map(({ id }) => id).sort(), held.sort());
  });

  test('an address with characters of a pattern is only itself', async () => {
    const odd = await signedIn(node, { team: ours.id, email: `a.b+c${newId()}@example.test` });
    const place = await channel(node, ours.id);
    const text = odd.email.replace('.', 'x');
    const id = await message(node, ours.id, { channel: place, text });
    await end(deactivateUser, odd);
    await erase(odd);
    const row = await node.db.selectFrom('messages').select('text').where('id', '=', id).executeTakeFirstOrThrow();
    assert.equal(row.text, text);
  });

  test('a stored response of a repeatable call no longer names them', async () => {
    const rows = [1, 2].map(() => ({ email: ada.email, first_name: 'Ada', last_name: 'L', account_type: 2 }));
    const headers = { 'idempotency-key': newId() };
    const repeat = () => call(node, saveUsers, { as: ours.admin, params: { teamId: ours.id }, body: rows, headers });
    const first = await repeat();
    assert.ok(first.text.includes(ada.email), first.text);
    await end(deactivateUser, ada);
    const { name } = await erase(ada);
    const second = await repeat();
    assert.deepEqual(second.text, first.text.replaceAll(ada.email, name));
  });

  test('is one audit row, and repeated it answers the same', async () => {
    await end(deactivateUser, ada);
    const [first, second] = await Promise.all([send(ada), send(ada)]);
    assert.deepEqual([first.status, second.status], [200, 200]);
    assert.equal(first.body.name, second.body.name);
    const rows = (await auditRows(node, 'users.erased')).filter(({ target }) => target === ada.id);
    assert.deepEqual(rows, [
      { team_id: ours.id, actor_id: ours.owner.id, target: ada.id, details: { account: 'deleted' } },
    ]);
    await settled(node);
  });

  const REFUSED: Record<string, [() => Promise<Reply>, number, string]> = {
    'another address': [() => send(ada, ours.owner, { confirm: ours.member.email }), 400, 'users.wrong_confirmation'],
    'no address': [() => send(ada, ours.owner, {}), 400, 'request.invalid'],
    oneself: [() => send(ours.owner), 400, 'users.own_account'],
    'an invitation': [() => send(ours.pending), 409, 'users.not_accepted'],
    'a help desk user': [() => send(ours.zendesk), 403, 'users.zendesk_has_no_actions'],
    'someone of another team': [async () => send((await createTeamWithMembers(node)).member), 404, 'record.not_found'],
  };
  for (const [what, [refused, status, id]] of Object.entries(REFUSED))
    test(`is refused for ${what}, and nothing changes`, async () => {
      await end(deactivateUser, ada);
      await settled(node);
      const ofTheirs = ['teams', 'people', 'memberships', 'channels', 'sessions', 'member_counts'];
      const except = ['throttles', 'presence', ...(what === 'someone of another team' ? ofTheirs : [])];
      const before = await snapshotTables(node, { except });
      const reply = await refused();
      assert.deepEqual([reply.status, reply.body.id], [status, id], reply.text);
      assert.deepEqual(await snapshotTables(node, { except }), before);
    });
});

describe('the job that searches for the address', () => {
  let idle: TestApp;

  beforeAll(async () => {
    idle = await startApp({ pool: 4, work: false });
  });

  afterAll(() => idle[Symbol.asyncDispose]());

  test('looks at every page, also one at a time, and forgets at the end what it searched for', async () => {
    const team = await createTeamWithMembers(idle);
    const who = await signedIn(idle, { team: team.id });
    const place = await channel(idle, team.id);
    await sql`insert into messages (team_id, id, channel_id, channel_type, user_id, text, size, create_at, update_at)
      select ${team.id}, lpad(n::text, 26, '0'), ${place.id}, 'O', '', ${`To ${who.email}`}, 1, n, n
      from generate_series(1, 2500) n`.execute(idle.db);
    const params = { teamId: team.id, userId: who.id };
    await call(idle, deactivateUser, { as: team.owner, params });
    const { body } = await call(idle, eraseUser, { as: team.owner, params, body: { confirm: who.email } });
    assert.equal(body.state, 'running');
    const key = { teamId: team.id, userId: who.id };
    let turns = 0;
    while ((await findErasure(idle.db, key))?.is_done === false) {
      await eraseInTurns(idle.deps, key, 0);
      turns += 1;
    }
    assert.ok(turns > 5, String(turns));
    assert.equal((await findErasure(idle.db, key))?.sealed, null);
    assert.deepEqual(await searchTables(idle, who.email), []);
  });

  test('is sent again when it has stood still for five minutes', async () => {
    const team = await createTeamWithMembers(idle);
    const who = await signedIn(idle, { team: team.id });
    const params = { teamId: team.id, userId: who.id };
    await call(idle, deactivateUser, { as: team.owner, params });
    await call(idle, eraseUser, { as: team.owner, params, body: { confirm: who.email } });
    const sent: unknown[] = [];
    const sendMany = async (_trx: Trx, _job: unknown, payloads: readonly unknown[]) => void sent.push(...payloads);
    const jobs = { ...idle.deps.jobs, sendMany };
    const resume = () => createResumeErasuresWorker({ ...idle.deps, jobs }).handle({}, { isLast: false } as never);
    await resume();
    assert.deepEqual(sent, []);
    await sql`update erasures set touched_at = now() - interval '6 minutes'`.execute(idle.db);
    await resume();
    assert.deepEqual(sent, [{ team_id: team.id, person_id: who.id }]);
  });

  test('does nothing when it runs again', async () => {
    await end(deactivateUser, ada);
    await erase(ada);
    const key = { teamId: ours.id, userId: ada.id };
    const before = await findErasure(node.db, key);
    await eraseInTurns(node.deps, key);
    assert.deepEqual(await findErasure(node.db, key), before);
    assert.equal(before?.sealed, null);
  });
});

describe('someone who comes back after being erased', () => {
  test('with a kept account has their name again', async () => {
    const other = await createTeamWithMembers(node);
    await join(node, other.id, ada.id);
    await end(deactivateUser, ada);
    await erase(ada);
    await join(node, ours.id, ada.id);
    const again = await signIn(node, ada);
    assert.ok(again.token);
    const { records } = (await call(node, listUsers, { as: ours.owner, params: { teamId: ours.id } })).body;
    assert.ok(records.some((row: { id: string; email: string }) => row.id === ada.id && row.email === ada.email));
  });

  test('is erased again with everything that was added since', async () => {
    const other = await createTeamWithMembers(node);
    await join(node, other.id, ada.id);
    await end(deactivateUser, ada);
    const { name: first } = await erase(ada);
    await join(node, ours.id, ada.id);
    const written = await message(node, ours.id, {
      channel: await channel(node, ours.id, { members: [ada.id] }),
      userId: ada.id,
      text: `Write to ${ada.email}.`,
    });
    const mailId = newId();
    await sql`insert into mails (id, team_id, person_id, kind, recipient)
      values (${mailId}, ${ours.id}, null, 'users.invitation', ${ada.email})`.execute(node.db);
    await end(deactivateUser, ada);
    const { state, name } = await erase(ada);
    assert.equal(state, 'done');
    const { rows } = await sql<{ text: string }>`select text from messages where id = ${written}`.execute(node.db);
    assert.deepEqual(rows, [{ text: `Write to ${name}.` }]);
    assert.deepEqual(await node.db.selectFrom('mails').where('id', '=', mailId).select('id').execute(), []);
    assert.match(first, /^Deleted user/);
  });
});
