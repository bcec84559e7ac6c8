import assert from 'node:assert/strict';
import { it } from 'node:test';
import { TOKENS_PER_TEAM } from '@steward/contract/api/limits';
import { newId } from '#platform/database/ids.ts';
import { startApp } from '#testing/app/start-app.ts';
import { serviceToken } from '#testing/workspace/content.ts';
import { team } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { findServiceToken } from '#workspace/tokens/tokens.store.ts';
import { Mistake } from '../command.ts';
import { createServiceToken } from './create-token.actions.ts';

it('a service token of the operator is its team’s, and stands in the audit log without itself', async () => {
  await using node = await startApp({ work: false });
  const teamId = await team(node);
  const { id, token } = await createServiceToken(node.db, { teamId, name: 'Telephones' });
  const known = await findServiceToken(node.db, token);
  assert.deepEqual([known?.id, known?.team_id], [id, teamId]);
  const rows = await auditRows(node, 'tokens.added');
  assert.deepEqual(rows, [{ team_id: teamId, actor_id: null, target: id, details: { name: 'Telephones' } }]);
});

it('a service token is not made for a team that does not exist, nor for one that has too many', async () => {
  await using node = await startApp({ work: false });
  const isMistake = (error: unknown) => error instanceof Mistake;
  await assert.rejects(createServiceToken(node.db, { teamId: newId(), name: 'x' }), isMistake);
  const teamId = await team(node);
  for (let made = 0; made < TOKENS_PER_TEAM; made += 1) await serviceToken(node, teamId);
  await assert.rejects(createServiceToken(node.db, { teamId, name: 'x' }), isMistake);
});
