import { newId } from '#platform/database/ids.ts';
import type { Matrix } from '../../actors.ts';
import { forAll, forOwners, forSignedIn, SIGNED_IN, UNKNOWN_TO_OWNERS } from '../rows.ts';

const ANYONE = forAll(200);
const REFUSED = forAll(400);

/** Only the browser in which the sign-in began has its cookie. */
const toHeaders = ({ cookie }: { cookie: string }) => ({ headers: { cookie } });

export const ssoRows: Matrix = {
  getLoginOptions: [{ expected: ANYONE, send: (_world, me) => ({ body: { login_id: me.email } }) }],
  listDomains: [forOwners()],
  addDomain: [forOwners(() => ({ body: { domain: `${newId()}.example` } }))],
  verifyDomain: [
    forOwners(async (world) => ({ params: { domainId: await world.createDomain() } })),
    forOwners(() => ({ params: { domainId: newId() } }), UNKNOWN_TO_OWNERS),
  ],
  removeDomain: [
    forOwners(async (world) => ({ params: { domainId: await world.createDomain() } })),
    forOwners(() => ({ params: { domainId: newId() } }), UNKNOWN_TO_OWNERS),
  ],
  getSso: [forOwners()],
  saveSso: [forOwners(() => ({ body: { name: 'Keycloak', issuer: `https://${newId()}.steward.example` } }))],
  removeSso: [forOwners((world) => world.createConnection().then(() => ({})))],
  unlinkIdentity: [
    forOwners(async (world) => ({ params: { userId: await world.createLinkedMember() } })),
    forOwners(() => ({ params: { userId: newId() } }), UNKNOWN_TO_OWNERS),
  ],
  listOwnLinks: [forSignedIn()],
  linkOwnAccount: [
    {
      expected: { ...SIGNED_IN, XA: 404 },
      send: (world) => world.createConnection().then(() => ({ params: { teamId: world.teamId } })),
    },
  ],
  getWaitingSignIn: [
    {
      expected: ANYONE,
      send: async (world) => {
        const arrived = await world.createArrivedMember();
        return { ...toHeaders(arrived), query: { id: arrived.id } };
      },
    },
    {
      about: 'without its cookie',
      expected: REFUSED,
      send: async (world) => ({ query: { id: (await world.createArrivedMember()).id } }),
    },
  ],
  finishSignIn: [
    {
      expected: ANYONE,
      send: async (world) => {
        const arrived = await world.createArrivedMember();
        return { ...toHeaders(arrived), body: { id: arrived.id } };
      },
    },
    {
      about: 'with the id of another one',
      expected: REFUSED,
      send: async (world) => ({ ...toHeaders(await world.createArrivedMember()), body: { id: 'x' } }),
    },
  ],
  testSso: [forOwners((world) => world.createConnection().then(() => ({})))],
};
