import assert from 'node:assert/strict';
import { getPreferences, savePreferences } from '@steward/contract/account/preferences';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { signedIn } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
});

afterAll(() => node[Symbol.asyncDispose]());

const ON = {
  retention: true,
  run_failed: true,
  new_admin: true,
  new_token: true,
  helpdesk: true,
  inactivity: true,
  leaving: false,
  monthly: false,
};
const LOCKED = ['new_device', 'new_owner', 'password', 'email', 'second_factor'];

describe('email preferences', () => {
  test('are on at first, except the weekly list, and each can be switched off and on again', async () => {
    const who = await signedIn(node);
    assert.deepEqual((await call(node, getPreferences, { as: who })).body, { emails: ON, locked: LOCKED });
    const save = (emails: object) => call(node, savePreferences, { as: who, body: { emails } });
    assert.deepEqual((await save({ helpdesk: false })).body.emails, { ...ON, helpdesk: false });
    assert.deepEqual((await save({ retention: false })).body.emails, { ...ON, helpdesk: false, retention: false });
    assert.deepEqual((await save({ helpdesk: true, retention: false })).body.emails, { ...ON, retention: false });
    assert.deepEqual((await call(node, getPreferences, { as: who })).body.emails, { ...ON, retention: false });
    const rows = (await auditRows(node, 'session.preferences_saved')).filter(({ target }) => target === who.id);
    assert.equal(rows.length, 3);
    await save({ retention: false });
    await save({});
    assert.equal(
      (await auditRows(node, 'session.preferences_saved')).filter(({ target }) => target === who.id).length,
      3,
    );
  });

  test('saved at the same time all count', async () => {
    const who = await signedIn(node);
    const kinds = Object.keys(ON);
    await Promise.all(
      kinds.map((kind) => call(node, savePreferences, { as: who, body: { emails: { [kind]: false } } })),
    );
    const { emails } = (await call(node, getPreferences, { as: who })).body;
    assert.deepEqual(
      Object.values(emails),
      kinds.map(() => false),
    );
  });

  test('take no security email, no other word and no other type', async () => {
    const who = await signedIn(node);
    for (const emails of [{ retention: 'no' }, { retention: null }, [], null, 'all'])
      assert.equal((await call(node, savePreferences, { as: who, body: { emails } })).status, 400);
    const reply = await call(node, savePreferences, {
      as: who,
      body: { emails: { password: false, new_owner: false } },
    });
    assert.deepEqual(reply.body, { emails: ON, locked: LOCKED });
  });
});
