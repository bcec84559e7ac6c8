import { newId } from '#platform/database/ids.ts';
import type { Matrix } from '../actors.ts';
import { forAdmins, forOwners, UNKNOWN_TO_OWNERS } from './rows.ts';

export const recoveryRows: Matrix = {
  getRecovery: [forAdmins()],
  saveRecovery: [forAdmins(() => ({ body: { recoverable_days: 30 } }))],
  restoreRun: [
    forOwners(async (world) => ({ params: { runId: await world.createArchivedRun() } })),
    forOwners(() => ({ params: { runId: newId() } }), UNKNOWN_TO_OWNERS),
  ],
};
