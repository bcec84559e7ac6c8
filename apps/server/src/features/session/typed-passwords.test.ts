import assert from 'node:assert/strict';
import { hash } from '@node-rs/argon2';
import { changePassword } from '@steward/contract/account';
import { requestEmailChange } from '@steward/contract/account/email';
import { reauthenticate } from '@steward/contract/factors/factors';
import { login, resetPassword, sendPasswordReset } from '@steward/contract/session';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { freshCode, totpFactor } from '#testing/factors/factors.ts';
import { extractMailToken } from '#testing/peers/inbox.ts';
import { signedIn, signIn, type TestUser, team, user } from '#testing/workspace/factories.ts';
import { checkLink, createSignUp, finishLink, invitee } from '#testing/workspace/signup.ts';

/** The same password as one keyboard sends it and as another does. */
const COMPOSED = 'Schöne Grüße 12';
const OTHERS = ['Scho\u0308ne Gru\u0308ße 12', 'Schöne\u00a0Grüße １２', 'Ｓchöne Grüße 12'];
const DECOMPOSED = OTHERS[0] ?? '';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ pool: 6 });
});

afterAll(() => node[Symbol.asyncDispose]());

let networks = 0;
/** From another network each time, because of the limit of concurrent attempts. */
function signInAs({ email }: Pick<TestUser, 'email'>, password: string, token?: string) {
  networks += 1;
  return call(node, login, { body: { login_id: email, password, token }, from: `198.19.0.${networks}` });
}

const findHash = async ({ id }: Pick<TestUser, 'id'>) =>
  (await node.db.selectFrom('people').select('password_hash').where('id', '=', id).executeTakeFirstOrThrow())
    .password_hash;

describe('a password with letters that keyboards send differently', () => {
  const ways: Record<string, () => Promise<Pick<TestUser, 'email'>>> = {
    'that finished a sign-up': async () => {
      const { token, owner_email: email } = await createSignUp(node, { checked: true });
      assert.equal((await finishLink(node, token, { password: DECOMPOSED, password2: COMPOSED })).status, 200);
      return { email };
    },
    'that accepted an invitation': async () => {
      const who = await invitee(node, await team(node));
      await checkLink(node, who.token);
      assert.equal((await finishLink(node, who.token, { password: DECOMPOSED, password2: COMPOSED })).status, 200);
      return who;
    },
    'of a reset': async () => {
      const who = await user(node);
      await call(node, sendPasswordReset, { body: { email: who.email } });
      const token = extractMailToken(await node.inbox.next(who.email));
      assert.equal((await call(node, resetPassword, { body: { token, new_password: DECOMPOSED } })).status, 200);
      return who;
    },
    'that was changed': async () => {
      const who = await signedIn(node, { password: COMPOSED });
      const body = { current_password: DECOMPOSED, new_password: `${DECOMPOSED}!` };
      assert.equal((await call(node, changePassword, { as: who, body })).status, 200);
      const back = { current_password: `${COMPOSED}!`, new_password: DECOMPOSED };
      assert.equal((await call(node, changePassword, { as: who, body: back })).status, 200);
      return who;
    },
  };
  for (const [way, choose] of Object.entries(ways))
    test(`${way} signs in in each of its forms`, async () => {
      const who = await choose();
      for (const typed of [COMPOSED, ...OTHERS]) assert.equal((await signInAs(who, typed)).status, 200, typed);
      assert.equal((await signInAs(who, 'Schone Gruße 12')).status, 401);
    });

  test('confirms a session and a new address in each of its forms', async () => {
    const who = await signedIn(node, { password: COMPOSED });
    for (const password of OTHERS) {
      assert.equal((await call(node, reauthenticate, { as: who, body: { password } })).status, 200, password);
      const body = { email: `${newId()}@example.test`, password };
      assert.equal((await call(node, requestEmailChange, { as: who, body })).status, 200, password);
    }
  });

  test('is common or too short in each of its forms', async () => {
    const who = await signedIn(node);
    const change = async (new_password: string) =>
      (await call(node, changePassword, { as: who, body: { current_password: who.password, new_password } })).body.id;
    assert.equal(await change('ｐａｓｓｗｏｒｄ'), 'password.too_common');
    assert.equal(await change('a\u0308'.repeat(7)), 'request.invalid');
  });
});

describe('a password that was hashed before passwords were normalized', () => {
  /** An account whose password was hashed as it was typed. */
  async function early(): Promise<TestUser> {
    const who = await user(node);
    await node.db
      .updateTable('people')
      .set({ password_hash: await hash(DECOMPOSED) })
      .where('id', '=', who.id)
      .execute();
    return who;
  }

  test('signs in as it was chosen, and from then on in each of its forms', async () => {
    const who = await early();
    assert.equal((await signInAs(who, COMPOSED)).status, 401);
    assert.equal((await signInAs(who, DECOMPOSED)).status, 200);
    const replaced = await findHash(who);
    for (const typed of [COMPOSED, ...OTHERS]) assert.equal((await signInAs(who, typed)).status, 200, typed);
    assert.equal(await findHash(who), replaced, 'it is replaced once');
  });

  test('signs in with a second factor too, and confirms a session', async () => {
    const who = await early();
    const { secret } = await totpFactor(node, who.id);
    assert.equal((await signInAs(who, DECOMPOSED)).body.id, 'mfa.required');
    assert.equal((await signInAs(who, COMPOSED, await freshCode(node, who.id, secret))).status, 200);
    const other = await early();
    const as = await signIn(node, other);
    assert.equal((await call(node, reauthenticate, { as, body: { password: DECOMPOSED } })).status, 200);
    assert.equal((await signInAs(other, COMPOSED)).status, 200);
  });

  test('signs in several times at once', async () => {
    const who = await early();
    const replies = await Promise.all(Array.from({ length: 4 }, () => signInAs(who, DECOMPOSED)));
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    assert.equal((await signInAs(who, COMPOSED)).status, 200);
  });
});
