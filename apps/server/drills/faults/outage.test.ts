import assert from 'node:assert/strict';
import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { endpoints } from '@steward/contract/api/endpoints';
import { ErrorBody } from '@steward/contract/api/errors';
import { getMe } from '@steward/contract/session';
import { test } from 'vitest';
import { call, type Sending, send } from '#testing/app/call.ts';
import { createWorld } from '#testing/authorization/actors.ts';
import { prepareRequest } from '#testing/authorization/audited-changes.ts';
import { startAppWithPostgres } from '#testing/database/app-with-postgres.ts';
import { findGeneralChannel } from '#testing/workspace/content.ts';
import { createTeamWithMembers } from '#testing/workspace/factories.ts';
import { deliverTo, helpdesk } from '#testing/workspace/integrations.ts';

test('while the database is away every call answers 503 in our words, and all is well when it returns', async () => {
  await using own = await startAppWithPostgres();
  const { node } = own;
  const team = await createTeamWithMembers(node);
  const general = await findGeneralChannel(node, team.id);
  const desk = await helpdesk(node, team.id, { channels: [general] });
  assert.equal((await call(node, getMe, { as: team.admin })).status, 200);

  const world = await createWorld(node);
  const requests: [AnyEndpoint, Sending][] = [];
  for (const endpoint of endpoints) requests.push([endpoint, (await prepareRequest(endpoint.name, world)).request]);

  await own.stop();
  for (const [endpoint, request] of requests) {
    const reply = await call(node, endpoint, request);
    assert.deepEqual([reply.status, reply.body?.id], [503, 'server.unavailable'], `${endpoint.name}: ${reply.text}`);
    assert.ok(ErrorBody.safeParse(reply.body).success);
    assert.equal(reply.headers['retry-after'], '2');
    assert.doesNotMatch(reply.text, /ECONN|ENOENT|socket|terminat/i);
  }
  const delivered = await deliverTo(node, desk);
  assert.deepEqual([delivered.status, delivered.body.id], [503, 'server.unavailable']);
  assert.equal(delivered.headers['retry-after'], '10', 'the help desk sends it again');
  assert.equal((await send(node, { url: '/healthz' })).status, 200, 'the process lives');
  assert.equal((await send(node, { url: '/readyz' })).status, 503, 'and says that it cannot serve');

  await own.start();
  assert.equal((await send(node, { url: '/readyz' })).status, 200);
  assert.equal((await call(node, getMe, { as: team.admin })).status, 200, 'without a restart, session and all');
  assert.equal((await deliverTo(node, desk)).status, 200);
});
