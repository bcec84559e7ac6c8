import { z } from 'zod';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { sessionLimits } from '#workspace/access/sessions/sessions.store.ts';
import { writeExportFile } from '#workspace/content/export-file.actions.ts';
import { type ExportScope, findKnownEmail, listFormerAndCurrentTeams } from './export-rows.store.ts';
import { createArchive } from './write-archive.ts';

/** Writes an export of a user's data. */
export const writeExport = defineJob({
  name: 'privacy.export',
  payload: z.object({ team_id: z.string(), export_id: z.string() }),
  retries: 5,
  retrySeconds: 10,
  retryMaxSeconds: 600,
  expireSeconds: 4 * 3_600,
});

export function createExportWorker(deps: Deps) {
  return defineWorker(writeExport, async ({ team_id: teamId, export_id: exportId }, { isLast }) => {
    await writeExportFile(deps, { teamId, exportId, isLast }, async ({ subjectId: userId }) =>
      createArchive(deps, await getScope(deps, { teamId, userId })),
    );
  });
}

async function getScope(deps: Deps, { teamId, userId }: { teamId: string; userId: string }): Promise<ExportScope> {
  const isOwn = teamId === '';
  const teamIds = isOwn ? await listFormerAndCurrentTeams(deps.db, userId) : [teamId];
  return {
    userId,
    teamIds,
    isOwn,
    email: await findKnownEmail(deps.db, userId, teamId),
    limits: sessionLimits(deps.env),
  };
}
