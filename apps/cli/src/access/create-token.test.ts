import assert from 'node:assert/strict';
import { TOKENS_PER_TEAM } from '@steward/contract/api/limits';
import { ContentKind } from '@steward/contract/content';
import { toTokenExpiry } from '@steward/contract/tokens';
import { newId } from '@steward/server/src/platform/database/ids.ts';
import { findServiceToken, listServiceTokens } from '@steward/server/src/workspace/access/tokens.store.ts';
import { startApp } from '@steward/server/testing/app/start-app.ts';
import { serviceToken } from '@steward/server/testing/workspace/content.ts';
import { createTeamWithMembers, team, user } from '@steward/server/testing/workspace/factories.ts';
import { auditRows } from '@steward/server/testing/workspace/snapshot-tables.ts';
import { it } from 'vitest';
import { Mistake, readOptions } from '../command.ts';
import { createServiceToken, createToken } from './create-token.ts';

it('a service token of the operator is its team’s, counts as the first owner’s, and is in the audit log without its secret', async () => {
  await using node = await startApp({ work: false });
  const ours = await createTeamWithMembers(node);
  await user(node, { team: ours.id, kind: 'owner' });
  const made = await createServiceToken(node.deps, { teamId: ours.id, name: 'Telephones' });
  const known = await findServiceToken(node.db, made.token);
  assert.partialDeepStrictEqual(known, {
    id: made.id,
    team_id: ours.id,
    kinds: ContentKind.options,
    speak_for_users: false,
  });
  const [row] = await listServiceTokens(node.db, ours.id);
  assert.equal(row?.created_by, ours.owner.id);
  const { source_id = '', expires_at = 0 } = row ?? {};
  const details = {
    name: 'Telephones',
    kinds: [...ContentKind.options],
    speak_for_users: false,
    expires_at,
    source_id,
  };
  assert.deepEqual(await auditRows(node, 'tokens.added'), [
    { team_id: ours.id, actor_id: null, target: made.id, details },
  ]);
});

it('a service token of the operator has the requested rights and expiry', async () => {
  await using node = await startApp({ work: false });
  const teamId = await team(node);
  const expiresAt = Date.now() + 86_400_000;
  const form = { teamId, name: 'Telephones', kinds: ['call', 'voicemail'] as const, speakForUsers: true, expiresAt };
  await createServiceToken(node.deps, form);
  const [row] = await listServiceTokens(node.db, teamId);
  assert.partialDeepStrictEqual(row, {
    kinds: ['call', 'voicemail'],
    speak_for_users: true,
    expires_at: expiresAt,
    created_by: '',
  });
  for (const wrong of [Date.now() - 1, toTokenExpiry(Date.now(), 2) + 60_000])
    await assert.rejects(createServiceToken(node.deps, { ...form, expiresAt: wrong }), Mistake);
});

it('options of a service token are checked before anything is opened', () => {
  const prepare = (args: string[]) => createToken.prepare(readOptions(createToken, ['--team', newId(), ...args]));
  assert.ok(prepare(['--kinds', 'message,file', '--speak-for-users', '--expires', '2027-01-31']));
  for (const [option, value] of [
    ['kinds', 'poem'],
    ['kinds', ''],
    ['kinds', 'message, file'],
    ['expires', 'soon'],
  ] as const)
    assert.throws(() => prepare([`--${option}`, value]), Mistake, value);
});

it('a service token is not created for a team that does not exist, nor for one that has too many', async () => {
  await using node = await startApp({ work: false });
  const isMistake = (error: unknown) => error instanceof Mistake;
  await assert.rejects(createServiceToken(node.deps, { teamId: newId(), name: 'x' }), isMistake);
  const teamId = await team(node);
  for (let made = 0; made < TOKENS_PER_TEAM; made += 1) await serviceToken(node, teamId);
  await assert.rejects(createServiceToken(node.deps, { teamId, name: 'x' }), isMistake);
});
