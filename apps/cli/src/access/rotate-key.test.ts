import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { getIntegration } from '@steward/contract/integrations';
import { countUndecryptable } from '@steward/server/src/features/integrations/connection/reseal.actions.ts';
import { sealArchiveKey } from '@steward/server/src/features/retention/archive/archive-key.ts';
import { createSecrets } from '@steward/server/src/platform/security/secrets.ts';
import { call } from '@steward/server/testing/app/call.ts';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import { totpFactor } from '@steward/server/testing/factors/factors.ts';
import { connection } from '@steward/server/testing/sso/sso.ts';
import { createTeamWithMembers, type TestTeam } from '@steward/server/testing/workspace/factories.ts';
import { helpdesk, type TestHelpdesk } from '@steward/server/testing/workspace/integrations.ts';
import { archivedRun } from '@steward/server/testing/workspace/retention.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';

const OLD = '5e'.repeat(32);
const NEW = 'c7'.repeat(32);

let node: TestApp;
let team: TestTeam;
let desk: TestHelpdesk;

beforeAll(async () => {
  node = await startApp({ work: false });
  team = await createTeamWithMembers(node);
  desk = await helpdesk(node, team.id);
  await connection(node, team.id, { issuer: 'https://id.steward.example', clientId: 'a', secret: 'a secret' });
  await totpFactor(node, team.member.id);
  const runId = await archivedRun(node, team.id);
  const sealed = sealArchiveKey(createSecrets(OLD), randomBytes(32));
  await sql`update retention_runs set archive_key = ${sealed} where id = ${runId}`.execute(node.db);
});

afterAll(() => node[Symbol.asyncDispose]());

const rotate = (SECRET_KEY: string, SECRET_KEY_PREVIOUS = '') =>
  runInProcess(['rotate-key', '--json'], { DATABASE_URL: node.database.url, SECRET_KEY, SECRET_KEY_PREVIOUS });
const healthWith = async (secretKey: string) => {
  await using other = await startApp({ beside: node, work: false, secretKey });
  const { body } = await call(other, getIntegration, { as: team.admin, params: desk.params });
  return [body.health, body.warnings.some((text: string) => text.startsWith('Enter the credentials again'))];
};

test('a wrong key is reported in a line where credentials are shown, and neither stored nor shown otherwise; rotate-key seals with the new key what the previous key opens, leaves the rest, and may be repeated', async () => {
  assert.deepEqual(await healthWith(OLD), ['ok', false]);
  assert.deepEqual(await healthWith(NEW), ['failing', true]);
  assert.equal(await countUndecryptable(node.db, createSecrets(NEW)), 1);
  assert.equal(await countUndecryptable(node.db, createSecrets(NEW, OLD)), 0);
  const wrong = await rotate(NEW, 'aa'.repeat(32));
  assert.deepEqual(
    [wrong.code, JSON.parse(wrong.out)],
    [
      1,
      {
        resealed: 0,
        unreadable: 1,
        audit_keys: { resealed: 2, unreadable: 0 },
        archives: { resealed: 0, unreadable: 1 },
        sso: { resealed: 0, unreadable: 1 },
        totp: { resealed: 0, unreadable: 1 },
      },
    ],
  );
  assert.deepEqual(await healthWith(OLD), ['ok', false]);
  for (let times = 0; times < 2; times += 1) {
    const right = await rotate(NEW, OLD);
    assert.deepEqual(
      [right.code, JSON.parse(right.out)],
      [
        0,
        {
          resealed: 1,
          unreadable: 0,
          audit_keys: { resealed: 3, unreadable: 0 },
          archives: { resealed: 1, unreadable: 0 },
          sso: { resealed: 1, unreadable: 0 },
          totp: { resealed: 1, unreadable: 0 },
        },
      ],
      right.err,
    );
  }
  assert.deepEqual(await healthWith(NEW), ['ok', false]);
  assert.deepEqual(await healthWith(OLD), ['failing', true]);
});
