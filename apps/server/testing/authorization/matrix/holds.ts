import {
  addHold,
  exportHold,
  getHoldExport,
  listHolds,
  releaseHold,
  saveHold,
} from '@steward/contract/retention/holds';
import { newId } from '#platform/database/ids.ts';
import type { Matrix, World } from '../actors.ts';
import { ADMINS, forAdmins, forOwners, UNKNOWN } from './rows.ts';

const OWNERS = { ...ADMINS, TA: 403 };
const reason = { reason: 'Case 12' };
const named = { name: 'Dispute', ...reason };
const toHold = async (world: World) => ({ holdId: await world.createHold() });
const unknown = () => ({ holdId: newId() });

export const holdRows: Matrix = {
  listHolds: [forAdmins(listHolds)],
  addHold: [forAdmins(addHold, (world) => ({ body: { ...named, user_ids: [world.memberId] } }))],
  saveHold: [
    forAdmins(saveHold, async (world) => ({ params: await toHold(world), body: { name: 'Renamed' } })),
    { ...forAdmins(saveHold, () => ({ params: unknown(), body: { name: 'Renamed' } })), ...UNKNOWN },
  ],
  releaseHold: [
    forOwners(releaseHold, async (world) => ({ params: await toHold(world), body: reason })),
    {
      ...forOwners(releaseHold, () => ({ params: unknown(), body: reason })),
      about: 'of an unknown id',
      expected: { ...OWNERS, TO: 404 },
    },
  ],
  exportHold: [
    forOwners(exportHold, async (world) => ({ params: await toHold(world), body: reason })),
    {
      ...forOwners(exportHold, () => ({ params: unknown(), body: reason })),
      about: 'of an unknown id',
      expected: { ...OWNERS, TO: 404 },
    },
  ],
  getHoldExport: [
    forOwners(getHoldExport, async (world, me) => {
      const holdId = await world.createHold();
      return { params: { holdId, exportId: await world.createHoldExport({ holdId, requestedBy: me.id }) } };
    }),
    {
      ...forOwners(getHoldExport, async (world) => {
        const holdId = await world.createHold();
        return { params: { holdId, exportId: await world.createHoldExport({ holdId, requestedBy: newId() }) } };
      }),
      about: 'requested by someone else',
      expected: { ...OWNERS, TO: 404 },
    },
  ],
};
