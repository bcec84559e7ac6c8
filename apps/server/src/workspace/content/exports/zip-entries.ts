import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ZipFile } from 'yazl';

/** Adds one file to an archive and waits until it has been read, so that no two streams are open. */
export async function addZipEntry(zip: ZipFile, path: string, content: Readable): Promise<void> {
  const output = zip.outputStream as Readable;
  zip.addReadStream(content, path);
  const abort = () => content.destroy(new Error('the export was aborted'));
  output.once('close', abort);
  try {
    await finished(content);
  } finally {
    output.off('close', abort);
  }
}

/** Path of a file's content in an archive: its id, and of the name only what is safe in any system. */
export function getContentPath(folder: string, { id, name }: { id: unknown; name: unknown }): string {
  const safe = String(name)
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^\.+/, '')
    .slice(-100);
  return `${folder}/${id}${safe === '' ? '' : `-${safe}`}`;
}
