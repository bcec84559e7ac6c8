import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { Mistake } from '../command.ts';

/** One file in an archive. */
export interface Entry {
  name: string;
  content: Buffer;
}

/** Largest file that an archive holds, in bytes; a table is cut into many. */
const ENTRY_MAX = 64 * 1024 * 1024;
/** It holds sealed credentials and what people wrote. */
const OWNER_ALONE = 0o600;

/** An archive that is being written. Nothing is at its place before it is whole. */
export interface ArchiveWriter extends AsyncDisposable {
  add(name: string, content: Buffer): Promise<void>;
  /** Ends when all of it is on the disk, under its own name. */
  finish(): Promise<void>;
}

/** Begins an archive: tar, packed with gzip, so that whoever has no Steward can still read it. */
export async function writeArchive(file: string, { force }: { force: boolean }): Promise<ArchiveWriter> {
  refuseToReplace(file, force);
  const unfinished = `${file}.unfinished`;
  // What a killed run left under this name is none of an archive.
  await rm(unfinished, { force: true });
  const tar = pack();
  const writing = pipeline(
    tar,
    createGzip({ level: 5 }),
    createWriteStream(unfinished, { flags: 'wx', mode: OWNER_ALONE }),
  );
  // Heard at once, and told by whoever waits next.
  writing.catch(() => undefined);
  let isWhole = false;
  return {
    async add(name, content) {
      const added = new Promise<void>((resolve, reject) => {
        tar.entry({ name, mode: OWNER_ALONE, size: content.length }, content, (error) =>
          error ? reject(error) : resolve(),
        );
      });
      await Promise.race([added, writing]);
    },
    async finish() {
      tar.finalize();
      await writing;
      await using handle = await open(unfinished, 'r+');
      await handle.sync();
      refuseToReplace(file, force);
      await rename(unfinished, file);
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

function refuseToReplace(file: string, force: boolean): void {
  if (!force && existsSync(file)) throw new Mistake(`${file} already exists. Choose another name or add --force.`);
}

/** The files of an archive in their order. Throws a Mistake where it is no archive, or damaged, or ends too early. */
export async function* readArchive(file: string): AsyncGenerator<Entry> {
  const tar = extract();
  const reading = pipeline(createReadStream(file), createGunzip(), tar);
  reading.catch(() => undefined);
  try {
    for await (const entry of tar) {
      const { name, size = 0 } = entry.header;
      if (size > ENTRY_MAX) throw new Mistake(`${file} is not a valid backup: ${name} is too large.`);
      yield { name, content: await buffer(entry) };
    }
    await reading;
  } catch (error) {
    if (error instanceof Mistake) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Mistake(`No such file: ${file}.`);
    if (code?.startsWith('E')) throw new Mistake(`${file} can't be read: ${message}`);
    throw new Mistake(`${file} is damaged or incomplete (${message}). Nothing was restored.`);
  } finally {
    tar.destroy();
  }
}
