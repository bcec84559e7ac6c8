import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { checkSignUp, finishSignUp, signUp } from '@steward/contract/signup';
import { newId } from '#platform/database/ids.ts';
import type { Matrix, MatrixRow, World } from './actors.ts';

/** A session means nothing here: what was mailed decides alone. */
const everybody = (status: number) => ({ OUT: status, TU: status, ZD: status, XA: status, TA: status, TO: status });

/** Each from an address of its own: five requests an hour come from one. */
let strangers = 0;
function stranger(): string {
  strangers += 1;
  return `198.51.100.${strangers}`;
}

const nobodys = async () => 'A'.repeat(43);
const ofReset = (world: World) => world.createLink();

function byLink(
  endpoint: AnyEndpoint,
  {
    about,
    status = 200,
    ...tried
  }: { about: string; status?: number; extractToken: (world: World) => Promise<string> },
): MatrixRow {
  const names = { first: 'Ada', last: 'Lovelace', password: 'a long enough password' };
  const more = endpoint === finishSignUp ? { ...names, password2: names.password } : {};
  return {
    endpoint,
    about,
    expected: everybody(status),
    send: async (world) => ({ body: { token: await tried.extractToken(world), ...more } }),
  };
}

/** Who may sign up, and finish what was mailed (trust §6): anybody who holds the link. */
export const signupRows: Matrix = {
  signUp: [
    {
      endpoint: signUp,
      expected: everybody(200),
      send: () => ({
        body: { team_name: 'Acme', owner_email: `${newId()}@example.test`, invitees: [`${newId()}@example.test`] },
        from: stranger(),
      }),
    },
  ],
  checkSignUp: [
    byLink(checkSignUp, {
      about: 'of a sign-up',
      extractToken: (world) => world.createFreshSignUp({ checked: false }),
    }),
    byLink(checkSignUp, { about: 'of an invitation', extractToken: (world) => world.createInvitation() }),
    byLink(checkSignUp, { about: 'of nobody', status: 400, extractToken: nobodys }),
    byLink(checkSignUp, { about: 'of a password reset', status: 400, extractToken: ofReset }),
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
    byLink(finishSignUp, { about: 'of nobody', status: 400, extractToken: nobodys }),
    byLink(finishSignUp, { about: 'of a password reset', status: 400, extractToken: ofReset }),
  ],
};
