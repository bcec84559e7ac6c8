import { newId } from '#platform/database/ids.ts';
import type { Matrix, MatrixRow, World } from '../actors.ts';
import { forAll } from './rows.ts';

/** Each request has its own IP address, because of the limit of five an hour. */
let addresses = 0;
function nextAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

type FindToken = (world: World) => string | Promise<string>;

const NAMES = { first: 'Ada', last: 'Lovelace', password: 'a long enough password' };
const FINISHED = { ...NAMES, password2: NAMES.password };

const unknownToken = () => 'A'.repeat(43);
const resetToken: FindToken = (world) => world.createLink();

/** Only the emailed link counts, not the session. */
const byLink = (about: string, findToken: FindToken, { status = 200, body = {} } = {}): MatrixRow => ({
  about,
  expected: forAll(status),
  send: async (world) => ({ body: { token: await findToken(world), ...body } }),
});

const signUpToken =
  (checked: boolean): FindToken =>
  (world) =>
    world.createFreshSignUp({ checked });

export const signupRows: Matrix = {
  // Only the printed link counts, and there is none after the first team.
  setUp: [
    {
      about: 'when there is a team',
      expected: forAll(400),
      send: () => ({
        body: { token: unknownToken(), team_name: 'Acme', email: `${newId()}@example.test`, ...NAMES },
      }),
    },
  ],
  signUp: [
    {
      expected: forAll(200),
      send: () => ({
        body: { team_name: 'Acme', owner_email: `${newId()}@example.test`, invitees: [`${newId()}@example.test`] },
        from: nextAddress(),
      }),
    },
  ],
  checkSignUp: [
    byLink('of a sign-up', signUpToken(false)),
    byLink('of an invitation', (world) => world.createInvitation()),
    byLink('that is unknown', unknownToken, { status: 400 }),
    byLink('of a password reset', resetToken, { status: 400 }),
  ],
  finishSignUp: [
    byLink('of a sign-up', signUpToken(true), { body: FINISHED }),
    byLink('without a check', signUpToken(false), { status: 400, body: FINISHED }),
    byLink('that is unknown', unknownToken, { status: 400, body: FINISHED }),
    byLink('of a password reset', resetToken, { status: 400, body: FINISHED }),
  ],
};
