import {
  addPasskey,
  addPasskeyOptions,
  addTotp,
  confirmTotp,
  getFactors,
  reauthenticate,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
} from '@steward/contract/factors/factors';
import { getPasskeyOptions, loginWithPasskey } from '@steward/contract/session/passkey';
import { resetFactors } from '@steward/contract/users/factors';
import { newId } from '#platform/database/ids.ts';
import { createAuthenticator } from '#testing/factors/authenticator.ts';
import { toCode } from '#testing/factors/factors.ts';
import type { Actor, Matrix, World } from '../../actors.ts';
import { forOwners } from '../rows.ts';

const SIGNED_IN = { OUT: 401, TU: 200, ZD: 200, XA: 200, TA: 200, TO: 200 };
const NOT_FOUND = { OUT: 401, TU: 404, ZD: 404, XA: 404, TA: 404, TO: 404 };
const FOR_ALL = { ...SIGNED_IN, OUT: 200 };
const ORIGIN = 'http://steward.test';

async function useOwnPasskey(world: World, me: Actor) {
  if (me.column === 'OUT') return createAuthenticator({ origin: ORIGIN }).use({ challenge: 'AAAA' });
  const { key } = await world.createPasskey(me.id, ORIGIN);
  return key.use({ challenge: world.createChallenge({ kind: 'use' }) });
}

export const factorRows: Matrix = {
  getPasskeyOptions: [{ endpoint: getPasskeyOptions, expected: FOR_ALL, send: () => ({ body: {} }) }],
  loginWithPasskey: [
    {
      endpoint: loginWithPasskey,
      // OUT: an unknown passkey.
      expected: { ...SIGNED_IN, ZD: 401 },
      send: async (world, me) => ({ body: { response: await useOwnPasskey(world, me) } }),
    },
  ],
  reauthenticate: [
    { endpoint: reauthenticate, expected: SIGNED_IN, send: (_world, me) => ({ body: { password: me.password } }) },
  ],
  getFactors: [{ endpoint: getFactors, expected: SIGNED_IN }],
  addTotp: [{ endpoint: addTotp, expected: SIGNED_IN }],
  confirmTotp: [
    {
      endpoint: confirmTotp,
      expected: SIGNED_IN,
      send: async (world, me) => ({ body: { token: toCode(await world.startTotp(me.id)) } }),
    },
  ],
  removeTotp: [
    {
      endpoint: removeTotp,
      expected: SIGNED_IN,
      send: async (world, me) => {
        if (me.column !== 'OUT') await world.createTotp(me.id);
        return {};
      },
    },
  ],
  addPasskeyOptions: [{ endpoint: addPasskeyOptions, expected: SIGNED_IN, send: () => ({ body: {} }) }],
  addPasskey: [
    {
      endpoint: addPasskey,
      expected: SIGNED_IN,
      send: async (world, me) => {
        const challenge = await world.createChallengeFor(me.id);
        return { body: { name: 'Mine', response: createAuthenticator({ origin: ORIGIN }).create({ challenge }) } };
      },
    },
  ],
  removePasskey: [
    {
      endpoint: removePasskey,
      expected: SIGNED_IN,
      send: async (world, me) => ({
        params: { passkeyId: me.column === 'OUT' ? newId() : (await world.createPasskey(me.id, ORIGIN)).id },
      }),
    },
    {
      endpoint: removePasskey,
      about: 'of another user',
      expected: NOT_FOUND,
      send: async (world) => ({
        params: { passkeyId: (await world.createPasskey(await world.createMember({}), ORIGIN)).id },
      }),
    },
  ],
  renewRecoveryCodes: [
    {
      endpoint: renewRecoveryCodes,
      expected: SIGNED_IN,
      send: async (world, me) => {
        if (me.column !== 'OUT') await world.createTotp(me.id);
        return {};
      },
    },
  ],
  resetFactors: [
    forOwners(resetFactors, async (world) => {
      const userId = await world.createMember({});
      await world.createTotp(userId);
      return { params: { userId } };
    }),
    {
      ...forOwners(resetFactors, () => ({ params: { userId: newId() } })),
      about: 'of an unknown id',
      expected: { OUT: 401, TU: 403, ZD: 403, XA: 403, TA: 404, TO: 404 },
    },
  ],
};
