import assert from 'node:assert/strict';
import { addPost } from '@steward/contract/channels';
import { addContent } from '@steward/contract/content';
import { saveUser } from '@steward/contract/users';
import { removeUser } from '@steward/contract/users/lifecycle';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { removeScimToken } from '#features/scim/tokens.store.ts';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call, type Reply } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { buildUser, scim, scimToken } from '#testing/peers/scim.ts';
import { channel, serviceToken } from '#testing/workspace/content.ts';
import { type SignedInUser, signedIn, team } from '#testing/workspace/factories.ts';
import { removeUserSessions } from '#workspace/access/sessions/sessions.store.ts';
import { removeServiceToken } from '#workspace/access/tokens.store.ts';
import { removeMembership, saveDeactivated, saveRoles } from '#workspace/users/memberships.store.ts';

/** Callers of each test, and changes that each of them makes at the same time. */
const CALLERS = 6;
const AT_ONCE = 4;

let node: TestApp;
let second: TestApp;

beforeAll(async () => {
  node = await startApp({ pool: 10, work: false });
  second = await startApp({ beside: node, pool: 10, work: false });
});

afterAll(async () => {
  await second[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

const anAddress = () => `${newId()}@example.test`;

interface Caller {
  change(on: TestApp): Promise<Reply>;
  revoke(trx: Trx): Promise<unknown>;
  /** The number of their changes. */
  count(trx: Trx): Promise<number>;
}

const invite = (on: TestApp, as: SignedInUser, teamId: string, email = anAddress()) =>
  call(on, saveUser, { as, params: { teamId }, body: { email, account_type: 2 } });

async function countRows(
  trx: Trx,
  table: 'memberships' | 'messages' | 'records' | 'scim_users',
  teamId: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}
    where team_id = ${teamId}`.execute(trx);
  return rows[0]?.count ?? 0;
}

async function admin(revoke: (trx: Trx, of: { teamId: string; userId: string }) => Promise<unknown>): Promise<Caller> {
  const teamId = await team(node);
  const me = await signedIn(node, { team: teamId, kind: 'admin' });
  return {
    change: (on) => invite(on, me, teamId),
    revoke: (trx) => revoke(trx, { teamId, userId: me.id }),
    count: async (trx) => {
      const rows = trx.selectFrom('memberships').where('invited_by', '=', me.id);
      return (await rows.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count;
    },
  };
}

async function service(revoke: (trx: Trx, of: { teamId: string; id: string }) => Promise<unknown>): Promise<Caller> {
  const teamId = await team(node);
  const { id, headers } = await serviceToken(node, teamId);
  return {
    change: (on) =>
      call(on, addContent, {
        params: { teamId },
        headers: { ...headers, 'content-type': 'application/x-ndjson' },
        text: `${JSON.stringify({ kind: 'note', external_id: newId(), created_at: 1 })}\n`,
      }),
    revoke: (trx) => revoke(trx, { teamId, id }),
    count: (trx) => countRows(trx, 'records', teamId),
  };
}

async function provider(): Promise<Caller> {
  const teamId = await team(node);
  const owner = await signedIn(node, { team: teamId, kind: 'owner' });
  const token = await scimToken(node, teamId, owner.id);
  return {
    change: (on) => scim(on, token, 'POST /Users', { body: buildUser(anAddress()) }),
    revoke: (trx) => removeScimToken(trx, teamId, token.id),
    count: (trx) => countRows(trx, 'scim_users', teamId),
  };
}

async function author(revoke: (trx: Trx, of: { teamId: string; userId: string }) => Promise<unknown>): Promise<Caller> {
  const teamId = await team(node);
  const me = await signedIn(node, { team: teamId });
  const { id: channel_id } = await channel(node, teamId, { type: 'P', members: [me.id] });
  return {
    change: (on) => call(on, addPost, { as: me, body: { channel_id, message: 'hello' } }),
    revoke: (trx) => revoke(trx, { teamId, userId: me.id }),
    count: (trx) => countRows(trx, 'messages', teamId),
  };
}

const CASES: Readonly<Record<string, () => Promise<Caller>>> = {
  'an admin who is signed out': () => admin((trx, { userId }) => removeUserSessions(trx, userId)),
  'an admin who is removed': () => admin((trx, { teamId, userId }) => removeMembership(trx, teamId, userId)),
  'an admin who is deactivated': () => admin((trx, of) => saveDeactivated(trx, { ...of, deactivated: true })),
  'an admin who is demoted': () => admin((trx, of) => saveRoles(trx, { ...of, roles: ['team_user'] })),
  'a service whose token is removed': () => service((trx, { teamId, id }) => removeServiceToken(trx, teamId, id)),
  'a service whose token is stopped': () =>
    service((trx, { id }) => sql`update service_tokens set stopped_at = now() where id = ${id}`.execute(trx)),
  'an identity provider whose token is removed': provider,
  'an author who is removed from the team': () =>
    author((trx, { teamId, userId }) => removeMembership(trx, teamId, userId)),
  'an author who is removed from the channel': () =>
    author((trx, { userId }) => trx.deleteFrom('channel_members').where('person_id', '=', userId).execute()),
};

/** Makes changes until one is refused, and calls `made` after each. */
async function changeUntilRefused({ change }: Caller, on: TestApp, made: () => void): Promise<void> {
  for (;;) {
    const { status, text } = await change(on);
    if (status === 401 || status === 403 || status === 404) return;
    assert.ok(status < 300, text);
    made();
  }
}

describe('many changes at once, while the right to them is taken away', () => {
  for (const [name, createCaller] of Object.entries(CASES))
    test(`none is committed after that: ${name}`, async () => {
      const callers = await Promise.all(Array.from({ length: CALLERS }, createCaller));
      await Promise.all(
        callers.map(async (caller) => {
          const begun = Promise.withResolvers<void>();
          const changes = Array.from({ length: AT_ONCE }, (_, nth) =>
            changeUntilRefused(caller, nth % 2 ? node : second, begun.resolve),
          );
          await Promise.race([begun.promise, ...changes]);
          const counted = await inTransaction(node.db, async (trx) => {
            await caller.revoke(trx);
            // Changes that held the right have been committed by now.
            return caller.count(trx);
          });
          await Promise.all(changes);
          assert.ok(counted > 0);
          assert.equal(await inTransaction(node.db, caller.count), counted);
        }),
      );
    });
});

describe('two people who take the right from each other at the same time', () => {
  const PAIRS = 4;

  async function race(act: (me: SignedInUser, them: SignedInUser, teamId: string) => Promise<Reply>) {
    const pairs = Array.from({ length: PAIRS }, async () => {
      const teamId = await team(node);
      const [ann, bob] = [
        await signedIn(node, { team: teamId, kind: 'admin' }),
        await signedIn(node, { team: teamId, kind: 'admin' }),
      ];
      const replies = await Promise.all([act(ann, bob, teamId), act(bob, ann, teamId)]);
      const [made, refused] = replies.map(({ status }) => status).toSorted();
      assert.equal(made, 200);
      assert.ok(refused === 401 || refused === 403, `${refused}`);
    });
    await Promise.all(pairs);
  }

  test('by removal: one of them succeeds', () =>
    race((as, { id }, teamId) => call(node, removeUser, { as, params: { teamId, userId: id } })));

  test('by demotion: one of them succeeds', () => race((as, { email }, teamId) => invite(node, as, teamId, email)));
});
