import { newId } from '#platform/database/ids.ts';
import type { Matrix } from '../../actors.ts';
import { forOwners, UNKNOWN } from '../rows.ts';

/** Covers the management of provisioning. Tests of the feature cover its tokens, which need no session. */
export const scimRows: Matrix = {
  listScimTokens: [forOwners()],
  addScimToken: [forOwners(() => ({ body: { name: 'Directory' } }))],
  removeScimToken: [
    forOwners(async (world) => ({ params: { tokenId: await world.createScimToken() } })),
    forOwners(() => ({ params: { tokenId: newId() } }), { ...UNKNOWN, expected: { ...UNKNOWN.expected, TA: 403 } }),
    forOwners(async (world) => ({ params: { tokenId: await world.createForeignScimToken() } }), {
      about: 'of another team',
      expected: { ...UNKNOWN.expected, TA: 403 },
    }),
  ],
  listScimLog: [forOwners()],
};
