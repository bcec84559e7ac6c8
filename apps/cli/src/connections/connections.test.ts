import assert from 'node:assert/strict';
import { takeLease } from '@steward/contract/connections/connector';
import { newId } from '@steward/server/src/platform/database/ids.ts';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import { callAsBridge, filledServer } from '@steward/server/testing/workspace/connections.ts';
import { createTeamWithMembers, team } from '@steward/server/testing/workspace/factories.ts';
import { auditRows } from '@steward/server/testing/workspace/snapshot-tables.ts';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { Mistake, readOptions } from '../command.ts';
import { connect, connections, connectServer, disconnect, newConnectorToken } from './connections.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false });
});
afterAll(() => node[Symbol.asyncDispose]());

const given = (map: string, ...more: string[]) =>
  readOptions(connect, ['mattermost', '--name', 'Chat', '--map', map, ...more]);
const works = async (token: string) =>
  (await callAsBridge(node, { token, lease: '' }, takeLease, { body: { bridge: 'test' } })).status === 200;
const run = (command: typeof connect, ...args: string[]) =>
  command.prepare(readOptions(command, args))(node.deps as never, () => undefined, process.stdout);

describe('the operator', () => {
  test('connects a server, and owners find it in the audit log without the token', async () => {
    const ours = await createTeamWithMembers(node);
    const mappings = [['remote1', ours.id]] as const;
    const made = await connectServer(node.deps, {
      provider: 'mattermost',
      name: 'Chat',
      mappings,
      directMessages: ours.id,
    });
    assert.ok(await works(made.token));
    const rows = (await auditRows(node, 'connections.made')).filter(({ team_id }) => team_id === ours.id);
    const details = { name: 'Chat', provider: 'mattermost', remote_team_id: 'remote1', direct_messages: true };
    assert.deepEqual(rows, [{ team_id: ours.id, actor_id: null, target: made.id, details }]);
    assert.match((await run(connections)).lines.join('\n'), new RegExp(`${made.id} .*remote1=${ours.id}`));
  });

  test('replaces a token, which ends the earlier one, and disconnects', async () => {
    const mappings = [['remote1', await team(node)]] as const;
    const made = await connectServer(node.deps, {
      provider: 'mattermost',
      name: 'Chat',
      mappings,
      directMessages: undefined,
    });
    const { result } = await run(newConnectorToken, made.id);
    assert.deepEqual([await works(made.token), await works(String(result.token))], [false, true]);
    await run(disconnect, made.id);
    assert.ok(!(await works(String(result.token))));
    for (const command of [newConnectorToken, disconnect])
      await assert.rejects(run(command, made.id), new Mistake(`No connection has the id ${made.id}.`));
  });

  test('who disconnects a server leaves the end of its open order in the audit log', async () => {
    const ours = await createTeamWithMembers(node);
    const { id, orderId } = await filledServer(node, { teamId: ours.id, acceptedBy: ours.owner.id, ready: true });
    await run(disconnect, id);
    const rows = (await auditRows(node, 'connections.order_stopped')).filter(({ team_id }) => team_id === ours.id);
    const details = { order_id: orderId, gone: 0, kept: 0, open: 1, reason: 'The connection was ended.' };
    assert.deepEqual(
      rows.map((row) => row.details),
      [details],
    );
  });

  test('learns what is wrong with a mapping before anything is stored', async () => {
    const [one, two] = [newId(), newId()];
    const wrong: [string[], RegExp][] = [
      [['nonsense'], /--map must look like/],
      [[`a=${one},a=${two}`], /must not name a team twice/],
      [[`a=${one},b=${one}`], /must not name a team twice/],
      [[`a=${one}`, '--direct-messages', two], /must be one of the teams/],
    ];
    for (const [[map = '', ...more], message] of wrong)
      assert.throws(() => connect.prepare(given(map, ...more)), message);
    assert.throws(
      () => connect.prepare(readOptions(connect, ['slack', '--name', 'x', '--map', `a=${one}`])),
      /mattermost/,
    );
    await assert.rejects(
      async () => connect.prepare(given(`a=${one}`))(node.deps as never, () => undefined, process.stdout),
      /No team has the id/,
    );
  });
});
