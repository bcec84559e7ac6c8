import { newId } from '#platform/database/ids.ts';
import type { Matrix, World } from '../actors.ts';
import { forAdmins, forOwners, OWNERS, UNKNOWN, UNKNOWN_TO_OWNERS } from './rows.ts';

const reason = { reason: 'Case 12' };
const named = { name: 'Dispute', ...reason };
const toHold = async (world: World) => ({ holdId: await world.createHold() });
const unknown = () => ({ holdId: newId() });

export const holdRows: Matrix = {
  listHolds: [forAdmins()],
  addHold: [forAdmins((world) => ({ body: { ...named, user_ids: [world.memberId] } }))],
  saveHold: [
    forAdmins(async (world) => ({ params: await toHold(world), body: { name: 'Renamed' } })),
    forAdmins(() => ({ params: unknown(), body: { name: 'Renamed' } }), UNKNOWN),
  ],
  releaseHold: [
    forOwners(async (world) => ({ params: await toHold(world), body: reason })),
    forOwners(() => ({ params: unknown(), body: reason }), UNKNOWN_TO_OWNERS),
  ],
  exportHold: [
    forOwners(async (world) => ({ params: await toHold(world), body: reason })),
    forOwners(() => ({ params: unknown(), body: reason }), UNKNOWN_TO_OWNERS),
  ],
  getHoldExport: [
    forOwners(async (world, me) => {
      const holdId = await world.createHold();
      return { params: { holdId, exportId: await world.createHoldExport({ holdId, requestedBy: me.id }) } };
    }),
    forOwners(
      async (world) => {
        const holdId = await world.createHold();
        return { params: { holdId, exportId: await world.createHoldExport({ holdId, requestedBy: newId() }) } };
      },
      { about: 'requested by someone else', expected: { ...OWNERS, TO: 404 } },
    ),
  ],
};
