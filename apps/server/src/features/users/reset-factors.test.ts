import assert from 'node:assert/strict';
import { login } from '@steward/contract/session';
import { resetFactors } from '@steward/contract/users/factors';
import { getUser } from '@steward/contract/users/panel';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { call, type Reply } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { passkey, totpFactor } from '#testing/factors/factors.ts';
import {
  createTeamWithMembers,
  join,
  type SignedInUser,
  signedIn,
  type TestTeam,
  team,
  user,
} from '#testing/workspace/factories.ts';
import { isSignedIn } from '#testing/workspace/populated-workspace.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { hasFactor } from '#workspace/access/factors/factors.store.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp();
  ours = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const reset = (userId: string, as: SignedInUser = ours.owner) =>
  call(node, resetFactors, { as, params: { teamId: ours.id, userId } });
const toResult = ({ status, body }: Reply) => [status, body.id ?? ''];

describe('an owner who resets the second factors of a user', () => {
  test('removes all of them, ends the sessions and emails the user', async () => {
    for (const kind of ['member', 'admin', 'owner'] as const) {
      const who = await signedIn(node, { team: ours.id, kind });
      await totpFactor(node, who.id);
      await passkey(node, who.id, 'http://steward.test');
      assert.deepEqual((await reset(who.id)).body, { status_code: 200, revoked: 1 });
      assert.equal(await hasFactor(node.db, who.id), false);
      assert.equal(await isSignedIn(node, who), false);
      const mail = await node.inbox.next(who.email);
      assert.match(mail.subject, /second factors of your Steward account were removed/);
      const body = { login_id: who.email, password: who.password };
      assert.equal((await call(node, login, { body })).status, 200);
      const rows = (await auditRows(node, 'users.factors_reset')).filter(({ target }) => target === who.id);
      const details = { sessions: 1 };
      assert.deepEqual(rows, [{ team_id: ours.id, actor_id: ours.owner.id, target: who.id, details }]);
      assert.deepEqual(toResult(await reset(who.id)), [409, 'users.no_factors']);
    }
  });

  test('is not the user, and resets nothing of those who can’t sign in or are of another team', async () => {
    assert.deepEqual(toResult(await reset(ours.owner.id)), [400, 'users.own_account']);
    for (const [id, error] of [
      [ours.pending.id, [409, 'users.not_accepted']],
      [ours.zendesk.id, [403, 'users.zendesk_has_no_actions']],
      [(await user(node, { team: ours.id, deactivated: true })).id, [409, 'users.deactivated']],
      [(await user(node)).id, [404, 'record.not_found']],
    ] as const)
      assert.deepEqual(toResult(await reset(id)), error);
  });

  test('can’t while the account is in another team, in any role there, also deactivated (case 26)', async () => {
    for (const [kind, deactivated] of [
      ['member', false],
      ['admin', false],
      ['owner', false],
      ['member', true],
    ] as const) {
      const who = await signedIn(node, { team: ours.id });
      await totpFactor(node, who.id);
      const elsewhere = await team(node);
      await join(node, elsewhere, who.id, kind);
      await node.db
        .updateTable('memberships')
        .set({ deactivated, deactivated_at: deactivated ? 1 : null })
        .where('team_id', '=', elsewhere)
        .execute();
      const reply = await reset(who.id);
      assert.deepEqual(toResult(reply), [409, 'users.factor_needed_elsewhere'], kind);
      assert.match(reply.body.message, /recovery code/);
      assert.ok(await hasFactor(node.db, who.id));
      assert.ok(await isSignedIn(node, who));
      await node.db.deleteFrom('memberships').where('team_id', '=', elsewhere).execute();
      assert.equal((await reset(who.id)).status, 200, 'once the account belongs to this team alone');
    }
  });

  test('sees beforehand whether there is one', async () => {
    const who = await signedIn(node, { team: ours.id });
    const look = async () =>
      (await call(node, getUser, { as: ours.admin, params: { teamId: ours.id, userId: who.id } })).body;
    assert.equal((await look()).second_factor, false);
    await totpFactor(node, who.id);
    assert.equal((await look()).second_factor, true);
  });
});
