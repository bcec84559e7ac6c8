import assert from 'node:assert/strict';
import { saveUser } from '@steward/contract/users';
import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { newId } from '@steward/server/src/platform/database/ids.ts';
import { addAuditEvent, JOB_ORIGIN } from '@steward/server/src/workspace/audit/audit.store.ts';
import { listAuditLines } from '@steward/server/src/workspace/audit/audit-lines.store.ts';
import { call } from '@steward/server/testing/app/call.ts';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import { createTeamWithMembers, type TestTeam } from '@steward/server/testing/workspace/factories.ts';
import { afterEach, beforeEach, test } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { streamAuditLog } from './audit.ts';

let node: TestApp;
let ours: TestTeam;
let theirs: TestTeam;

beforeEach(async () => {
  node = await startApp({ work: false, pool: 6 });
  [ours, theirs] = [await createTeamWithMembers(node), await createTeamWithMembers(node)];
  for (const team of [ours, theirs, ours])
    await call(node, saveUser, {
      as: team.owner,
      params: { teamId: team.id },
      body: { email: `${newId()}@example.test`, account_type: 2 },
    });
});

afterEach(() => node[Symbol.asyncDispose]());

const run = (...args: string[]) =>
  runInProcess(['audit', ...args], { DATABASE_URL: node.database.url, SECRET_KEY: '5e'.repeat(32) });
const parse = (out: string) =>
  out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { at: string; id: string; team_id: string; action: string });

test('audit prints the rows of a team or of the server, oldest first, one JSON object a line', async () => {
  const { code, out, err } = await run('--team', ours.id);
  assert.equal(code, 0, err);
  const rows = parse(out);
  assert.deepEqual(
    rows.map(({ team_id, action }) => [team_id, action]),
    Array(2).fill([ours.id, 'users.invited']),
  );
  assert.match(rows[0]?.at ?? '', /^\d{4}-\d{2}-\d{2}T[\d:]+\.\d{6}Z$/);
  const all = parse((await run()).out);
  assert.deepEqual(
    all.map(({ team_id }) => team_id),
    [ours.id, theirs.id, ours.id],
  );
  assert.deepEqual(
    [...all].sort((a, b) => (a.at < b.at ? -1 : 1)),
    all,
  );
});

test('rows are read a page at a time', async () => {
  const page = { team: ours.id, limit: 1 };
  const [first = assert.fail()] = await listAuditLines(node.db, { ...page, after: undefined });
  const [second = assert.fail()] = await listAuditLines(node.db, { ...page, after: first });
  assert.deepEqual(await listAuditLines(node.db, { ...page, after: undefined, limit: 9 }), [first, second]);
  assert.deepEqual(await listAuditLines(node.db, { ...page, after: second }), []);
});

test('audit prints a range of time, and refuses what is none', async () => {
  const [, second] = parse((await run()).out);
  assert.equal(parse((await run('--from', second?.at ?? '')).out).length, 2);
  assert.equal(parse((await run('--to', second?.at ?? '')).out).length, 1);
  assert.equal(parse((await run('--from', '2999-01-01')).out).length, 0);
  for (const args of [
    ['--from', 'yesterday'],
    ['--team', 'x'],
    ['--follow', '--to', '2026-01-01'],
  ])
    assert.equal((await run(...args)).code, 1, args.join(' '));
});

test('audit --follow prints each row once in the order of the chain, and doesn’t skip one whose transaction commits late', async () => {
  const lines: string[] = [];
  const ending = new AbortController();
  let seen = () => {};
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      seen = () => lines.length >= count && resolve();
      seen();
    });
  const from = Date.now();
  const streaming = streamAuditLog(node.db, node.deps.secrets, {
    team: theirs.id,
    from,
    to: undefined,
    follow: true,
    pauseMs: 5,
    signal: ending.signal,
    write: async (line) => {
      lines.push(line);
      seen();
    },
  });
  const event = (target: string) =>
    ({ action: 'users.reactivated', teamId: theirs.id, actorId: null, target }) as const;
  const late = await node.db.startTransaction().execute();
  await addAuditEvent(late as never, node.deps, { ...event('first'), origin: JOB_ORIGIN });
  await inTransaction(node.db, (trx) => addAuditEvent(trx, node.deps, { ...event('second'), origin: JOB_ORIGIN }));
  await until(1);
  await late.commit().execute();
  await until(2);
  await inTransaction(node.db, (trx) => addAuditEvent(trx, node.deps, { ...event('third'), origin: JOB_ORIGIN }));
  await until(3);
  ending.abort();
  assert.equal(await streaming, 3);
  const printed = lines.map((line) => JSON.parse(line) as { target: string; position: number; digest: string });
  assert.deepEqual(
    printed.map(({ target, position }) => [target, position]),
    [
      ['second', 2],
      ['first', 3],
      ['third', 4],
    ],
  );
  for (const { digest } of printed) assert.match(digest, /^[0-9a-f]{64}$/);
});
