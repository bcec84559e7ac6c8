import { newId } from '#platform/database/ids.ts';
import type { Matrix } from '../actors.ts';
import { forAdmins, forOwners, forSignedIn, OWNERS, UNKNOWN_TO_OWNERS } from './rows.ts';

const body = { reason: 'Request of the user' };

export const privacyRows: Matrix = {
  exportUser: [
    forOwners((world) => ({ params: { userId: world.memberId }, body })),
    forOwners(async () => ({ params: { userId: newId() }, body }), UNKNOWN_TO_OWNERS),
  ],
  getUserExport: [
    forOwners(async (world, me) => ({
      params: { userId: world.memberId, exportId: await world.createUserExport(me.id) },
    })),
    forOwners(
      async (world) => ({
        params: { userId: world.memberId, exportId: await world.createUserExport(newId()) },
      }),
      { about: 'requested by someone else', expected: { ...OWNERS, TO: 404 } },
    ),
  ],
  listUserExports: [forOwners()],
  listFormerUsers: [forOwners()],
  listErasedUsers: [forOwners()],
  eraseUser: [
    forOwners(async (world) => {
      const { id, email } = await world.createDeactivatedMember();
      return { params: { userId: id }, body: { confirm: email } };
    }),
    forOwners(
      async (world) => ({
        params: { userId: await world.createMember({}) },
        body: { confirm: 'a@example.test' },
      }),
      { about: 'of an active user', expected: { ...OWNERS, TO: 409 } },
    ),
    forAdmins(async () => ({ params: { userId: newId() }, body: { confirm: 'a@example.test' } }), UNKNOWN_TO_OWNERS),
  ],
  exportOwnData: [forSignedIn()],
  getOwnExport: [forSignedIn()],
};
