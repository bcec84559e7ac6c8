import assert from 'node:assert/strict';
import { resetPassword } from '@steward/contract/session';
import { saveUser } from '@steward/contract/users';
import { saveGrant } from '@steward/server/src/features/channels/compliance.store.ts';
import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { addLink } from '@steward/server/src/workspace/access/sessions/links.store.ts';
import { addNotice } from '@steward/server/src/workspace/notices/notices.store.ts';
import { call } from '@steward/server/testing/app/call.ts';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import { channel, ingest, serviceToken, type TestService } from '@steward/server/testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '@steward/server/testing/workspace/factories.ts';
import { isSignedIn } from '@steward/server/testing/workspace/populated-workspace.ts';
import { auditRows } from '@steward/server/testing/workspace/snapshot-tables.ts';
import { afterEach, beforeEach, test } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';

let node: TestApp;
let team: TestTeam;
let service: TestService;

beforeEach(async () => {
  node = await startApp({ work: false });
  team = await createTeamWithMembers(node);
  const body = { email: 'invited@example.test', account_type: 2 };
  const invited = await call(node, saveUser, { as: team.admin, params: { teamId: team.id }, body });
  assert.equal(invited.status, 200);
  service = await serviceToken(node, team.id);
});

afterEach(() => node[Symbol.asyncDispose]());

const run = (...args: string[]) =>
  runInProcess(['end-sessions', ...args], { DATABASE_URL: node.database.url, SECRET_KEY: '5e'.repeat(32) });
const queued = () => node.db.selectFrom('mails').select('id').where('state', '=', 'waiting').execute();

test('end-sessions signs all users out of a running server, ends emailed links, and leaves queued emails', async () => {
  const link = { kind: 'reset', userId: team.member.id, teamId: null } as const;
  const token = await inTransaction(node.db, (trx) => addLink(trx, link));
  assert.ok(await isSignedIn(node, team.member));

  const { code, out, err } = await run();
  assert.equal(code, 0, err);
  assert.equal(out, '4 sessions, 2 links and 0 sign-ups revoked.\n');
  for (const kind of ['owner', 'admin', 'member'] as const) assert.equal(await isSignedIn(node, team[kind]), false);
  const used = await call(node, resetPassword, { body: { token, new_password: 'another good password' } });
  assert.equal(used.status, 400);
  assert.equal((await queued()).length, 1);
  assert.notEqual((await ingest(node, service, '')).status, 401);

  const [row] = await auditRows(node, 'session.all_ended');
  assert.deepEqual([row?.team_id, row?.actor_id, row?.details], ['', null, { sessions: 4, links: 2, sign_ups: 0 }]);
});

test('of a restored workspace it also drops the queue, tells so, and may be repeated', async () => {
  const open = await channel(node, team.id, { type: 'P', members: [team.member.id] });
  const grant = { teamId: team.id, channelId: open.id, userId: team.admin.id, grantedBy: team.owner.id };
  await inTransaction(node.db, (trx) => saveGrant(trx, { ...grant, reason: 'A case', hours: 1 }));
  await inTransaction(node.db, (trx) =>
    addNotice(trx, team.id, { kind: 'x', sealed: 'x', recipients: [team.owner.id] }),
  );
  const { out } = await run('--restored');
  // Scheduled jobs may have joined the one of the invitation.
  assert.match(
    out,
    /^4 sessions, .*\n1 service tokens ended: create new ones\. Compliance access ended: 1\.\n[1-9]\d* jobs and 1 emails dropped from the queue\.\n$/,
  );
  assert.equal((await queued()).length, 0);
  assert.equal((await node.db.selectFrom('notices').select('id').execute()).length, 0);
  assert.equal((await ingest(node, service, '')).status, 401, 'the token works again');
  const again = await run('--restored', '--json');
  const { jobs: _scheduled, ...ended } = JSON.parse(again.out);
  assert.deepEqual(ended, { sessions: 0, links: 0, sign_ups: 0, tokens: 0, compliance_access: 0, mails: 0 });
});
