import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import type { TestApp } from '#testing/app/start-app.ts';

export async function downloadArchive(node: TestApp, { url, as }: { url: string; as: { cookie: string } }) {
  const reply = await node.app.inject({ method: 'GET', url, headers: { cookie: as.cookie } });
  if (reply.statusCode !== 200) throw new Error(`${reply.statusCode} ${reply.body}`);
  return readArchive(reply.rawPayload);
}

/** Files by path. The checksum of each is checked. */
export async function readArchive(archive: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await fromBufferPromise(archive, { lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  return files;
}
