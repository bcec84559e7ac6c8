import type { Readable } from 'node:stream';
import { z } from 'zod';
import { newBlobKey } from '#platform/blobs/blobs.ts';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { claimUnreferencedBlobs, trackUnreferencedBlobs } from '#workspace/content/unreferenced-blobs.store.ts';
import { sessionLimits } from '#workspace/sessions/sessions.store.ts';
import { type ExportScope, findKnownEmail, listFormerAndCurrentTeams } from './export-rows.store.ts';
import { addPart, beginAttempt, type ExportKey, endExport } from './exports.store.ts';
import { createArchive } from './write-archive.ts';

/** Writes an export. Repeated after a crash, it begins again: of what an earlier attempt wrote nothing is left. */
export const writeExport = defineJob({
  name: 'privacy.export',
  payload: z.object({ team_id: z.string(), export_id: z.string() }),
  retries: 5,
  retrySeconds: 10,
  retryMaxSeconds: 600,
  expireSeconds: 4 * 3_600,
});

/** Size of a piece: what is held in memory. The file is stored in pieces, since its size isn't known before its end. */
const PIECE = 8 * 1024 * 1024;

/** Another attempt took over, or the export was deleted because the person was erased. */
class Superseded extends Error {}

/** Its worker. */
export function createExportWorker(deps: Deps) {
  return defineWorker(writeExport, async ({ team_id: teamId, export_id: exportId }, { isLast }) => {
    const place = { teamId, exportId, holder: newId() };
    const begun = await begin(deps, place);
    if (!begun) return;
    try {
      await write(deps, { ...place, personId: begun.person_id });
      await endExport(deps.db, place, 'done');
    } catch (error) {
      if (error instanceof Superseded) return;
      if (isLast) await endExport(deps.db, place, 'failed');
      throw error;
    }
  });
}

type Place = ExportKey & { holder: string };

/** Pieces of an attempt that was killed are deleted like any content that nothing refers to. */
async function begin(deps: Deps, place: Place) {
  return inTransaction(deps.db, async (trx) => {
    const begun = await beginAttempt(trx, place, place.holder);
    if (begun) await trackUnreferencedBlobs(trx, place.teamId || begun.person_id, begun.parts);
    return begun;
  });
}

async function write(deps: Deps, place: Place & { personId: string }): Promise<void> {
  const scope = await getScope(deps, place);
  for await (const piece of toPieces(createArchive(deps, scope))) await store(deps, place, piece);
}

async function getScope(deps: Deps, { teamId, personId }: Place & { personId: string }): Promise<ExportScope> {
  const isOwn = teamId === '';
  const teamIds = isOwn ? await listFormerAndCurrentTeams(deps.db, personId) : [teamId];
  return {
    personId,
    teamIds,
    isOwn,
    email: await findKnownEmail(deps.db, personId, teamId),
    limits: sessionLimits(deps.env),
  };
}

async function* toPieces(stream: Readable): AsyncIterable<Buffer> {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < PIECE) continue;
    yield Buffer.concat(chunks);
    [chunks, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(chunks);
}

/** Tracked before it is written, so that a piece that no export refers to is found and deleted. */
async function store({ db, blobs }: Deps, place: Place & { personId: string }, piece: Buffer): Promise<void> {
  const owner = place.teamId || place.personId;
  const key = newBlobKey(owner, 'person_export');
  await inTransaction(db, (trx) => trackUnreferencedBlobs(trx, owner, [key]));
  await blobs.put(key, piece);
  await inTransaction(db, async (trx) => {
    const isOurs = await addPart(trx, place, { key, size: piece.length });
    if (!isOurs || !(await claimUnreferencedBlobs(trx, [key]))) throw new Superseded();
  });
}
