import { newId } from '#platform/database/ids.ts';
import { createAuthenticator } from '#testing/factors/authenticator.ts';
import { toCode } from '#testing/factors/factors.ts';
import type { Actor, Matrix, World } from '../../actors.ts';
import { forAll, forOwners, forSignedIn, NOT_FOUND, SIGNED_IN } from '../rows.ts';

const ORIGIN = 'http://steward.test';

async function useOwnPasskey(world: World, me: Actor) {
  if (me.column === 'OUT') return createAuthenticator({ origin: ORIGIN }).use({ challenge: 'AAAA' });
  const { key } = await world.createPasskey(me.id, ORIGIN);
  return key.use({ challenge: world.createChallenge({ kind: 'use' }) });
}

export const factorRows: Matrix = {
  getPasskeyOptions: [{ expected: forAll(200), send: () => ({ body: {} }) }],
  loginWithPasskey: [
    {
      // OUT: an unknown passkey.
      expected: { ...SIGNED_IN, ZD: 401 },
      send: async (world, me) => ({ body: { response: await useOwnPasskey(world, me) } }),
    },
  ],
  reauthenticate: [forSignedIn((_world, me) => ({ body: { password: me.password } }))],
  getFactors: [forSignedIn()],
  addTotp: [forSignedIn()],
  confirmTotp: [forSignedIn(async (world, me) => ({ body: { token: toCode(await world.startTotp(me.id)) } }))],
  removeTotp: [
    forSignedIn(async (world, me) => {
      if (me.column !== 'OUT') await world.createTotp(me.id);
      return {};
    }),
  ],
  addPasskeyOptions: [forSignedIn(() => ({ body: {} }))],
  addPasskey: [
    forSignedIn(async (world, me) => {
      const challenge = await world.createChallengeFor(me.id);
      return { body: { name: 'Mine', response: createAuthenticator({ origin: ORIGIN }).create({ challenge }) } };
    }),
  ],
  removePasskey: [
    forSignedIn(async (world, me) => ({
      params: { passkeyId: me.column === 'OUT' ? newId() : (await world.createPasskey(me.id, ORIGIN)).id },
    })),
    {
      about: 'of another user',
      expected: NOT_FOUND,
      send: async (world) => ({
        params: { passkeyId: (await world.createPasskey(await world.createMember({}), ORIGIN)).id },
      }),
    },
  ],
  renewRecoveryCodes: [
    forSignedIn(async (world, me) => {
      if (me.column !== 'OUT') await world.createTotp(me.id);
      return {};
    }),
  ],
  resetFactors: [
    forOwners(async (world) => {
      const userId = await world.createMember({});
      await world.createTotp(userId);
      return { params: { userId } };
    }),
    forOwners(() => ({ params: { userId: newId() } }), {
      about: 'of an unknown id',
      expected: { OUT: 401, TU: 403, ZD: 403, XA: 403, TA: 404, TO: 404 },
    }),
  ],
};
