import { getLoginOptions } from '@steward/contract/session/login-options';
import { getSso, removeSso, saveSso, testSso } from '@steward/contract/sso/connection';
import { finishSignIn, getWaitingSignIn } from '@steward/contract/sso/continue';
import { addDomain, listDomains, removeDomain, verifyDomain } from '@steward/contract/sso/domains';
import { linkOwnAccount, listOwnLinks, unlinkIdentity } from '@steward/contract/sso/identities';
import { newId } from '#platform/database/ids.ts';
import type { Matrix } from '../../actors.ts';
import { ADMINS, forOwners } from '../rows.ts';

const OWNERS = { ...ADMINS, TA: 403 };
const UNKNOWN = { about: 'of an unknown id', expected: { ...OWNERS, TO: 404 } };
const SIGNED_IN = { OUT: 401, TU: 200, ZD: 200, XA: 200, TA: 200, TO: 200 };
const ANYONE = { OUT: 200, TU: 200, ZD: 200, XA: 200, TA: 200, TO: 200 };
const REFUSED = { OUT: 400, TU: 400, ZD: 400, XA: 400, TA: 400, TO: 400 };

/** Only the browser in which the sign-in began has its cookie. */
const toHeaders = ({ cookie }: { cookie: string }) => ({ headers: { cookie } });

export const ssoRows: Matrix = {
  getLoginOptions: [
    { endpoint: getLoginOptions, expected: ANYONE, send: (_world, me) => ({ body: { login_id: me.email } }) },
  ],
  listDomains: [forOwners(listDomains)],
  addDomain: [forOwners(addDomain, () => ({ body: { domain: `${newId()}.example` } }))],
  verifyDomain: [
    forOwners(verifyDomain, async (world) => ({ params: { domainId: await world.createDomain() } })),
    { ...forOwners(verifyDomain, () => ({ params: { domainId: newId() } })), ...UNKNOWN },
  ],
  removeDomain: [
    forOwners(removeDomain, async (world) => ({ params: { domainId: await world.createDomain() } })),
    { ...forOwners(removeDomain, () => ({ params: { domainId: newId() } })), ...UNKNOWN },
  ],
  getSso: [forOwners(getSso)],
  saveSso: [forOwners(saveSso, () => ({ body: { name: 'Keycloak', issuer: `https://${newId()}.steward.example` } }))],
  removeSso: [forOwners(removeSso, (world) => world.createConnection().then(() => ({})))],
  unlinkIdentity: [
    forOwners(unlinkIdentity, async (world) => ({ params: { userId: await world.createLinkedMember() } })),
    { ...forOwners(unlinkIdentity, () => ({ params: { userId: newId() } })), ...UNKNOWN },
  ],
  listOwnLinks: [{ endpoint: listOwnLinks, expected: SIGNED_IN }],
  linkOwnAccount: [
    {
      endpoint: linkOwnAccount,
      expected: { ...SIGNED_IN, XA: 404 },
      send: (world) => world.createConnection().then(() => ({ params: { teamId: world.teamId } })),
    },
  ],
  getWaitingSignIn: [
    {
      endpoint: getWaitingSignIn,
      expected: ANYONE,
      send: async (world) => {
        const arrived = await world.createArrivedMember();
        return { ...toHeaders(arrived), query: { id: arrived.id } };
      },
    },
    {
      endpoint: getWaitingSignIn,
      about: 'without its cookie',
      expected: REFUSED,
      send: async (world) => ({ query: { id: (await world.createArrivedMember()).id } }),
    },
  ],
  finishSignIn: [
    {
      endpoint: finishSignIn,
      expected: ANYONE,
      send: async (world) => {
        const arrived = await world.createArrivedMember();
        return { ...toHeaders(arrived), body: { id: arrived.id } };
      },
    },
    {
      endpoint: finishSignIn,
      about: 'with the id of another one',
      expected: REFUSED,
      send: async (world) => ({ ...toHeaders(await world.createArrivedMember()), body: { id: 'x' } }),
    },
  ],
  testSso: [forOwners(testSso, (world) => world.createConnection().then(() => ({})))],
};
