import assert from 'node:assert/strict';
import { listStatuses, sendPasswordReset } from '@steward/contract/session';
import { listUsers, revokeSessions, saveUser } from '@steward/contract/users';
import { getInvitation } from '@steward/contract/users/invitations';
import { deactivateUser } from '@steward/contract/users/lifecycle';
import { listSessions, revokeSession } from '@steward/contract/users/sessions';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, type Reply, send, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { createTeamWithMembers, findSessionId, signedIn, type TestTeam } from '#testing/workspace/factories.ts';

let node: TestApp;
let stranger: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 6 });
  stranger = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const as = () => stranger.owner;

const add = (email: string) =>
  call(node, saveUser, {
    as: as(),
    params: { teamId: stranger.id },
    body: { email, first_name: 'X', account_type: 2 },
  });

async function findRow(email: string) {
  const query = { search: email };
  return (await call(node, listUsers, { as: as(), params: { teamId: stranger.id }, query })).body.records[0];
}

/** The responses to an owner about the row, without fields that differ between any two rows. */
async function learn(email: string): Promise<unknown[]> {
  const row = await findRow(email);
  const params = { teamId: stranger.id, userId: row.id };
  const bare = (reply: Reply) =>
    JSON.parse(
      JSON.stringify(toComparable(reply))
        .replaceAll(row.id, 'ID')
        .replaceAll(email, 'EMAIL')
        .replace(/\d{13}/g, '0'),
    );
  const replies = [
    await call(node, getInvitation, { as: as(), params }),
    await call(node, listSessions, { as: as(), params }),
    await call(node, revokeSessions, { as: as(), params }),
    await call(node, deactivateUser, { as: as(), params }),
    await call(node, listStatuses, { as: as(), body: [row.id] }),
    await call(node, sendPasswordReset, { as: as(), body: { email } }),
  ];
  const picture = await send(node, { url: `/api/v4/users/${row.id}/image?_=1`, headers: { cookie: as().cookie } });
  const drawing = picture.text.replace(/hsl\(\d+/, 'hsl(N');
  return [bare({ ...replies[0]!, text: '', body: row }), ...replies.map(bare), picture.status, drawing];
}

describe('a stranger who adds an address', () => {
  test('learns the same whether it has an account or not', async () => {
    const known = await signedIn(node, { first_name: 'Known', last_name: 'Person' });
    const unknown = `${newId()}@example.test`;
    assert.deepEqual(toComparable(await add(known.email)), toComparable(await add(unknown)));
    // The list says whether an invitation was sent.
    await settled(node);
    assert.deepEqual(await learn(known.email), await learn(unknown));
    const row = await findRow(known.email);
    assert.notEqual(row.id, known.id);
    assert.partialDeepStrictEqual(row, {
      first_name: 'X',
      last_name: '',
      type: 1,
      state: 'invited',
      status: 'offline',
    });
  });

  test('can’t see, end or block anything of the account in ten attempts', async () => {
    const victim = await signedIn(node);
    const sessionId = await findSessionId(node, victim);
    const account = () =>
      Promise.all([
        node.db.selectFrom('people').selectAll().where('id', '=', victim.id).execute(),
        node.db.selectFrom('sessions').select(['id', 'created_at']).where('person_id', '=', victim.id).execute(),
        node.db.selectFrom('links').selectAll().where('person_id', '=', victim.id).execute(),
      ]);
    const before = await account();
    await add(victim.email);
    const { id } = await findRow(victim.email);
    for (let nth = 0; nth < 10; nth += 1) {
      const params = { teamId: stranger.id, userId: nth % 2 ? id : victim.id };
      const tries = [
        await call(node, listSessions, { as: as(), params }),
        await call(node, revokeSessions, { as: as(), params }),
        await call(node, revokeSession, { as: as(), params, body: { session_id: sessionId } }),
        await call(node, deactivateUser, { as: as(), params }),
      ];
      for (const { status, text } of tries) assert.ok(status >= 400 && status < 500, text);
      await call(node, sendPasswordReset, { as: as(), body: { email: victim.email } });
    }
    await settled(node);
    assert.deepEqual(await account(), before);
    assert.deepEqual(
      node.inbox.waiting(victim.email).map(({ subject }) => subject.includes('invited you')),
      [true],
      'nothing but the invitation was emailed',
    );
    const named = await node.db
      .selectFrom('audit_events')
      .select('id')
      .where('team_id', '=', stranger.id)
      .where((eb) => eb.or([eb('target', '=', victim.id), eb('actor_id', '=', victim.id)]))
      .execute();
    assert.deepEqual(named, [], 'no row of the audit log names the account');
  });
});
