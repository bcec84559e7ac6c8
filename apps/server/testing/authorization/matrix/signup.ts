import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { checkSignUp, finishSignUp, setUp, signUp } from '@steward/contract/signup';
import { newId } from '#platform/database/ids.ts';
import type { Matrix, MatrixRow, World } from '../actors.ts';

/** Only the emailed link counts, not the session. */
const forAll = (status: number) => ({ OUT: status, TU: status, ZD: status, XA: status, TA: status, TO: status });

/** Each request has its own IP address, because of the limit of five an hour. */
let addresses = 0;
function nextAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

const unknownToken = async () => 'A'.repeat(43);
const createResetLink = (world: World) => world.createLink();

function byLink(
  endpoint: AnyEndpoint,
  { about, status = 200, ...link }: { about: string; status?: number; extractToken: (world: World) => Promise<string> },
): MatrixRow {
  const names = { first: 'Ada', last: 'Lovelace', password: 'a long enough password' };
  const more = endpoint === finishSignUp ? { ...names, password2: names.password } : {};
  return {
    endpoint,
    about,
    expected: forAll(status),
    send: async (world) => ({ body: { token: await link.extractToken(world), ...more } }),
  };
}

/** Only the printed link counts, and there is none after the first team. */
const setUpRow: MatrixRow = {
  endpoint: setUp,
  about: 'when there is a team',
  expected: forAll(400),
  send: async () => ({
    body: {
      token: await unknownToken(),
      team_name: 'Acme',
      email: `${newId()}@example.test`,
      first: 'Ada',
      last: 'Lovelace',
      password: 'a long enough password',
    },
  }),
};

export const signupRows: Matrix = {
  setUp: [setUpRow],
  signUp: [
    {
      endpoint: signUp,
      expected: forAll(200),
      send: () => ({
        body: { team_name: 'Acme', owner_email: `${newId()}@example.test`, invitees: [`${newId()}@example.test`] },
        from: nextAddress(),
      }),
    },
  ],
  checkSignUp: [
    byLink(checkSignUp, {
      about: 'of a sign-up',
      extractToken: (world) => world.createFreshSignUp({ checked: false }),
    }),
    byLink(checkSignUp, { about: 'of an invitation', extractToken: (world) => world.createInvitation() }),
    byLink(checkSignUp, { about: 'that is unknown', status: 400, extractToken: unknownToken }),
    byLink(checkSignUp, { about: 'of a password reset', status: 400, extractToken: createResetLink }),
  ],
  finishSignUp: [
    byLink(finishSignUp, {
      about: 'of a sign-up',
      extractToken: (world) => world.createFreshSignUp({ checked: true }),
    }),
    byLink(finishSignUp, {
      about: 'without a check',
      status: 400,
      extractToken: (world) => world.createFreshSignUp({ checked: false }),
    }),
    byLink(finishSignUp, { about: 'that is unknown', status: 400, extractToken: unknownToken }),
    byLink(finishSignUp, { about: 'of a password reset', status: 400, extractToken: createResetLink }),
  ],
};
