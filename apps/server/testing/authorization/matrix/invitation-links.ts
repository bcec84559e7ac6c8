import { newId } from '#platform/database/ids.ts';
import type { Matrix } from '../actors.ts';
import { forAdmins, forAll, UNKNOWN } from './rows.ts';

/** Only the link counts, not the session. */
const unknown = 'A'.repeat(43);
const createAddress = () => `${newId()}@example.test`;

export const invitationLinkRows: Matrix = {
  listInvitationLinks: [forAdmins()],
  addInvitationLink: [forAdmins(() => ({ body: { hours: 24, max_uses: 5 } }))],
  revokeInvitationLink: [
    forAdmins(async (world) => ({ params: { linkId: (await world.createInvitationLink()).id } })),
    forAdmins(() => ({ params: { linkId: newId() } }), UNKNOWN),
    forAdmins(
      async (world) => ({
        params: { linkId: (await world.createForeignInvitationLink()).id },
      }),
      { ...UNKNOWN, about: 'of another team' },
    ),
  ],
  checkInvitationLink: [
    {
      expected: forAll(200),
      send: async (world) => ({ body: { token: (await world.createInvitationLink()).token } }),
    },
    {
      about: 'that is unknown',
      expected: forAll(400),
      send: () => ({ body: { token: unknown } }),
    },
  ],
  askToJoin: [
    {
      expected: forAll(200),
      send: async (world) => ({ body: { token: (await world.createInvitationLink()).token, email: createAddress() } }),
    },
    {
      about: 'with an unknown link',
      expected: forAll(400),
      send: () => ({ body: { token: unknown, email: createAddress() } }),
    },
  ],
};
