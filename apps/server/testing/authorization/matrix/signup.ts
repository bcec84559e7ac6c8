import { team, user } from '#testing/workspace/factories.ts';
import { createSignUp, invitationLink, invitee, nextAddress } from '#testing/workspace/signup.ts';
import type { Matrix, MatrixRow, World } from '../actors.ts';
import {
  about,
  adminsAbout,
  type Find,
  forAdmins,
  forAll,
  forAnyone,
  newAddress,
  resetLink,
  row,
  UNKNOWN,
  UNKNOWN_TOKEN,
} from './rows.ts';

const NAMES = { first: 'Ada', last: 'Lovelace', password: 'a long enough password' };
const FINISHED = { ...NAMES, password2: NAMES.password };

const unknown = () => UNKNOWN_TOKEN;

/** Only the emailed link counts, not the session. */
const byLink = (about: string | undefined, find: Find, { status = 200, body = {} } = {}): MatrixRow => ({
  ...(about !== undefined && { about }),
  expected: forAll(status),
  send: async (world, me) => ({ body: { token: await find(world, me), ...body } }),
});

const signUpToken =
  (checked: boolean): Find =>
  async ({ node }) =>
    (await createSignUp(node, { checked })).token;

export const signupRows: Matrix = {
  // Only the printed link counts, and there is none after the first team.
  setUp: [
    row('when there is a team', forAll(400), () => ({
      body: { token: UNKNOWN_TOKEN, team_name: 'Acme', email: newAddress(), ...NAMES },
    })),
  ],
  signUp: [
    forAnyone(() => ({
      body: { team_name: 'Acme', owner_email: newAddress(), invitees: [newAddress()] },
      from: nextAddress(),
    })),
  ],
  checkSignUp: [
    byLink('of a sign-up', signUpToken(false)),
    byLink('of an invitation', async ({ node, teamId }) => (await invitee(node, teamId)).token),
    byLink('that is unknown', unknown, { status: 400 }),
    byLink('of a password reset', resetLink, { status: 400 }),
  ],
  finishSignUp: [
    byLink('of a sign-up', signUpToken(true), { body: FINISHED }),
    byLink('without a check', signUpToken(false), { status: 400, body: FINISHED }),
    byLink('that is unknown', unknown, { status: 400, body: FINISHED }),
    byLink('of a password reset', resetLink, { status: 400, body: FINISHED }),
  ],
};

async function newLink({ node, teamId }: Pick<World, 'node' | 'teamId'>): Promise<{ id: string; token: string }> {
  const { id: createdBy } = await user(node, { team: teamId, kind: 'admin' });
  return invitationLink(node, { teamId, createdBy });
}

export const invitationLinkRows: Matrix = {
  listInvitationLinks: [forAdmins()],
  addInvitationLink: [forAdmins(() => ({ body: { hours: 24, max_uses: 5 } }))],
  revokeInvitationLink: [
    ...adminsAbout('linkId', async (world) => (await newLink(world)).id),
    forAdmins(
      about('linkId', async ({ node }) => (await newLink({ node, teamId: await team(node) })).id),
      { ...UNKNOWN, about: 'of another team' },
    ),
  ],
  checkInvitationLink: [
    byLink(undefined, async (world) => (await newLink(world)).token),
    byLink('that is unknown', unknown, { status: 400 }),
  ],
  askToJoin: [
    forAnyone(async (world) => ({ body: { token: (await newLink(world)).token, email: newAddress() } })),
    row('with an unknown link', forAll(400), () => ({ body: { token: UNKNOWN_TOKEN, email: newAddress() } })),
  ],
};
