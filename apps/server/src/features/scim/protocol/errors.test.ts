import assert from 'node:assert/strict';
import { SCIM_BODY_MAX } from '@steward/contract/api/limits';
import { SCIM_BASE } from '@steward/contract/scim';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { type Reply, send as sendRaw } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { buildUser, type ScimSending, scim, scimToken, type TestProvisioner } from '#testing/peers/scim.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { SCIM_BAD_TOKENS } from './authenticate.ts';
import { createMinuteCounter } from './minute-counter.ts';

let node: TestApp;
let team: TestTeam;
let idp: TestProvisioner;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 4 });
  team = await createTeamWithMembers(node);
  idp = await scimToken(node, team.id, team.owner.id);
});

afterAll(() => node[Symbol.asyncDispose]());

const send = (request: string, sending?: ScimSending, by = idp) => scim(node, by, request, sending);

/** All errors have the same format. */
function assertError(reply: Reply, status: number, scimType?: string): void {
  assert.equal(reply.status, status, reply.text);
  assert.match(String(reply.headers['content-type']), /^application\/scim\+json/);
  const { schemas, status: stated, detail } = reply.body;
  assert.deepEqual(schemas, ['urn:ietf:params:scim:api:messages:2.0:Error']);
  assert.equal(stated, String(status));
  assert.equal(reply.body.scimType, scimType);
  assert.ok(detail.length > 0);
}

describe('every error has the form of SCIM', () => {
  test('without a valid token, whatever the path, the body and the session', async () => {
    const url = `${SCIM_BASE}/Users`;
    const { cookie } = team.owner;
    const service = `stw_${'A'.repeat(43)}`;
    for (const authorization of [
      undefined,
      'Bearer x',
      `Bearer stwp_${'A'.repeat(43)}`,
      `Bearer ${service}`,
      `Basic ${idp.token}`,
    ]) {
      const headers = { cookie, ...(authorization && { authorization }) };
      assertError(await sendRaw(node, { method: 'GET', url, headers }), 401);
      assertError(await sendRaw(node, { method: 'POST', url: `${SCIM_BASE}/nothing`, headers }), 401);
    }
    assert.equal(
      (
        await sendRaw(node, {
          method: 'GET',
          url: '/api/v4/users/me',
          headers: { authorization: `Bearer ${idp.token}` },
        })
      ).status,
      401,
    );
  });

  test('for unknown paths, unknown ids and methods that a path does not have', async () => {
    for (const request of ['GET /Devices', 'POST /Users/x/y', 'GET /Users/%00', 'GET /Users/unknown', 'GET /Schemas/x'])
      assertError(await send(request), 404);
    for (const request of ['PUT /Users', 'DELETE /Groups', 'POST /Schemas']) assertError(await send(request), 405);
    assertError(await send('GET /%zz'), 400, 'invalidSyntax');
  });

  test('for bulk operations and Me, which are not supported', async () => {
    assertError(await send('POST /Bulk', { body: {} }), 501);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) assertError(await send(`${method} /Me`), 501);
  });

  test('for bodies of another type, that are no JSON, too large, or hostile', async () => {
    const as = (type: string, text: string) => send('POST /Users', { text, headers: { 'content-type': type } });
    assertError(await as('text/plain', 'x'), 415);
    assertError(await as('application/x-www-form-urlencoded', 'a=b'), 415);
    assertError(await as('application/scim+json', '{'), 400, 'invalidSyntax');
    assertError(await as('application/scim+json', '{"__proto__":{"a":1}}'), 400, 'invalidSyntax');
    const deep = `${'{"shoeSize":'.repeat(65)}1${'}'.repeat(65)}`;
    assertError(await as('application/scim+json', deep), 400, 'invalidSyntax');
    for (const text of ['', '[]', 'null', '"a"', '{}'])
      assertError(await as('application/json', text), 400, 'invalidSyntax');
    assertError(await as('application/json', JSON.stringify({ a: 'x'.repeat(SCIM_BODY_MAX) })), 413);
    assert.equal(
      (await as('application/json; charset=utf-8', JSON.stringify(buildUser(`${newId()}@a.test`)))).status,
      201,
    );
  });

  test('for filters and pages that are not valid', async () => {
    const list = (query: Record<string, string>) => send('GET /Users', { query });
    for (const filter of ['userName', 'active co "t"', 'userName eq 5', 'meta.created gt "x"'])
      assertError(await list({ filter }), 400, 'invalidFilter');
    assertError(await list({ startIndex: 'x' }), 400, 'invalidValue');
    assertError(await list({ count: '1.5' }), 400, 'invalidValue');
  });

  test('from websites, and when the server fails', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    assertError(await send('POST /Users', { body: {}, headers }), 403);
    await using broken = await startApp({ work: false });
    const { id, owner } = await createTeamWithMembers(broken);
    const theirs = await scimToken(broken, id, owner.id);
    await sql`alter table scim_users rename to gone`.execute(broken.db);
    assertError(await scim(broken, theirs, 'GET /Users'), 500);
  });

  test('after too many wrong tokens from an address, which leave valid ones alone', async () => {
    await using limited = await startApp({ work: false, pool: 4, env: { LIMITS: 'on' } });
    const { id, owner } = await createTeamWithMembers(limited);
    const theirs = await scimToken(limited, id, owner.id);
    const wrong = { token: `stwp_${'A'.repeat(43)}` };
    for (let attempt = 0; attempt < SCIM_BAD_TOKENS.attempts; attempt += 1)
      assertError(await scim(limited, wrong, 'GET /Users'), 401);
    const refused = await scim(limited, wrong, 'GET /Users');
    assertError(refused, 429);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    assert.equal((await scim(limited, theirs, 'GET /Users')).status, 200);
  });
});

test('calls are counted by team and minute', () => {
  let now = 0;
  const count = createMinuteCounter(2, () => now);
  assert.deepEqual(['a', 'a', 'b', 'a'].map(count), [0, 0, 0, 60]);
  now = 59_000;
  assert.equal(count('a'), 1);
  now = 60_000;
  assert.equal(count('a'), 0);
});
