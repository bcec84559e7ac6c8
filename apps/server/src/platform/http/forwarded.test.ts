import assert from 'node:assert/strict';
import { login } from '@steward/contract/session';
import { signUp } from '@steward/contract/signup';
import { listUsers } from '@steward/contract/users';
import { test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { demand } from '#testing/sessions/sessions.ts';
import { createTeamWithMembers } from '#testing/workspace/factories.ts';

const startBehind = (TRUST_PROXY: string) => startApp({ env: { TRUST_PROXY }, work: false });

/** The address of a refused sign-in in the log, or the id of the error. */
async function seenAs(node: TestApp, forwarded: string, from = '10.0.0.1'): Promise<string> {
  const start = node.log.length;
  const body = { login_id: 'unknown@example.test', password: 'a wrong guess' };
  const reply = await call(node, login, { body, from, headers: { 'x-forwarded-for': forwarded } });
  if (reply.body.id !== 'session.bad_credentials') return reply.body.id;
  const line = node.log.slice(start).find((text) => text.includes('"msg":"refused"'));
  return JSON.parse(line ?? '{}').address;
}

test('the address of the client is read from X-Forwarded-For in every form that proxies write', async () => {
  await using byCount = await startBehind('1');
  await using byAddress = await startBehind('10.0.0.0/8,192.0.2.1');
  for (const [forwarded, address] of [
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['"203.0.113.7"', '203.0.113.7'],
    ['"[2001:db8::7]:443"', '2001:db8::7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['unknown, _forged, 203.0.113.7 ', '203.0.113.7'],
  ] as const)
    for (const node of [byCount, byAddress]) assert.equal(await seenAs(node, forwarded), address, forwarded);
  assert.equal(
    await seenAs(byAddress, '203.0.113.7, 192.0.2.1:8080, [::ffff:10.0.0.9]:1'),
    '203.0.113.7',
    'proxies with ports',
  );
  assert.equal(await seenAs(byAddress, '203.0.113.7', '203.0.113.8'), '203.0.113.8', 'not through a proxy');
});

test('what depends on an address that the proxy hides is refused, with one clear line in the log', async () => {
  await using node = await startBehind('1');
  const team = await createTeamWithMembers(node);
  for (const forwarded of ['unknown', '_hidden', '"_SEVKISEK"', '-', 'for=203.0.113.7', '010.0.0.7', '203.0.113.7:x']) {
    const start = node.log.length;
    assert.equal(await seenAs(node, forwarded), 'request.no_address', forwarded);
    const lines = node.log.slice(start).filter((line) => line.includes('X-Forwarded-For names no readable address'));
    assert.equal(lines.length, 1);
    assert.partialDeepStrictEqual(JSON.parse(lines[0] ?? ''), { level: 40, forwarded_for: forwarded });
    const sending = { as: team.owner, params: { teamId: team.id }, headers: { 'x-forwarded-for': forwarded } };
    const reply = await call(node, listUsers, sending);
    assert.deepEqual([reply.status, reply.body.id], [400, 'request.no_address'], forwarded);
  }
});

test('limits and allowed networks see the address without its port', async () => {
  await using node = await startBehind('1');
  const team = await createTeamWithMembers(node);
  await demand(node, team.id, { networks: ['203.0.113.0/24', '2001:db8::/32'] });
  const list = async (forwarded: string) =>
    (
      await call(node, listUsers, {
        as: team.owner,
        params: { teamId: team.id },
        headers: { 'x-forwarded-for': forwarded },
      })
    ).status;
  for (const inside of ['203.0.113.7:51234', '[2001:db8::7]:443', '"203.0.113.9"'])
    assert.equal(await list(inside), 200, inside);
  for (const outside of ['198.51.100.7:51234', '[2001:db9::7]:443']) assert.equal(await list(outside), 403, outside);
  const ids: unknown[] = [];
  for (const port of [1, 2, 3, 4, 5, 6]) {
    const body = { team_name: 'Acme', owner_email: `owner${port}@example.test` };
    const reply = await call(node, signUp, { body, headers: { 'x-forwarded-for': `203.0.113.66:${port}` } });
    ids.push(reply.body.id);
  }
  assert.equal(ids.at(-1), 'rate.limited', 'another port is not another address');
});
