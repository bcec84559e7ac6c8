import assert from 'node:assert/strict';
import { getInactivity, saveInactivity } from '@steward/contract/users/inactivity';
import { sql } from 'kysely';
import { test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { signInAtProvider } from '#testing/sso/sso.ts';
import { type ProviderTeam, useProvider } from '#testing/sso/use-provider.ts';
import { signedIn, user } from '#testing/workspace/factories.ts';

let given: ProviderTeam;

useProvider(
  (of) => {
    given = of;
  },
  { work: false },
);

test('single sign-on is a source of activity from its first sign-in, until it is switched off', async () => {
  const { node, peer, teamId, domain, connectionId } = given;
  const owner = await signedIn(node, { team: teamId, kind: 'owner' });
  const { email } = await user(node, { team: teamId, email: `${newId()}@${domain}` });
  const params = { teamId };
  const read = async () => (await call(node, getInactivity, { as: owner, params })).body;
  const body = { is_on: true, source: 'sso', days: 90, skips_held: true, skips_provisioned: true };
  const save = () => call(node, saveInactivity, { as: owner, params, body });
  assert.deepEqual((await read()).sources, []);
  assert.equal((await save()).body.id, 'inactivity.no_source');
  await signInAtProvider({ node, peer, connectionId, claims: { sub: newId(), email, email_verified: true } });
  assert.partialDeepStrictEqual((await read()).sources, [{ kind: 'sso', is_on: true, is_silent: false }]);
  assert.equal((await save()).status, 200);
  await sql`update sso_connections set enabled = false where team_id = ${teamId}`.execute(node.db);
  assert.partialDeepStrictEqual((await read()).sources, [{ kind: 'sso', is_on: false }]);
  assert.equal((await save()).body.id, 'inactivity.no_source');
});
