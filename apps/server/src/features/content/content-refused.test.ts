import assert from 'node:assert/strict';
import { addContent } from '@steward/contract/content';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { call, send } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { serviceToken, type TestService } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';

let node: TestApp;
let team: TestTeam;
let service: TestService;

beforeAll(async () => {
  node = await startApp({ work: false });
  team = await createTeamWithMembers(node);
  service = await serviceToken(node, team.id);
});

afterAll(() => node[Symbol.asyncDispose]());

describe('content is refused', () => {
  const ndjson = { 'content-type': 'application/x-ndjson' };
  const post = (headers: Record<string, string>, text = '') =>
    call(node, addContent, { params: { teamId: team.id }, headers, text });

  test('without a token, with an unknown or malformed one, and with only a session', async () => {
    const unknown = `stw_${'a'.repeat(43)}`;
    const attempts: Record<string, string>[] = [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: `Bearer ${unknown}` },
      { authorization: `Basic ${Buffer.from(`:${service.token}`).toString('base64')}` },
      { authorization: `Bearer ${service.token}x` },
      { authorization: `Bearer ${service.token.slice(4)}` },
      { authorization: `Bearer ${service.token}, Bearer ${service.token}` },
      { cookie: team.owner.cookie },
      { cookie: team.owner.cookie, authorization: `Bearer ${unknown}` },
    ];
    for (const headers of attempts) {
      const reply = await post({ ...ndjson, ...headers });
      assert.deepEqual([reply.status, reply.body.id], [401, 'token.required'], JSON.stringify(headers));
    }
  });

  test('with another content type, or none', async () => {
    const { headers } = service;
    for (const type of ['application/json', 'text/plain', 'application/x-ndjsonx', 'multipart/form-data; boundary=x']) {
      const reply = await post({ ...headers, 'content-type': type }, '{}');
      assert.deepEqual([reply.status, reply.body.id], [415, 'request.not_ndjson']);
    }
    const url = `/api/v4/teams/${team.id}/content`;
    const bare = await send(node, { method: 'POST', url, headers });
    assert.deepEqual([bare.status, bare.body.id], [415, 'request.not_ndjson']);
    assert.equal((await post({ ...headers, 'content-type': 'Application/X-NDJSON; charset=utf-8' })).status, 200);
  });

  test('and other calls refuse the content type', async () => {
    const url = `/api/v4/admin/teams/${team.id}/tokens`;
    const headers = { ...ndjson, cookie: team.admin.cookie };
    const reply = await send(node, { method: 'POST', url, headers, body: '{"name":"x"}\n' });
    assert.deepEqual([reply.status, reply.body.id], [415, 'request.not_json']);
  });
});
