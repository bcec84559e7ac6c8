import {
  addInvitationLink,
  askToJoin,
  checkInvitationLink,
  listInvitationLinks,
  revokeInvitationLink,
} from '@steward/contract/users/invitation-links';
import { newId } from '#platform/database/ids.ts';
import type { Matrix } from '../actors.ts';
import { forAdmins, UNKNOWN } from './rows.ts';

/** Only the link counts, not the session. */
const forAll = (status: number) => ({ OUT: status, TU: status, ZD: status, XA: status, TA: status, TO: status });
const unknown = 'A'.repeat(43);
const createAddress = () => `${newId()}@example.test`;

export const invitationLinkRows: Matrix = {
  listInvitationLinks: [forAdmins(listInvitationLinks)],
  addInvitationLink: [forAdmins(addInvitationLink, () => ({ body: { hours: 24, max_uses: 5 } }))],
  revokeInvitationLink: [
    forAdmins(revokeInvitationLink, async (world) => ({ params: { linkId: (await world.createInvitationLink()).id } })),
    { ...forAdmins(revokeInvitationLink, () => ({ params: { linkId: newId() } })), ...UNKNOWN },
    {
      ...forAdmins(revokeInvitationLink, async (world) => ({
        params: { linkId: (await world.createForeignInvitationLink()).id },
      })),
      ...UNKNOWN,
      about: 'of another team',
    },
  ],
  checkInvitationLink: [
    {
      endpoint: checkInvitationLink,
      expected: forAll(200),
      send: async (world) => ({ body: { token: (await world.createInvitationLink()).token } }),
    },
    {
      endpoint: checkInvitationLink,
      about: 'that is unknown',
      expected: forAll(400),
      send: () => ({ body: { token: unknown } }),
    },
  ],
  askToJoin: [
    {
      endpoint: askToJoin,
      expected: forAll(200),
      send: async (world) => ({ body: { token: (await world.createInvitationLink()).token, email: createAddress() } }),
    },
    {
      endpoint: askToJoin,
      about: 'with an unknown link',
      expected: forAll(400),
      send: () => ({ body: { token: unknown, email: createAddress() } }),
    },
  ],
};
