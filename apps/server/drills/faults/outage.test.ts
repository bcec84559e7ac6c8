import assert from 'node:assert/strict';
import { endpoints } from '@steward/contract/api/endpoints';
import { ErrorBody } from '@steward/contract/api/errors';
import { getMe } from '@steward/contract/session';
import { test } from 'vitest';
import { call, send } from '#testing/app/call.ts';
import { startAppWithPostgres } from '#testing/database/app-with-postgres.ts';
import { createOpenBodies } from '#testing/faults/open-bodies.ts';
import { findGeneralChannel, serviceToken } from '#testing/workspace/content.ts';
import { createTeamWithMembers } from '#testing/workspace/factories.ts';
import { deliverTo, helpdesk } from '#testing/workspace/integrations.ts';

/** Only the database knows whether a token is valid. */
const BRIDGE = { authorization: `Bearer stc_${'a'.repeat(43)}` };

test('while the database is away every call answers 503 in our words, and all is well when it returns', async () => {
  await using own = await startAppWithPostgres();
  const { node } = own;
  const team = await createTeamWithMembers(node);
  const service = await serviceToken(node, team.id);
  const general = await findGeneralChannel(node, team.id);
  const desk = await helpdesk(node, team.id, { channels: [general] });
  assert.equal((await call(node, getMe, { as: team.admin })).status, 200);

  await own.stop();
  const bodies: Record<string, unknown> = {
    ...createOpenBodies(team.member),
    listStatuses: [],
    saveUser: { email: 'new@example.test', account_type: 2 },
    addPost: { channel_id: general.id, message: 'Good morning' },
  };
  for (const endpoint of endpoints) {
    const params = { teamId: team.id, userId: team.member.id, channelId: general.id, fileId: general.id };
    const body = bodies[endpoint.name];
    const headers = endpoint.path.startsWith('/connector/') ? BRIDGE : service.headers;
    const reply = await call(node, endpoint, {
      as: team.admin,
      params,
      headers,
      ...(body === undefined ? {} : { body }),
    });
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
