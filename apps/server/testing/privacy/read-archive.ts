import { buffer } from 'node:stream/consumers';
import { fromBuffer } from 'yauzl';
import type { TestApp } from '#testing/app/start-app.ts';

export async function downloadArchive(
  node: TestApp,
  { url, as }: { url: string; as: { cookie: string } },
): Promise<ReadonlyMap<string, Buffer>> {
  const reply = await node.app.inject({ method: 'GET', url, headers: { cookie: as.cookie } });
  if (reply.statusCode !== 200) throw new Error(`${reply.statusCode} ${reply.body}`);
  return readArchive(reply.rawPayload);
}

/** Files by path. The checksum of each is checked. */
export async function readArchive(archive: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await new Promise<import('yauzl').ZipFile>((resolve, reject) =>
    fromBuffer(archive, { lazyEntries: true }, (error, file) => (file ? resolve(file) : reject(error))),
  );
  const files = new Map<string, Buffer>();
  return new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', () => resolve(files));
    zip.on('entry', (entry: import('yauzl').Entry) => {
      zip.openReadStream(entry, async (error, stream) => {
        if (!stream) return reject(error);
        try {
          files.set(entry.fileName, await buffer(stream));
          zip.readEntry();
        } catch (failure) {
          reject(failure);
        }
      });
    });
    zip.readEntry();
  });
}
