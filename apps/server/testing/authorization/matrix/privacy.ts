import {
  eraseUser,
  exportOwnData,
  exportUser,
  getOwnExport,
  getUserExport,
  listErasedUsers,
  listFormerUsers,
  listUserExports,
} from '@steward/contract/users/privacy';
import { newId } from '#platform/database/ids.ts';
import type { Matrix } from '../actors.ts';
import { ADMINS, forAdmins, forOwners } from './rows.ts';

const SIGNED_IN = { OUT: 401, TU: 200, ZD: 200, XA: 200, TA: 200, TO: 200 };
const OWNERS = { ...ADMINS, TA: 403 };
const body = { reason: 'Request of the user' };

export const privacyRows: Matrix = {
  exportUser: [
    forOwners(exportUser, (world) => ({ params: { userId: world.memberId }, body })),
    {
      ...forOwners(exportUser, async () => ({ params: { userId: newId() }, body })),
      about: 'of an unknown id',
      expected: { ...OWNERS, TO: 404 },
    },
  ],
  getUserExport: [
    forOwners(getUserExport, async (world, me) => ({
      params: { userId: world.memberId, exportId: await world.createUserExport(me.id) },
    })),
    {
      ...forOwners(getUserExport, async (world) => ({
        params: { userId: world.memberId, exportId: await world.createUserExport(newId()) },
      })),
      about: 'requested by someone else',
      expected: { ...OWNERS, TO: 404 },
    },
  ],
  listUserExports: [forOwners(listUserExports)],
  listFormerUsers: [forOwners(listFormerUsers)],
  listErasedUsers: [forOwners(listErasedUsers)],
  eraseUser: [
    forOwners(eraseUser, async (world) => {
      const { id, email } = await world.createDeactivatedMember();
      return { params: { userId: id }, body: { confirm: email } };
    }),
    {
      ...forOwners(eraseUser, async (world) => ({
        params: { userId: await world.createMember({}) },
        body: { confirm: 'a@example.test' },
      })),
      about: 'of an active user',
      expected: { ...OWNERS, TO: 409 },
    },
    {
      ...forAdmins(eraseUser, async () => ({ params: { userId: newId() }, body: { confirm: 'a@example.test' } })),
      about: 'of an unknown id',
      expected: { ...OWNERS, TO: 404 },
    },
  ],
  exportOwnData: [{ endpoint: exportOwnData, expected: SIGNED_IN }],
  getOwnExport: [{ endpoint: getOwnExport, expected: SIGNED_IN }],
};
