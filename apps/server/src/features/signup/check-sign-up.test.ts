import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { createTeamWithMembers, signedIn, type TestTeam, user } from '#testing/workspace/factories.ts';
import { checkLink, createSignUp, finishLink, invitee } from '#testing/workspace/signup.ts';
import { snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { addLink } from '#workspace/access/sessions/links.store.ts';
import { removeMembership } from '#workspace/users/memberships.store.ts';

let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 8 });
  team = await createTeamWithMembers(node, 'Acme');
});

afterAll(() => node[Symbol.asyncDispose]());

/** The response for every link that doesn’t work. */
async function refusal() {
  const reply = await checkLink(node, 'A'.repeat(43));
  assert.deepEqual([reply.status, reply.body.id], [400, 'signup.link_invalid']);
  return toComparable(reply);
}

const teamsNamed = (name: string) =>
  node.db.selectFrom('teams').select('id').where('display_name', '=', name).execute();

describe('the check of a sign-up', () => {
  test('asks for name and password without an account, every time it is opened, and records the first time', async () => {
    for (const owner_email of [`${newId()}@example.test`, (await user(node, { team: team.id, pending: true })).email]) {
      const { token, team_name } = await createSignUp(node, { owner_email, invitees: ['a@example.test'] });
      const first = await checkLink(node, token);
      assert.deepEqual(
        [first.status, first.body, first.setCookies],
        [200, { mode: '2', email: owner_email, team_name, invited: false, first: '', last: '' }, []],
      );
      const before = await snapshotTables(node);
      const more = await Promise.all(Array.from({ length: 10 }, () => checkLink(node, token)));
      for (const reply of more) assert.deepEqual(toComparable(reply), toComparable(first));
      assert.deepEqual(
        await snapshotTables(node),
        before,
        'checking again changes nothing, not even the time of the first check',
      );
      assert.deepEqual(await teamsNamed(team_name), []);
    }
  });

  test('creates nothing for an owner with an account, however often it is opened, and by whom', async () => {
    const owner = await signedIn(node, { team: team.id });
    const invitees = [`${newId()}@example.test`, owner.email, team.member.email];
    const { token, team_name } = await createSignUp(node, { owner_email: owner.email, invitees });
    const untouched = await snapshotTables(node, { except: ['signups'] });
    const first = await checkLink(node, token);
    const { sign_in_until, ...rest } = first.body;
    const expected = { mode: '1', email: owner.email, team_name, invited: false, first: '', last: '', invitees: 2 };
    assert.deepEqual([first.status, rest, first.setCookies], [200, expected, []]);
    const hours = (sign_in_until - Date.now()) / 3_600_000;
    assert.ok(hours > 23.9 && hours <= 24.01, `${hours} hours`);
    const before = await snapshotTables(node);
    const more = await Promise.all(
      Array.from({ length: 10 }, (_, nth) => checkLink(node, token, nth % 2 ? { as: owner } : {})),
    );
    for (const reply of more) assert.deepEqual(toComparable(reply), toComparable(first));
    assert.deepEqual(await snapshotTables(node), before, 'opening it again doesn’t extend the day');
    assert.deepEqual(await snapshotTables(node, { except: ['signups'] }), untouched);
    assert.deepEqual(await teamsNamed(team_name), []);
    assert.equal((await finishLink(node, token)).body.id, 'signup.link_invalid');
    await settled(node);
    for (const email of invitees) assert.deepEqual(node.inbox.waiting(email), []);
  });

  test('refuses Zendesk users', async () => {
    const zendesk = await createSignUp(node, { owner_email: team.zendesk.email });
    assert.deepEqual(toComparable(await checkLink(node, zendesk.token)), await refusal());
    assert.deepEqual(toComparable(await finishLink(node, zendesk.token)), await refusal());
    assert.deepEqual(await teamsNamed(zendesk.team_name), []);
  });
});

describe('the check of an invitation', () => {
  test('returns the team, the address and the name entered, every time it is opened', async () => {
    const who = await invitee(node, team.id, { first_name: 'Grace', last_name: 'Hopper' });
    const first = await checkLink(node, who.token);
    assert.deepEqual(first.body, {
      mode: '2',
      email: who.email,
      team_name: 'Acme',
      invited: true,
      first: 'Grace',
      last: 'Hopper',
    });
    const before = await snapshotTables(node);
    const more = await Promise.all(Array.from({ length: 10 }, () => checkLink(node, who.token)));
    for (const reply of more) assert.deepEqual(toComparable(reply), toComparable(first));
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('is refused if the invitation was canceled, or the address belongs to a Zendesk user', async () => {
    const out = await invitee(node, team.id);
    await inTransaction(node.db, (trx) => removeMembership(trx, team.id, out.id));
    const ill = await invitee(node, team.id);
    await user(node, { email: ill.email, kind: 'zendesk' });
    for (const { token } of [out, ill]) assert.deepEqual(toComparable(await checkLink(node, token)), await refusal());
  });
});

describe('an invalid link', () => {
  test('gets the same response, whatever is wrong with it', async () => {
    const [used, over, whole] = [
      await createSignUp(node, { checked: true }),
      await createSignUp(node),
      await createSignUp(node),
    ];
    assert.equal((await finishLink(node, used.token)).status, 200);
    await sql`update signups set expires_at = now() where owner_email = ${over.owner_email}`.execute(node.db);
    const late = await invitee(node, team.id);
    await sql`update links set expires_at = now() where person_id = ${late.id}`.execute(node.db);
    const nowhere = { kind: 'invite', userId: (await user(node, { pending: true })).id, teamId: null } as const;
    const reset = { kind: 'reset', userId: team.member.id, teamId: null } as const;
    const links = await inTransaction(node.db, async (trx) => [await addLink(trx, reset), await addLink(trx, nowhere)]);
    const expected = await refusal();
    const before = await snapshotTables(node);
    for (const token of [used.token, over.token, late.token, ...links, whole.token.slice(0, -1), 'x', ' ', '☂']) {
      assert.deepEqual(toComparable(await checkLink(node, token)), expected, token);
      assert.deepEqual(toComparable(await finishLink(node, token)), expected, token);
    }
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('is refused as malformed if it is a list, an object, a number or missing', async () => {
    for (const token of [['a'], { $regex: '^a' }, 7, true, null, undefined, '', 'x'.repeat(201), 'a\0'])
      for (const call of [checkLink, finishLink])
        assert.equal((await call(node, token)).body.id, 'request.invalid', JSON.stringify(token));
  });
});
