import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { parseEnv } from '#platform/env.ts';
import { type Blobs, checkBlobs, createBlobs, newBlobKey } from './blobs.ts';

/** A local S3 server with one bucket; sets the process's AWS variables to its credentials. */
interface S3Server extends AsyncDisposable {
  /** FILES_URL of a bucket. */
  filesUrl(bucket: string): string;
}

const BUCKET = 'steward-files';

async function startS3Server(): Promise<S3Server> {
  process.env.AWS_ACCESS_KEY_ID = 'S3RVER';
  process.env.AWS_SECRET_ACCESS_KEY = 'S3RVER';
  const directory = mkdtempSync(join(tmpdir(), 'steward-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  const endpoint = encodeURIComponent(`http://127.0.0.1:${port}`);
  return {
    filesUrl: (bucket) => `s3://${bucket}/under/here?endpoint=${endpoint}&path_style=1`,
    async [Symbol.asyncDispose]() {
      server.httpServer.closeAllConnections();
      await new Promise((resolve) => server.httpServer.close(resolve));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const TEAM = newId();
const directory = mkdtempSync(join(tmpdir(), 'steward-blobs-'));
let s3: S3Server;

beforeAll(async () => {
  s3 = await startS3Server();
});

afterAll(async () => {
  await s3[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true, force: true });
});

async function read(blobs: Blobs, key: string): Promise<Buffer | undefined> {
  const content = await blobs.get(key);
  return content && Buffer.concat(await content.toArray());
}

const KINDS: { name: string; open: () => Blobs }[] = [
  { name: 'a directory', open: () => createBlobs(pathToFileURL(join(directory, 'kept')).href, '/nowhere') },
  { name: 'a bucket', open: () => createBlobs(s3.filesUrl(BUCKET), '/nowhere') },
];

for (const { name, open } of KINDS) {
  describe(`blobs in ${name}`, () => {
    test('a stored blob is read back byte for byte, also by another process', async () => {
      const key = newBlobKey(TEAM, 'file');
      const content = Buffer.from(Array.from({ length: 70_000 }, (_, at) => at % 256));
      await open().put(key, content);
      assert.deepEqual(await read(open(), key), content);
    });

    test('an empty blob is a blob', async () => {
      const key = newBlobKey(TEAM, 'voicemail');
      await open().put(key, new Uint8Array());
      assert.deepEqual(await read(open(), key), Buffer.alloc(0));
    });

    test('a second put replaces the first', async () => {
      const [blobs, key] = [open(), newBlobKey(TEAM, 'file')];
      await blobs.put(key, Buffer.from('a longer first one'));
      await blobs.put(key, Buffer.from('second'));
      assert.equal(String(await read(blobs, key)), 'second');
    });

    test('a missing blob is undefined, and removing it succeeds', async () => {
      const [blobs, key] = [open(), newBlobKey(TEAM, 'file')];
      assert.equal(await blobs.get(key), undefined);
      await blobs.remove(key);
    });

    test('a removed blob is gone, and the others stay', async () => {
      const [blobs, key, other] = [open(), newBlobKey(TEAM, 'file'), newBlobKey(TEAM, 'file')];
      await blobs.put(key, Buffer.from('one'));
      await blobs.put(other, Buffer.from('other'));
      await blobs.remove(key);
      await blobs.remove(key);
      assert.equal(await blobs.get(key), undefined);
      assert.equal(String(await read(blobs, other)), 'other');
    });

    test("concurrent writes don't affect each other", async () => {
      const blobs = open();
      const keys = Array.from({ length: 40 }, () => newBlobKey(TEAM, 'file'));
      await Promise.all(keys.map((key) => blobs.put(key, Buffer.from(key))));
      for (const key of keys) assert.equal(String(await read(blobs, key)), key);
    });

    test('an invalid key is rejected', async () => {
      const blobs = open();
      for (const key of ['', '../../etc/passwd', `${TEAM}/file/aa/../x`, `/${newBlobKey(TEAM, 'file')}`, 'a\0b']) {
        await assert.rejects(blobs.put(key, new Uint8Array([1])), /invalid blob key/);
        await assert.rejects(blobs.get(key), /invalid blob key/);
        await assert.rejects(blobs.remove(key), /invalid blob key/);
      }
    });

    test('a staged blob is nowhere until it is published, and replaces what is there then', async () => {
      const [blobs, key] = [open(), newBlobKey(TEAM, 'file')];
      await blobs.put(key, Buffer.from('before'));
      await blobs.stage(key, Readable.from([Buffer.from('af'), Buffer.from('ter')]));
      assert.equal(String(await read(blobs, key)), 'before');
      assert.equal(await open().publish(key), true);
      assert.equal(String(await read(open(), key)), 'after');
      assert.equal(await blobs.publish(key), false, 'it is staged no longer');
    });

    test('staged blobs are dropped together, and nothing else is', async () => {
      const [blobs, other, staged] = [
        open(),
        newBlobKey(TEAM, 'file'),
        [1, 2, 3].map(() => newBlobKey(newId(), 'file')),
      ];
      await blobs.dropStaged();
      await blobs.put(other, Buffer.from('other'));
      for (const key of staged) await blobs.stage(key, Readable.from([Buffer.from('staged')]));
      await open().dropStaged();
      for (const key of staged) assert.equal(await blobs.publish(key), false);
      assert.equal(String(await read(blobs, other)), 'other');
      await assert.rejects(blobs.stage('../escape', Readable.from([])), /invalid blob key/);
      await assert.rejects(blobs.publish('../escape'), /invalid blob key/);
    });

    test('the startup check leaves nothing behind', () => checkBlobs(open()));

    test('many nodes can run the startup check at the same time', async () => {
      await Promise.all(Array.from({ length: 20 }, () => checkBlobs(open())));
    });
  });
}

describe('blobs in a directory', () => {
  const location = join(directory, 'private');
  const blobs = createBlobs(undefined, directory);

  test("without FILES_URL they are in the data directory, readable only by the server's user", async () => {
    const before = process.umask(0);
    const key = newBlobKey(TEAM, 'file');
    await blobs.put(key, Buffer.from('secret')).finally(() => process.umask(before));
    assert.equal(statSync(join(directory, 'files')).mode & 0o777, 0o700);
    assert.equal(statSync(join(directory, 'files', key)).mode & 0o777, 0o600);
  });

  test('a directory in place of a blob is not removed, and the call fails', async () => {
    const key = newBlobKey(TEAM, 'file');
    mkdirSync(join(directory, 'files', key), { recursive: true });
    await assert.rejects(blobs.remove(key), /EISDIR|EPERM/);
    assert.ok(existsSync(join(directory, 'files', key)));
  });

  test("a directory that can't be created is reported in one line", async () => {
    writeFileSync(location, 'a file');
    const wrong = createBlobs(pathToFileURL(join(location, 'files')).href, directory);
    await assert.rejects(checkBlobs(wrong), /^Error: Can't store files at FILES_URL .*ENOTDIR[^\n]*$/);
  });

  test('a server without S3 does not load the SDK', () => {
    const program = `import { registerHooks } from 'node:module';
      registerHooks({ load: (url, context, next) => { if (url.includes('aws-sdk')) console.log(url); return next(url, context); } });
      const { createBlobs, checkBlobs } = await import('${import.meta.resolve('./blobs.ts')}');
      await checkBlobs(createBlobs(undefined, ${JSON.stringify(directory)}));`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    assert.deepEqual([status, stdout], [0, '']);
  });
});

describe('FILES_URL', () => {
  const WRONG = [
    'nonsense',
    '/srv/files',
    'https://example.test/files',
    'file://host/srv/files',
    'file:///srv/files?x=1',
    'file:///',
    's3://',
    's3://Bad_Bucket',
    's3://key:secret@steward-files',
    's3://steward-files?regin=x',
    's3://steward-files?endpoint=ftp://x',
    's3://steward-files?endpoint=nonsense',
    's3://steward-files?path_style=yes',
  ];
  for (const url of WRONG)
    test(`${url} is rejected at startup without repeating its value, which may be secret`, () => {
      assert.throws(
        () => parseEnv({ FILES_URL: url }),
        (error: Error) => {
          assert.match(error.message, /^Invalid configuration:\n {2}FILES_URL: must [^\n]*$/);
          assert.doesNotMatch(error.message, /secret|nonsense/);
          return true;
        },
      );
    });

  test('a missing bucket is reported at startup', async () => {
    await assert.rejects(checkBlobs(createBlobs(s3.filesUrl('another-bucket'), '')), /FILES_URL .*NoSuchBucket[^\n]*$/);
  });

  test('a missing bucket is an error, not a missing blob', async () => {
    const gone = createBlobs(s3.filesUrl('another-bucket'), '');
    await assert.rejects(gone.get(newBlobKey(TEAM, 'file')), { name: 'NoSuchBucket' });
    await assert.rejects(gone.remove(newBlobKey(TEAM, 'file')), { name: 'NoSuchBucket' });
  });

  test('an unresponsive service is reported in one line', async () => {
    const silent = createServer((socket) => void socket.destroy()).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    const url = `s3://steward-files?endpoint=http://127.0.0.1:${port}&path_style=1`;
    await assert.rejects(checkBlobs(createBlobs(url, '')), /^Error: Can't store files at FILES_URL [^\n]*$/);
    silent.close();
  });
});
