import { createReadStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Secrets } from '@steward/server/src/platform/security/secrets.ts';
import { extract, pack } from 'tar-stream';
import { Mistake } from '../../command.ts';
import { decryptionFor, HEADER_BYTES, isEncrypted, type Transform } from './archive-encryption.ts';

export interface Entry {
  name: string;
  content: Buffer;
}

/** Maximum size of a file in an archive, in bytes. Tables and blobs are split into smaller ones. */
const ENTRY_MAX = 16 * 1024 * 1024;
const READ_BYTES = 256 * 1024;
/** First two bytes of gzip's format. */
const GZIP = 0x1f8b;
/** Backups contain sealed credentials and private messages. */
const OWNER_ONLY = 0o600;

/** The file gets its final name only when it is complete. */
export interface ArchiveWriter extends AsyncDisposable {
  add(name: string, content: Buffer): Promise<void>;
  /** Resolves when the archive is on disk under its own name. */
  finish(): Promise<void>;
}

interface Written {
  force: boolean;
  encrypt: Transform;
}

/** Starts an archive: a tar file, compressed with gzip and then encrypted. */
export async function writeArchive(file: string, { force, encrypt }: Written): Promise<ArchiveWriter> {
  refuseToReplace(file, force);
  const unfinished = `${file}.unfinished`;
  // A killed run may have left an unfinished file under this name.
  const handle = await rm(unfinished, { force: true })
    .then(() => open(unfinished, 'wx', OWNER_ONLY))
    .catch((error) => Promise.reject(toWriteMistake(error, file)));
  const tar = pack();
  const writing = pipeline(tar, createGzip({ level: 5 }), encrypt, handle.createWriteStream()).catch((error) =>
    Promise.reject(toWriteMistake(error, file)),
  );
  // Handled here so that it isn't an unhandled rejection; the next await of it throws.
  writing.catch(() => undefined);
  let isWhole = false;
  return {
    async add(name, content) {
      const added = new Promise<void>((resolve, reject) => {
        tar.entry({ name, mode: OWNER_ONLY, size: content.length }, content, (error) =>
          error ? reject(error) : resolve(),
        );
      });
      await Promise.race([added, writing]).catch(async (error) => {
        // The tar stream only reports that it was ended; the failure of the file is the cause.
        if (tar.destroyed) await writing;
        throw error;
      });
    },
    async finish() {
      tar.finalize();
      await writing;
      refuseToReplace(file, force);
      await keep(unfinished, file).catch((error) => Promise.reject(toWriteMistake(error, file)));
      isWhole = true;
    },
    async [Symbol.asyncDispose]() {
      if (isWhole) return;
      tar.destroy();
      await writing.catch(() => undefined);
      await rm(unfinished, { force: true });
    },
  };
}

async function keep(unfinished: string, file: string): Promise<void> {
  await using handle = await open(unfinished, 'r+');
  await handle.sync();
  await rename(unfinished, file);
}

/** Other errors than those of the file system stay as they are. */
function toWriteMistake(error: unknown, file: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT')
    return new Mistake(`${file} can't be written: there is no directory ${dirname(file)}. ${message}`);
  return code?.startsWith('E') && !code.startsWith('ERR_')
    ? new Mistake(`${file} can't be written: ${message}`)
    : error;
}

function refuseToReplace(file: string, force: boolean): void {
  if (!force && existsSync(file)) throw new Mistake(`${file} already exists. Choose another name or add --force.`);
}

export interface ReadOptions {
  secrets: Secrets;
  /** Accepts archives of earlier versions, which are signed but not encrypted. */
  allowsUnencrypted: boolean;
}

/** Yields the files of an archive in their order. Throws a Mistake if it is no archive, damaged or truncated. */
export async function* readArchive(file: string, options: ReadOptions): AsyncGenerator<Entry> {
  const decrypted = await openFile(file, options).catch((error) => Promise.reject(toMistake(error, file)));
  const tar = extract();
  const reading = pipeline(decrypted, createGunzip(), tar);
  reading.catch(() => undefined);
  try {
    for await (const entry of tar) {
      const { name, size = 0 } = entry.header;
      if (size > ENTRY_MAX) throw new Mistake(`${file} is not a valid backup: ${name} is too large.`);
      yield { name, content: await buffer(entry) };
    }
    await reading;
  } catch (error) {
    tar.destroy();
    // The first failure is the cause; the tar stream only reports an unexpected end.
    const cause = await reading.then(
      () => error,
      (first) => first,
    );
    throw toMistake(error instanceof Mistake ? error : cause, file);
  } finally {
    tar.destroy();
  }
}

async function openFile(file: string, { secrets, allowsUnencrypted }: ReadOptions): Promise<AsyncIterable<Buffer>> {
  const start = await readStart(file);
  if (isEncrypted(start)) {
    const decrypt = decryptionFor(secrets, start, file);
    return decrypt(createReadStream(file, { start: start.length, highWaterMark: READ_BYTES }));
  }
  if (start.readUInt16BE(0) !== GZIP) throw new Mistake(`${file} is not a valid backup of this product.`);
  if (!allowsUnencrypted) {
    throw new Mistake(
      `${file} is not encrypted: an earlier version wrote it. To restore it if its signature is valid, add --unencrypted.`,
    );
  }
  return createReadStream(file, { highWaterMark: READ_BYTES });
}

async function readStart(file: string): Promise<Buffer> {
  await using handle = await open(file);
  const { buffer: start, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
  if (bytesRead < HEADER_BYTES) throw new Mistake(`${file} is not a valid backup of this product.`);
  return start;
}

function toMistake(error: unknown, file: string): Mistake {
  if (error instanceof Mistake) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new Mistake(`No such file: ${file}.`);
  if (code?.startsWith('E')) return new Mistake(`${file} can't be read: ${message}`);
  return new Mistake(`${file} is damaged or incomplete (${message}). Nothing was restored.`);
}
