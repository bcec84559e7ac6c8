import { createHash, type Hash } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
import { RETENTION_KINDS } from '@steward/contract/retention/fields';
import { ZipFile } from 'yazl';
import type { Blobs } from '#platform/blobs/blobs.ts';
import type { Database } from '#platform/database/database.ts';
import { addZipEntry, getContentPath } from '#workspace/content/export-file.actions.ts';
import type { ActiveHold } from '#workspace/content/holds/active-holds.rules.ts';
import { RETENTION_TARGETS } from '../rules/retention-targets.ts';
import { type HeldRow, readConnectedHeldRows, readHeldRows } from './held-rows.store.ts';

export interface ArchiveSources {
  db: Database;
  blobs: Pick<Blobs, 'get'>;
  teamId: string;
  hold: ActiveHold;
  /** Written at the start of the manifest: the hold, the user who requested the archive, and the reason. */
  about: Readonly<Record<string, unknown>>;
}

interface Entry {
  name: string;
  bytes: number;
  sha256: string;
}

/**
 * A streamed ZIP file with everything that a hold covers: one NDJSON file for each kind, the contents of files and recordings,
 * descriptions of messages of connected servers, and finally `manifest.json` with the SHA-256 of each file. `content_sha256` is the digest of the lines `<sha256>  <name>`,
 * one for each file in order, so one digest covers all files.
 */
export function createHoldArchive(sources: ArchiveSources): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  addAll(zip, sources).catch((error: Error) => output.destroy(error));
  return output;
}

async function addAll(zip: ZipFile, { db, blobs, teamId, hold, about }: ArchiveSources): Promise<void> {
  const entries: Entry[] = [];
  const counts: Record<string, number> = {};
  const missing: string[] = [];
  for (const kind of RETENTION_KINDS) {
    const rows = () => readHeldRows(db, { teamId, hold, kind, place: RETENTION_TARGETS[kind].place });
    const counted = { rows: 0 };
    entries.push(await addDigested(zip, `${kind}.ndjson`, Readable.from(toLines(kind, { rows: rows(), counted }))));
    counts[kind] = counted.rows;
    for await (const row of rows()) {
      if (!row.blob) continue;
      const content = await blobs.get(row.blob);
      if (content === undefined) missing.push(row.id);
      else entries.push(await addDigested(zip, toPath(kind, row), content));
    }
  }
  const connected = { rows: 0, covered: 0, withheld: 0 };
  const described = describeConnected(readConnectedHeldRows(db, teamId, hold), connected);
  entries.push(await addDigested(zip, `${CONNECTED}.ndjson`, Readable.from(described)));
  counts[CONNECTED] = connected.rows;
  const lines = entries.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
  const content_sha256 = createHash('sha256').update(lines).digest('hex');
  const manifest = {
    ...about,
    counts,
    missing_contents: missing,
    [CONNECTED]: { ...connected, note: AT_SERVER },
    entries,
    content_sha256,
  };
  zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), 'manifest.json');
  zip.end();
}

const CONNECTED = 'connected_messages';
const AT_SERVER =
  'The text of these messages and the contents of their files stay at their server. Steward never stored them. ' +
  'Of withheld ones, which are marked deleted or are earlier versions, the server does not give the text to anyone through its API.';

/** `withheld` counts messages whose text can't be read from the server either. */
async function* describeConnected(
  rows: ReturnType<typeof readConnectedHeldRows>,
  counted: { rows: number; covered: number; withheld: number },
): AsyncIterable<string> {
  for await (const row of rows) {
    counted.rows += 1;
    if (row.covered) counted.covered += 1;
    if (row.deleted_at > 0 || row.original_id !== '') counted.withheld += 1;
    yield `${JSON.stringify(row)}\n`;
  }
}

const toPath = (kind: string, row: HeldRow) => getContentPath(kind, { id: row.id, name: row.name });

async function* toLines(
  kind: string,
  { rows, counted }: { rows: AsyncIterable<HeldRow>; counted: { rows: number } },
): AsyncIterable<string> {
  for await (const { blob, ...row } of rows) {
    counted.rows += 1;
    const content = blob === undefined ? {} : { content: blob === null ? '' : toPath(kind, row as HeldRow) };
    yield `${JSON.stringify({ ...row, ...content })}\n`;
  }
}

async function addDigested(zip: ZipFile, name: string, content: Readable): Promise<Entry> {
  const digest = createHash('sha256');
  const counter = { bytes: 0 };
  const through = digesting(digest, counter);
  content.once('error', (error) => through.destroy(error));
  through.once('close', () => content.destroy());
  await addZipEntry(zip, name, content.pipe(through));
  return { name, bytes: counter.bytes, sha256: digest.digest('hex') };
}

function digesting(digest: Hash, counter: { bytes: number }): Transform {
  return new Transform({
    transform(chunk: Buffer | string, _encoding, done) {
      const bytes = Buffer.from(chunk);
      digest.update(bytes);
      counter.bytes += bytes.length;
      done(null, bytes);
    },
  });
}
