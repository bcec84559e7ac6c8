import assert from 'node:assert/strict';
import { join } from 'node:path';
import { findRunningPostmaster } from '@steward/embedded-postgres/processes.ts';
import { temporaryDir } from '@steward/embedded-postgres/testing/temporary-cluster.ts';
import { runWorkspace } from '@steward/server/testing/app/programs.ts';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import type { ProgramResult } from '@steward/server/testing/system/run-program.ts';
import { afterAll, beforeAll, describe, it } from 'vitest';

describe('the operator’s commands on a database by URL', () => {
  let node: TestApp;
  let run: (...args: string[]) => Promise<ProgramResult>;
  beforeAll(async () => {
    node = await startApp();
    const env = {
      DATABASE_URL: node.database.url,
      SECRET_KEY: '5e'.repeat(32),
      PUBLIC_URL: 'https://steward.example',
      FILES_URL: node.deps.env.FILES_URL ?? '',
    };
    run = (...args) => runWorkspace(args, env);
  });
  afterAll(() => node[Symbol.asyncDispose]());

  const toResponse = ({ out, err, code }: ProgramResult): Record<string, unknown> => {
    assert.equal(code, 0, err);
    assert.match(out, /^\{.*\}\n$/, 'one JSON object and nothing else');
    return JSON.parse(out) as Record<string, unknown>;
  };
  const signIn = (email: string, password: unknown) =>
    node.app.inject({ method: 'POST', url: '/api/v4/users/login', payload: { login_id: email, password } });

  it('explain themselves', async () => {
    const all = await run('--help');
    assert.equal(all.code, 0);
    for (const name of ['create-team', 'create-token', 'fill', 'reset-password', 'migrate'])
      assert.match(all.out, new RegExp(name));
    const one = await run('create-team', '--help');
    assert.match(one.out, /--owner-email <email>.*required/);
  });

  it('refuse what they do not understand with one clear line and no output', async () => {
    const wrong: [string[], RegExp][] = [
      [['melt'], /Unknown command melt/],
      [['fill', '--team', 'nonsense', '--users', '5', '--json'], /--team is not an id/],
      [['fill', '--team', 'a'.repeat(26), '--users', '5', '--json'], /No team has the id a+/],
      [
        ['fill', '--team', 'a'.repeat(26), '--json'],
        /Missing option: one of --users, --entries, --channels, --messages, --files, --records/,
      ],
      [['fill', '--team', 'a'.repeat(26), '--entries', '99999999', '--json'], /--entries must be at most 10000000/],
      [['reset-password', '--email', 'nobody@example.com', '--json'], /No account has the email address/],
    ];
    for (const [args, line] of wrong) {
      const { code, out, err } = await run(...args);
      assert.deepEqual([code, out], [1, ''], args.join(' '));
      assert.match(err.split('\n')[0] ?? '', line);
    }
  });

  it('make a team, let its owner in, fill it, and create a service token, shown only once', async () => {
    const email = 'first@example.com';
    const made = toResponse(await run('create-team', '--name', 'First', '--owner-email', email, '--json'));
    assert.deepEqual(Object.keys(made), ['team_id', 'owner_id', 'password']);
    const signedIn = await signIn(email, made.password);
    assert.deepEqual(signedIn.json().roles.sort(), ['team_admin', 'team_owner', 'team_user']);
    const filling = ['fill', '--team', String(made.team_id), '--users', '250', '--seed', '9', '--json'];
    const nothing = { users: 0, entries: 0, channels: 0, messages: 0, files: 0, records: 0 };
    const first = toResponse(await run(...filling, '--entries', '120'));
    const [general] = first.channels as { type: string }[];
    assert.deepEqual(first, {
      ...nothing,
      team_id: made.team_id,
      seed: 9,
      users: 250,
      entries: 120,
      channels: [{ ...general, type: 'O' }],
      added: { ...nothing, users: 250, entries: 120 },
    });
    assert.deepEqual(toResponse(await run(...filling)).added, nothing);
    const { id, token, ...rest } = toResponse(await run('create-token', '--team', String(made.team_id), '--json'));
    assert.deepEqual(rest, {});
    assert.match(String(token), /^stw_[\w-]{43}$/);
    const rows = await node.db.selectFrom('service_tokens').select(['id', 'name']).execute();
    assert.deepEqual(rows, [{ id, name: 'Service' }]);
  });

  it('fill a team with content, and nothing twice', async () => {
    const made = toResponse(await run('create-team', '--name', 'Talk', '--owner-email', 'talk@example.com', '--json'));
    const filling = ['fill', '--team', String(made.team_id), '--json', '--channels', '3', '--messages', '400'];
    const first = toResponse(await run(...filling, '--files', '20', '--records', '30', '--until', '2026-03-01'));
    assert.deepEqual(first.added, { users: 0, entries: 0, channels: 3, messages: 400, files: 20, records: 30 });
    assert.deepEqual((first.channels as { type: string }[]).map(({ type }) => type).sort(), ['D', 'O', 'P']);
    const second = toResponse(await run(...filling, '--files', '20', '--records', '30'));
    assert.deepEqual(Object.values(second.added as object), [0, 0, 0, 0, 0, 0]);
    assert.deepEqual(second.channels, first.channels);
  });

  it('let an address with an account own another team with the password it has', async () => {
    const own = ['create-team', '--owner-email', 'Second@Example.com', '--json', '--name'];
    const first = toResponse(await run(...own, 'A', '--owner-password', 'a long old password'));
    assert.equal(first.password, undefined);
    const second = toResponse(await run(...own, 'B', '--owner-password', 'a long new password'));
    assert.deepEqual([second.owner_id, second.password], [first.owner_id, undefined]);
    assert.equal((await signIn('second@example.com', 'a long old password')).statusCode, 200);
  });

  it('make a link that sets a new password, and mail nothing; set a random password and end what was signed in', async () => {
    const email = 'third@example.com';
    await run('create-team', '--name', 'C', '--owner-email', email);
    const { url } = toResponse(await run('reset-password', '--email', email, '--json'));
    const token = /^https:\/\/steward\.example\/reset_password\?token=([\w-]{43})$/.exec(String(url))?.[1];
    const payload = { token, new_password: 'chosen by the link' };
    const reset = await node.app.inject({ method: 'POST', url: '/api/v4/users/password/reset', payload });
    assert.equal(reset.statusCode, 200, reset.body);
    const old = 'chosen by the link';
    const signedIn = await signIn(email, old);
    assert.equal(signedIn.statusCode, 200);
    const cookies = signedIn.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const { password, sessions } = toResponse(await run('reset-password', '--email', email, '--password', '--json'));
    assert.equal(sessions, 1);
    const me = await node.app.inject({ url: '/api/v4/users/me', headers: { cookie: cookies } });
    assert.equal(me.statusCode, 401);
    assert.equal((await signIn(email, old)).statusCode, 401);
    assert.equal((await signIn(email, password)).statusCode, 200);
  });

  it('report that the database does not respond', async () => {
    const away = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', SECRET_KEY: '5e'.repeat(32) };
    const { code, out, err } = await runWorkspace(['migrate', '--json'], away);
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /^No response from the database at 127\.0\.0\.1:1/);
    assert.equal(err.trim().split('\n').length, 1);
  });
});

it('without a server the commands start the embedded PostgreSQL and stop it again', async () => {
  await using dir = temporaryDir();
  const first = await runWorkspace(['migrate', '--json'], { DATA_DIR: dir.path });
  assert.equal(first.code, 0, first.err);
  assert.match(first.out, /0001-workspace/);
  const second = await runWorkspace(['migrate', '--json'], { DATA_DIR: dir.path });
  assert.equal(second.out, '{"migrated":[]}\n');
  assert.equal(findRunningPostmaster(join(dir.path, 'postgres')), undefined);
});
