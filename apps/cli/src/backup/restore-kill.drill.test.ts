// The process of a restore is killed: a server started afterwards shows nothing of it, and the next restore is complete.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { temporaryDir } from '@steward/embedded-postgres/testing/temporary-cluster.ts';
import { programFile, runWorkspace } from '@steward/server/testing/app/programs.ts';
import { startApp } from '@steward/server/testing/app/start-app.ts';
import { waitForLockWaiter } from '@steward/server/testing/faults/wait-for-lock.ts';
import {
  assertRestored,
  isSignedIn,
  type PopulatedWorkspace,
  populateWorkspace,
} from '@steward/server/testing/workspace/populated-workspace.ts';
import { checkLink } from '@steward/server/testing/workspace/signup.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type EmptyWorkspace, emptyWorkspace, KEY, listFiles, readContents } from '../../testing/backups.ts';

const PROGRAM = programFile('workspace');

let dir: ReturnType<typeof temporaryDir>;
let populated: PopulatedWorkspace;
let archive: string;

beforeAll(async () => {
  dir = temporaryDir();
  archive = join(dir.path, 'whole.backup');
  await using node = await startApp({ work: false, pool: 4 });
  populated = await populateWorkspace(node);
  const env = { DATABASE_URL: node.database.url, SECRET_KEY: KEY, FILES_URL: node.deps.env.FILES_URL ?? '' };
  const { code, err } = await runWorkspace(['backup', archive], env);
  assert.equal(code, 0, err);
});

afterAll(() => dir[Symbol.asyncDispose]());

const filesUrl = ({ files }: EmptyWorkspace) => pathToFileURL(files).href;
const settings = (target: EmptyWorkspace) => {
  return { DATABASE_URL: target.database.url, SECRET_KEY: KEY, FILES_URL: filesUrl(target) };
};

/** A node that stops leaves this database in place. */
const kept = ({ database }: EmptyWorkspace) => ({ ...database, [Symbol.asyncDispose]: async () => undefined });

function startRestore(target: EmptyWorkspace): ChildProcess {
  return spawn(process.execPath, [PROGRAM, 'restore', archive], {
    env: { PATH: process.env.PATH, ...settings(target) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

async function kill(restoring: ChildProcess): Promise<void> {
  const gone = once(restoring, 'exit');
  restoring.kill('SIGKILL');
  const [, signal] = await gone;
  assert.equal(signal, 'SIGKILL', 'it had ended before');
}

/** Points at which the restore is killed. */
const KILLED: Record<string, (target: EmptyWorkspace) => Promise<void>> = {
  'while rows are copied': async (target) => {
    const restoring = startRestore(target);
    for await (const line of createInterface({ input: restoring.stderr ?? assert.fail() }))
      if (/: \d+ rows$/.test(line)) break;
    await kill(restoring);
  },
  'when all of the archive was read, before the files are published': async (target) => {
    await target.db.transaction().execute(async (trx) => {
      await sql`lock table loose_blobs in exclusive mode`.execute(trx);
      const restoring = startRestore(target);
      await waitForLockWaiter(target, 'loose_blobs');
      await kill(restoring);
    });
  },
};

describe('a restore whose process is killed', () => {
  for (const [moment, killThen] of Object.entries(KILLED))
    test(`${moment}: a server shows nothing of it, and the next restore is whole`, async () => {
      await using target = await emptyWorkspace(dir.path);
      await killThen(target);
      const left = listFiles(target.files);
      assert.ok(left.length > 0 && left.every((path) => path.startsWith('restoring/')), left.join());
      {
        await using node = await startApp({ database: kept(target), env: { FILES_URL: filesUrl(target) } });
        assert.deepEqual(Object.values(await readContents(node.db)).flat(), []);
        assert.equal(await isSignedIn(node, populated.team.owner), false);
        assert.equal((await checkLink(node, populated.links.invitation)).status, 400);
      }
      const { code, err } = await runWorkspace(['restore', archive], settings(target));
      assert.equal(code, 0, err);
      const files = listFiles(target.files);
      assert.ok(files.length > 0 && files.every((path) => !path.startsWith('restoring/')), files.join());
      await assertRestored(target.database, populated, filesUrl(target));
    });
});
