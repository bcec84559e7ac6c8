import assert from 'node:assert/strict';
import { login } from '@steward/contract/session';
import { signUp } from '@steward/contract/signup';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, type Reply, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { createTeamWithMembers, PASSWORD, type TestTeam, user } from '#testing/workspace/factories.ts';
import { checkLink, createSignUp, finishLink, invitee, sendSignUp } from '#testing/workspace/signup.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';

let open: TestApp;
let closed: TestApp;
let domains: TestApp;
let team: TestTeam;

beforeAll(async () => {
  open = await startApp({ pool: 4 });
  closed = await startApp({ beside: open, work: false, env: { SIGNUP: 'off' } });
  domains = await startApp({ beside: open, work: false, env: { SIGNUP: 'domains: A.Example ,bücher.example' } });
  team = await createTeamWithMembers(open, 'Acme');
});

afterAll(async () => {
  for (const node of [domains, closed, open]) await node[Symbol.asyncDispose]();
});

const someone = (domain = 'example.test') => `${newId()}@${domain}`;
const refusal = (reply: Reply) => [reply.status, reply.body.id];
const CLOSED = [403, 'signup.closed'];
const FOREIGN = [403, 'signup.domain'];

describe('while sign-up is closed', () => {
  test('a sign-up is refused, whatever the body, without any change or email', async () => {
    await settled(open);
    const before = await snapshotTables(open);
    for (const owner_email of [someone(), team.owner.email, team.pending.email, team.zendesk.email])
      assert.deepEqual(refusal(await sendSignUp(closed, { owner_email })), CLOSED);
    for (const body of [{}, { owner_email: 7 }, []])
      assert.deepEqual(refusal(await call(closed, signUp, { body })), CLOSED);
    assert.deepEqual(await snapshotTables(open), before);
  });

  test('the link of an earlier sign-up creates nothing', async () => {
    const known = await user(open, { team: team.id });
    const links = [await createSignUp(open), await createSignUp(open, { owner_email: known.email })];
    const checked = await createSignUp(open, { checked: true });
    const before = await snapshotTables(open);
    for (const { token } of [...links, checked]) {
      assert.deepEqual(refusal(await checkLink(closed, token)), CLOSED);
      assert.deepEqual(refusal(await finishLink(closed, token)), CLOSED);
    }
    assert.deepEqual(refusal(await checkLink(closed, 'A'.repeat(43))), [400, 'signup.link_invalid']);
    assert.deepEqual(await snapshotTables(open), before);
  });

  test('the link that has created its team already still says so', async () => {
    const known = await user(open, { team: team.id });
    const { token } = await createSignUp(open, { owner_email: known.email, checked: true });
    await call(open, login, { body: { login_id: known.email, password: known.password } });
    assert.equal((await checkLink(closed, token)).body.mode, '1');
  });

  test('an invitation works', async () => {
    const who = await invitee(open, team.id);
    assert.partialDeepStrictEqual((await checkLink(closed, who.token)).body, { mode: '2', team_name: 'Acme' });
    assert.equal((await finishLink(closed, who.token)).status, 200);
    const accepted = await auditRows(open, 'signup.invitation_accepted');
    assert.equal(accepted.filter(({ details }) => details.invitation_id === who.id).length, 1);
  });
});

describe('with a list of domains', () => {
  test('an address of one of them signs up, and may invite others', async () => {
    for (const owner_email of [someone('a.example'), someone('A.EXAMPLE'), someone('xn--bcher-kva.example')]) {
      const [guest] = [someone()];
      assert.equal((await sendSignUp(domains, { owner_email, invitees: [guest] })).status, 200, owner_email);
      assert.ok(await open.inbox.next(owner_email.toLowerCase()));
    }
  });

  test('another address is refused alike with and without an account, without any change', async () => {
    await settled(open);
    const before = await snapshotTables(open);
    const foreign = ['example.test', 'sub.a.example', 'eva.example', 'a.example.test', 'xn--a.example'].map(someone);
    const replies = [];
    for (const owner_email of [...foreign, team.owner.email, team.pending.email, 'a.example@b.example'])
      replies.push(await sendSignUp(domains, { owner_email }));
    for (const reply of replies) {
      assert.deepEqual(refusal(reply), FOREIGN);
      assert.deepEqual(toComparable(reply), toComparable(replies[0]!));
    }
    assert.deepEqual(await snapshotTables(open), before);
  });

  test('an address with an account gets the same answer as one without', async () => {
    const known = await user(open, { email: someone('a.example'), team: team.id });
    const replies = [];
    for (const owner_email of [someone('a.example'), known.email])
      replies.push(await sendSignUp(domains, { owner_email }));
    assert.deepEqual(toComparable(replies[0]!), toComparable(replies[1]!));
    assert.equal(replies[0]?.status, 200);
  });

  test('the link of an earlier sign-up works for its domains only', async () => {
    const foreign = await createSignUp(open, { checked: true });
    assert.deepEqual(refusal(await finishLink(domains, foreign.token)), FOREIGN);
    const own = await createSignUp(open, { owner_email: someone('a.example'), checked: true });
    assert.equal((await finishLink(domains, own.token, { password: PASSWORD })).status, 200);
  });

  test('an invitation of a foreign address works', async () => {
    const who = await invitee(open, team.id);
    assert.equal((await checkLink(domains, who.token)).status, 200);
    assert.equal((await finishLink(domains, who.token)).status, 200);
  });
});
