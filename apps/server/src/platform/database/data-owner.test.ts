import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRoot } from '@steward/embedded-postgres/user.ts';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { parseEnv } from '#platform/env.ts';
import { runWorkspace } from '#testing/app/programs.ts';
import { getDiskSkipReason, mountSmallDisk } from '#testing/faults/small-disk.ts';
import { describeUnless, testUnless } from '#testing/system/unless.ts';
import { openData, refuseOtherOwner } from './connect.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'steward-owner-'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** An id that belongs to no account. */
const SOMEONE = 4_242;

describeUnless(!isRoot() && 'needs root, who can give files to other users', 'a process of another user', () => {
  for (const name of ['secret-key', 'files', '.'])
    test(`is refused for the data directory whose ${name} belongs to someone else, and creates nothing`, () => {
      const dataDir = join(directory, name === '.' ? 'empty' : name, 'data');
      mkdirSync(dataDir, { recursive: true });
      if (name === 'secret-key') writeFileSync(join(dataDir, name), '');
      else mkdirSync(join(dataDir, name), { recursive: true });
      chownSync(join(dataDir, name), SOMEONE, SOMEONE);
      const before = readdirSync(dataDir);
      assert.throws(() => refuseOtherOwner(dataDir, undefined), /belongs to the user #4242.* sudo --user=#4242/);
      assert.deepEqual(readdirSync(dataDir), before);
      chownSync(join(dataDir, name), 0, 0);
      refuseOtherOwner(dataDir, undefined);
    });

  test('is refused for the directory of FILES_URL, by every command in one line', async () => {
    const files = join(directory, 'elsewhere');
    mkdirSync(files);
    chownSync(files, SOMEONE, SOMEONE);
    const FILES_URL = pathToFileURL(files).href;
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', SECRET_KEY: '5e'.repeat(32), FILES_URL };
    const { code, err } = await runWorkspace(['mails'], env);
    assert.equal(code, 1);
    assert.match(err, /^\S+\/elsewhere belongs to the user #4242, .* Run it as that user: [^\n]*\n$/);
  });

  test('without anything in the data directory is not refused', () => {
    refuseOtherOwner(join(directory, 'none'), undefined);
    refuseOtherOwner(join(directory, 'none'), 's3://bucket');
  });
});

describe('a data directory', () => {
  const open = (DATA_DIR: string) => openData(parseEnv({ DATA_DIR }, directory), directory);

  test("that can't be created is named, with the reason", async () => {
    writeFileSync(join(directory, 'file'), '');
    const path = join(directory, 'file', 'data');
    await assert.rejects(open(path), new RegExp(`^Error: DATA_DIR ${path} can't be created: ENOTDIR`));
  });

  testUnless(getDiskSkipReason(), 'that is read-only is named, with the reason', async () => {
    using disk = mountSmallDisk(1);
    chmodSync(disk.path, 0o711);
    disk.setReadOnly(true);
    await assert.rejects(open(join(disk.path, 'data')), /^Error: DATA_DIR \S+ can't be created: EROFS/);
    await assert.rejects(open(disk.path), /^Error: DATA_DIR \S+ isn't writable: EROFS/);
    disk.setReadOnly(false);
  });
});
