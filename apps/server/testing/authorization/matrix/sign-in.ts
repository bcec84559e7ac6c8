import { newId } from '#platform/database/ids.ts';
import type { Sending } from '#testing/app/call.ts';
import { createAuthenticator } from '#testing/factors/authenticator.ts';
import { findNewestSession, passkey, pendingTotp, toCode, totpFactor } from '#testing/factors/factors.ts';
import { scimToken } from '#testing/peers/scim.ts';
import { arrivedMember, linkedMember, provableDomain, replaceConnection } from '#testing/sso/sso.ts';
import { team } from '#testing/workspace/factories.ts';
import { newChallenge } from '#workspace/access/factors/challenges.ts';
import type { Actor, Matrix, World } from '../actors.ts';
import { newUser } from './people.ts';
import {
  about,
  type Find,
  forAll,
  forAnyone,
  forOwners,
  forSignedIn,
  NO_INTEGRATION,
  NOT_FOUND,
  ownersAbout,
  row,
  type Send,
  SIGNED_IN,
  UNKNOWN,
  UNKNOWN_TO_OWNERS,
  unknownId,
} from './rows.ts';

const ORIGIN = 'http://steward.test';

async function useOwnPasskey({ node }: World, me: Actor) {
  if (me.column === 'OUT') return createAuthenticator({ origin: ORIGIN }).use({ challenge: 'AAAA' });
  const { key } = await passkey(node, me.id, ORIGIN);
  return key.use({ challenge: newChallenge(node.deps.secrets, { kind: 'use' }).toString('base64url') });
}

/** A passkey that the user's newest session creates. */
async function createPasskey({ node }: World, me: Actor) {
  const sessionId = await findNewestSession(node, me.id);
  const challenge = newChallenge(node.deps.secrets, { kind: 'create', sessionId }).toString('base64url');
  return { body: { name: 'Mine', response: createAuthenticator({ origin: ORIGIN }).create({ challenge }) } };
}

const newPasskey = async ({ node }: World, userId: string) => (await passkey(node, userId, ORIGIN)).id;
const newPasskeyOfAnother: Find = async (world) => newPasskey(world, await newUser()(world));

/** With an authenticator app that the user's sessions were confirmed with. */
async function withTotp({ node }: World, me: Actor) {
  if (me.column !== 'OUT') await totpFactor(node, me.id);
  return {};
}

async function newMemberWithTotp(world: World): Promise<string> {
  const id = await newUser()(world);
  await totpFactor(world.node, id);
  return id;
}

export const factorRows: Matrix = {
  getPasskeyOptions: [forAnyone(() => ({ body: {} }))],
  loginWithPasskey: [
    // OUT: an unknown passkey.
    forSignedIn(async (world, me) => ({ body: { response: await useOwnPasskey(world, me) } }), NO_INTEGRATION),
  ],
  reauthenticate: [forSignedIn((_world, me) => ({ body: { password: me.password } }))],
  getFactors: [forSignedIn()],
  addTotp: [forSignedIn()],
  confirmTotp: [forSignedIn(async ({ node }, me) => ({ body: { token: toCode(await pendingTotp(node, me.id)) } }))],
  removeTotp: [forSignedIn(withTotp)],
  addPasskeyOptions: [forSignedIn(() => ({ body: {} }))],
  addPasskey: [forSignedIn(createPasskey)],
  removePasskey: [
    forSignedIn(about('passkeyId', (world, me) => (me.column === 'OUT' ? newId() : newPasskey(world, me.id)))),
    row('of another user', NOT_FOUND, about('passkeyId', newPasskeyOfAnother)),
  ],
  renewRecoveryCodes: [forSignedIn(withTotp)],
  resetFactors: [forOwners(about('userId', newMemberWithTotp)), forOwners(about('userId', unknownId), UNKNOWN)],
};

/** Covers the management of provisioning. Tests of the feature cover its tokens, which need no session. */
export const scimRows: Matrix = {
  listScimTokens: [forOwners()],
  addScimToken: [forOwners(() => ({ body: { name: 'Directory' } }))],
  removeScimToken: [
    ...ownersAbout('tokenId', async ({ node, teamId, member }) => (await scimToken(node, teamId, member.id)).id),
    forOwners(
      about('tokenId', async ({ node, member }) => (await scimToken(node, await team(node), member.id)).id),
      { ...UNKNOWN_TO_OWNERS, about: 'of another team' },
    ),
  ],
  listScimLog: [forOwners()],
};

const POLICY = { require_mfa: 'none', idle_minutes: 30, session_hours: null, networks: [] };

const ZONES = ['Asia/Tokyo', 'America/Lima'];
const nextZone = () => {
  ZONES.push(ZONES.shift() ?? '');
  return ZONES[0];
};

export const securityRows: Matrix = {
  getSecurityPolicy: [forOwners()],
  getTeamSettings: [forOwners()],
  previewTimeZone: [forOwners(() => ({ query: { time_zone: 'Asia/Tokyo' } }))],
  // Only another time zone than before is a dangerous change.
  saveTeamSettings: [forOwners(() => ({ body: { time_zone: nextZone() } }))],
  saveSecurityPolicy: [forOwners(() => ({ body: POLICY }))],
};

const withConnection = async ({ node, teamId }: World) => {
  await replaceConnection(node, teamId);
  return {};
};

/** A single sign-on that waits for the user to continue. Only the browser in which it began has its cookie. */
const arrived =
  (send: (id: string) => Sending): Send =>
  async ({ node, teamId }) => {
    const { id, cookie } = await arrivedMember(node, teamId);
    return { headers: { cookie }, ...send(id) };
  };

const domainRows = ownersAbout('domainId', ({ node, teamId }) => provableDomain(node, teamId));

export const ssoRows: Matrix = {
  getLoginOptions: [forAnyone((_world, me) => ({ body: { login_id: me.email } }))],
  listDomains: [forOwners()],
  addDomain: [forOwners(() => ({ body: { domain: `${newId()}.example` } }))],
  verifyDomain: domainRows,
  removeDomain: domainRows,
  getSso: [forOwners()],
  saveSso: [forOwners(() => ({ body: { name: 'Keycloak', issuer: `https://${newId()}.steward.example` } }))],
  removeSso: [forOwners(withConnection)],
  unlinkIdentity: ownersAbout('userId', ({ node, teamId }) => linkedMember(node, teamId)),
  listOwnLinks: [forSignedIn()],
  linkOwnAccount: [
    forSignedIn(async (world) => ({ ...(await withConnection(world)), params: { teamId: world.teamId } }), {
      expected: { ...SIGNED_IN, XA: 404 },
    }),
  ],
  getWaitingSignIn: [
    forAnyone(arrived((id) => ({ query: { id } }))),
    row(
      'without its cookie',
      forAll(400),
      arrived((id) => ({ query: { id }, headers: {} })),
    ),
  ],
  finishSignIn: [
    forAnyone(arrived((id) => ({ body: { id } }))),
    row(
      'with the id of another one',
      forAll(400),
      arrived(() => ({ body: { id: 'x' } })),
    ),
  ],
  testSso: [forOwners(withConnection)],
};
