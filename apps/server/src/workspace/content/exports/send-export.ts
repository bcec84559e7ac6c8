import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Blobs } from '#platform/blobs/blobs.ts';
import { refuse } from '#platform/http/errors.ts';
import type { ExportRow } from './exports.store.ts';

/** Sends the file of an export, its pieces one after the other; refuses while there is none. */
export async function sendExportFile(
  blobs: Blobs,
  reply: FastifyReply,
  { row, name }: { row: ExportRow; name: string },
): Promise<FastifyReply> {
  const [first] = row.parts;
  const begun = row.state === 'done' && first !== undefined ? await blobs.get(first) : undefined;
  if (!begun) refuse('record.not_found');
  async function* read() {
    yield* begun as Readable;
    for (const key of row.parts.slice(1)) {
      const piece = await blobs.get(key);
      if (!piece) throw new Error(`piece ${key} of export ${row.id} is gone`);
      yield* piece;
    }
  }
  return reply
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('content-length', row.size)
    .header('cache-control', 'no-store')
    .type('application/zip')
    .send(Readable.from(read(), { objectMode: false }));
}
