import assert from 'node:assert/strict';
import { endpoints } from '@steward/contract/api/endpoints';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { createActor, createWorld } from '#testing/authorization/actors.ts';
import { BEFORE_ANY_TEAM, buildChangeRequest, getAllowedActor } from '#testing/authorization/audited-changes.ts';
import { DANGEROUS } from '#testing/authorization/dangerous-changes.ts';
import { authenticated } from '#testing/sessions/sessions.ts';
import { type HelpdeskApp, startHelpdeskApp } from '#testing/workspace/helpdesk.ts';
import { snapshotTables, TRACES } from '#testing/workspace/snapshot-tables.ts';

let rig: HelpdeskApp;

beforeAll(async () => {
  rig = await startHelpdeskApp();
});

afterAll(() => rig[Symbol.asyncDispose]());

/** Sends a request that changes something, of someone who proved eleven minutes ago who they are. */
async function changeLate(endpoint: (typeof endpoints)[number]) {
  const { node } = rig;
  const world = await createWorld(node);
  const admin = await createActor(node, world, getAllowedActor(endpoint.name));
  const request = await buildChangeRequest(endpoint.name, world, admin);
  assert.ok(request, `no line of the authorization matrix lets an admin call ${endpoint.name}`);
  await authenticated(node, admin, 11);
  const before = await snapshotTables(node, { except: TRACES });
  const reply = await call(node, endpoint, request);
  return { reply, before, read: () => snapshotTables(node, { except: TRACES }) };
}

describe('a change by someone who proved too long ago who they are', () => {
  const changing = endpoints.filter(({ method, name }) => method !== 'GET' && !BEFORE_ANY_TEAM.has(name));

  for (const endpoint of changing.filter(({ name }) => DANGEROUS.has(name))) {
    test(`is refused and changes nothing: ${endpoint.name}`, async () => {
      const { reply, before, read } = await changeLate(endpoint);
      assert.deepEqual([reply.status, reply.body.id], [403, 'session.reauth_required'], reply.text);
      assert.deepEqual(await read(), before);
    });
  }

  for (const endpoint of changing.filter(({ name }) => !DANGEROUS.has(name))) {
    test(`is made: ${endpoint.name}`, async () => {
      const { reply } = await changeLate(endpoint);
      assert.equal(reply.status, endpoint.success ?? 200, reply.text);
    });
  }

  test('is known of calls that there are', () => {
    const names = new Set(changing.map(({ name }) => name));
    assert.deepEqual(
      [...DANGEROUS].filter((name) => !names.has(name)),
      [],
    );
  });
});
