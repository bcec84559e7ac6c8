import assert from 'node:assert/strict';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startApp, type TestApp } from '#testing/app/start-app.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ listen: true, work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

/** Sends any method, as no client library would. */
function send(
  method: string,
  path: string,
): Promise<{ status: number | undefined; allow: string | undefined; id: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${node.url}${path}`, { method }, async (response) => {
      const { id } = (await json(response)) as { id: string };
      resolve({ status: response.statusCode, allow: response.headers.allow, id });
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('a method that a path of the API does not have', () => {
  for (const method of ['PATCH', 'QUERY', 'TRACE', 'OPTIONS', 'PROPFIND'])
    test(`${method} is answered with 405 and the methods it has`, async () => {
      const expected = { status: 405, allow: 'DELETE, GET, HEAD', id: 'request.method_not_allowed' };
      assert.deepEqual(await send(method, '/api/v4/users/me/sessions?x=1'), expected);
    });

  test('is found below parameters as well', async () => {
    const { status, allow } = await send('GET', '/api/v4/admin/teams/a/users/b/deactivate');
    assert.deepEqual([status, allow], [405, 'POST']);
  });

  test('is not mixed up with those of a parameter in the same place', async () => {
    const { allow } = await send('OPTIONS', '/api/v4/admin/teams/a/users/multi');
    assert.equal(allow, 'POST');
    for (const path of ['/api/v4/users/me/factors/passkeys/options', '/api/v4/admin/teams/a/users/multi'])
      assert.deepEqual(await send('DELETE', path), { status: 405, allow: 'POST', id: 'request.method_not_allowed' });
  });
});

test('an unknown path of the API is answered with 404 for every method', async () => {
  for (const method of ['GET', 'POST', 'QUERY'])
    assert.deepEqual(await send(method, '/api/v4/nothing'), { status: 404, allow: undefined, id: 'request.not_found' });
});
