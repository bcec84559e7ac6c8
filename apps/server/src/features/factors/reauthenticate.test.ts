import assert from 'node:assert/strict';
import { reauthenticate } from '@steward/contract/factors/factors';
import { runRetention } from '@steward/contract/retention';
import { getPasskeyOptions } from '@steward/contract/session/passkey';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { call, type Reply } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { createAuthenticator } from '#testing/factors/authenticator.ts';
import { freshCode, toCode, totpFactor } from '#testing/factors/factors.ts';
import { countAttempts } from '#testing/faults/count-attempts.ts';
import { authenticated } from '#testing/sessions/sessions.ts';
import { createTeamWithMembers, type SignedInUser, signedIn, type TestTeam } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false });
  ours = await createTeamWithMembers(node);
});

beforeEach(async () => {
  await sql`delete from throttles`.execute(node.db);
});

afterAll(() => node[Symbol.asyncDispose]());

const toResult = ({ status, body }: Reply) => [status, body.id ?? ''];
const confirm = (as: SignedInUser, body: unknown) => call(node, reauthenticate, { as, body });
const runNow = async (as: SignedInUser) =>
  toResult(await call(node, runRetention, { as, params: { teamId: ours.id }, body: {} }));

describe('confirming who holds a session', () => {
  test('lets dangerous changes through for ten minutes', async () => {
    const owner = await signedIn(node, { team: ours.id, kind: 'owner' });
    await authenticated(node, owner, 11);
    assert.deepEqual(await runNow(owner), [403, 'session.reauth_required']);
    assert.deepEqual((await confirm(owner, { password: owner.password })).body, { status_code: 200 });
    assert.notEqual((await runNow(owner))[1], 'session.reauth_required');
    await authenticated(node, owner, 11);
    assert.deepEqual(await runNow(owner), [403, 'session.reauth_required']);
    const rows = (await auditRows(node, 'session.reauthenticated')).filter(({ target }) => target === owner.id);
    assert.deepEqual(rows, [
      { team_id: '', actor_id: owner.id, target: owner.id, details: { reauth_method: 'password' } },
    ]);
  });

  test('counts for this session alone, and starts its idle time anew', async () => {
    const owner = await signedIn(node, { team: ours.id, kind: 'owner' });
    const times = () =>
      sql<{ age: number; idle: number }>`select extract(epoch from now() - auth_at)::int as age,
        longest_idle_seconds as idle from sessions where person_id = ${owner.id} order by id`.execute(node.db);
    await authenticated(node, owner, 11);
    await sql`update sessions set longest_idle_seconds = 900 where person_id = ${owner.id}`.execute(node.db);
    await sql`insert into sessions (id, person_id, token_hash, auth_at)
      values (${'z'.repeat(26)}, ${owner.id}, 'x', now() - interval '11 minutes')`.execute(node.db);
    await confirm(owner, { password: owner.password });
    const [mine, other] = (await times()).rows;
    assert.ok((mine?.age ?? 999) < 60 && mine?.idle === 0);
    assert.ok((other?.age ?? 0) >= 660);
  });

  test('needs the code too where there is a second factor; wrong codes are limited as at sign-in', async () => {
    const owner = await signedIn(node, { team: ours.id, kind: 'owner' });
    const { secret, recoveryCodes } = await totpFactor(node, owner.id);
    await authenticated(node, owner, 11);
    const { password } = owner;
    assert.deepEqual(toResult(await confirm(owner, { password })), [401, 'mfa.required']);
    await countAttempts(node, { name: 'mfa.codes' }, owner.id, 3);
    for (let i = 0; i < 2; i += 1)
      assert.deepEqual(toResult(await confirm(owner, { password, token: '000000' })), [401, 'mfa.wrong']);
    const right = { password, token: await freshCode(node, owner.id, secret) };
    assert.deepEqual(toResult(await confirm(owner, right)), [429, 'mfa.throttled']);
    assert.deepEqual(await runNow(owner), [403, 'session.reauth_required']);
    await sql`delete from throttles`.execute(node.db);
    assert.equal((await confirm(owner, right)).status, 200);
    assert.deepEqual(toResult(await confirm(owner, right)), [401, 'mfa.wrong'], 'a code works once');
    assert.equal((await confirm(owner, { password, token: recoveryCodes[0] })).status, 200);
    const methods = (await auditRows(node, 'session.reauthenticated')).filter(({ target }) => target === owner.id);
    assert.deepEqual(
      methods.map(({ details }) => details),
      [{ reauth_method: 'factor' }, { reauth_method: 'factor' }],
    );
  });

  test('that fails is in the audit log, up to the limits', async () => {
    const owner = await signedIn(node, { team: ours.id, kind: 'owner' });
    await totpFactor(node, owner.id);
    await confirm(owner, { password: 'wrong' });
    await confirm(owner, { password: owner.password });
    await countAttempts(node, { name: 'mfa.codes' }, owner.id, 3);
    for (let i = 0; i < 4; i += 1) await confirm(owner, { password: owner.password, token: '000000' });
    const stranger = createAuthenticator({ origin: 'http://steward.test' });
    const { options } = (await call(node, getPasskeyOptions, { as: owner })).body;
    assert.equal((await confirm(owner, { response: stranger.use(options) })).status, 401);
    const rows = (await auditRows(node, 'session.reauthentication_failed')).filter(({ target }) => target === owner.id);
    assert.deepEqual(
      rows.map(({ team_id, actor_id, details }) => [team_id, actor_id, details.reason]),
      ['bad_password', 'second_factor', 'second_factor', 'passkey'].map((reason) => ['', owner.id, reason]),
    );
  });

  test('refuses a wrong password, ten times in ten minutes, and leaves the session as it is', async () => {
    const owner = await signedIn(node, { team: ours.id, kind: 'owner' });
    await authenticated(node, owner, 11);
    await countAttempts(node, { name: 'session.login' }, owner.email, 8);
    for (let i = 0; i < 2; i += 1)
      assert.deepEqual(toResult(await confirm(owner, { password: 'wrong' })), [400, 'password.wrong']);
    assert.deepEqual(toResult(await confirm(owner, { password: owner.password })), [429, 'rate.limited']);
    assert.deepEqual(await runNow(owner), [403, 'session.reauth_required']);
  });

  test('refuses what is not one proof', async () => {
    const owner = await signedIn(node, { team: ours.id, kind: 'owner' });
    for (const body of [
      {},
      null,
      [],
      { password: '' },
      { password: ['a'] },
      { token: toCode('A'.repeat(32)) },
      { response: {} },
    ])
      assert.deepEqual(toResult(await confirm(owner, body)), [400, 'request.invalid'], JSON.stringify(body));
  });
});
