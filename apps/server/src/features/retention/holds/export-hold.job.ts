import { z } from 'zod';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { addAuditEvent, JOB_ORIGIN } from '#workspace/audit/audit.store.ts';
import { writeExportFile } from '#workspace/content/export-file.actions.ts';
import { listActiveHolds } from '#workspace/content/holds/held.store.ts';
import { findHold } from '#workspace/content/holds/holds.store.ts';
import { getTeamName } from '#workspace/users/teams.store.ts';
import { findUserName } from '#workspace/users/users.store.ts';
import { createHoldArchive } from './hold-archive.ts';

export const exportHoldJob = defineJob({
  name: 'holds.export',
  payload: z.object({ team_id: z.string(), export_id: z.string(), reason: z.string() }),
  retries: 5,
  retrySeconds: 10,
  retryMaxSeconds: 600,
  expireSeconds: 4 * 3_600,
});

/** The last audit row contains the digest of the file, so that a copy can be verified later. */
export function createExportHoldWorker(deps: Deps) {
  return defineWorker(exportHoldJob, async ({ team_id: teamId, export_id: exportId, reason }, { isLast }) => {
    let holdId = '';
    const ended = await writeExportFile(deps, { teamId, exportId, isLast }, async ({ subjectId, requestedBy }) => {
      holdId = subjectId;
      return createHoldArchive(await getSources(deps, { teamId, holdId, requestedBy, reason }));
    });
    if (!ended) return;
    const details = { export_id: exportId, state: ended.state, size: ended.size, sha256: ended.sha256 };
    const event = { action: 'holds.export_ended', teamId, actorId: null, target: holdId, details } as const;
    await inTransaction(deps.db, (trx) => addAuditEvent(trx, deps, { ...event, origin: JOB_ORIGIN }));
  });
}

async function getSources(
  { db, blobs }: Deps,
  { teamId, holdId, requestedBy, reason }: { teamId: string; holdId: string; requestedBy: string; reason: string },
) {
  const active = (await listActiveHolds(db, teamId)).find(({ id }) => id === holdId);
  const stored = await findHold(db, { teamId, id: holdId }, requestedBy);
  if (!active || !stored) throw new Error(`hold ${holdId} has ended`);
  const { name, user_ids, channel_ids, connected_user_ids, connected_channel_ids, settings, from, to, created_at } =
    stored;
  const scope = { user_ids, channel_ids, connected_user_ids, connected_channel_ids, settings, from, to };
  const about = {
    created_at: new Date().toISOString(),
    team: { id: teamId, name: await getTeamName(db, teamId) },
    hold: { id: holdId, name, reason: stored.reason, ...scope, created_at },
    requested_by: { id: requestedBy, name: await findUserName(db, requestedBy) },
    reason,
  };
  return { db, blobs, teamId, hold: active, about };
}
