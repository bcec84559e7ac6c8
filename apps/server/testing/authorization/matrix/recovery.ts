import { getRecovery, restoreRun, saveRecovery } from '@steward/contract/retention/recovery';
import { newId } from '#platform/database/ids.ts';
import type { Matrix } from '../actors.ts';
import { ADMINS, forAdmins, forOwners } from './rows.ts';

const OWNERS = { ...ADMINS, TA: 403 };

export const recoveryRows: Matrix = {
  getRecovery: [forAdmins(getRecovery)],
  saveRecovery: [forAdmins(saveRecovery, () => ({ body: { recoverable_days: 30 } }))],
  restoreRun: [
    forOwners(restoreRun, async (world) => ({ params: { runId: await world.createArchivedRun() } })),
    {
      ...forOwners(restoreRun, () => ({ params: { runId: newId() } })),
      about: 'of an unknown id',
      expected: { ...OWNERS, TO: 404 },
    },
  ],
};
