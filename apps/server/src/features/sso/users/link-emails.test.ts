import assert from 'node:assert/strict';
import { answerInvitation, leaveTeam } from '@steward/contract/account/memberships';
import { removeSso, saveSso } from '@steward/contract/sso/connection';
import { removeUser } from '@steward/contract/users/lifecycle';
import { beforeEach, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { type OidcPeer, startOidcPeer } from '#testing/peers/oidc-peer.ts';
import { browser, connection, getError, signInAtProvider } from '#testing/sso/sso.ts';
import { useProvider } from '#testing/sso/use-provider.ts';
import { type SignedInUser, signedIn, signIn, type UserOptions, user } from '#testing/workspace/factories.ts';

let node: TestApp;
let peer: OidcPeer;
let teamId: string;
let domain: string;
let connectionId: string;
let owner: SignedInUser;

useProvider((given) => {
  ({ node, peer, teamId, domain, connectionId } = given);
});
beforeEach(async () => {
  owner = await signedIn(node, { team: teamId, kind: 'owner' });
});

const member = (options: UserOptions = {}) => user(node, { team: teamId, email: `${newId()}@${domain}`, ...options });
const arrive = (email: string, from = browser(node)) =>
  signInAtProvider({ node, peer, connectionId, claims: { sub: newId(), email, email_verified: true }, from });

/** A member whose account was linked by a sign-in, and who has got the email about it. */
async function linked() {
  const who = await member();
  await arrive(who.email);
  await node.inbox.next(who.email);
  return who;
}
const expectRemoval = async (who: { email: string }, text: RegExp) => {
  const mail = await node.inbox.next(who.email);
  assert.match(mail.subject, /^Single sign-on was removed from your/);
  assert.match(mail.text.replace(/\s+/g, ' '), text);
};

describe('a new link is emailed to its user', () => {
  const expectLink = async (email: string, address = email) => {
    const mail = await node.inbox.next(email);
    assert.match(mail.subject, /^Single sign-on was linked to your/);
    assert.match(mail.text.replace(/\s+/g, ' '), new RegExp(`linked to ${address} at IdP, the identity provider of`));
  };

  test('after a sign-in that links, and after one that adds the user', async () => {
    const who = await member();
    await arrive(who.email);
    await expectLink(who.email);
    await arrive(`new@${domain}`);
    await expectLink(`new@${domain}`);
  });

  test('after linking under My account', async () => {
    const who = await member({ kind: 'admin' });
    await arrive(`other@${domain}`, browser(node, await signIn(node, who)));
    await expectLink(who.email, `other@${domain}`);
  });

  test('after accepting an invitation that the provider’s user got', async () => {
    const who = await signedIn(node, { email: `${newId()}@${domain}` });
    assert.equal(getError(await arrive(who.email)), 'sso.accept_invitation');
    assert.deepEqual(node.inbox.waiting(who.email), []);
    assert.equal(
      (await call(node, answerInvitation, { as: who, params: { teamId }, body: { accept: true } })).status,
      200,
    );
    await expectLink(who.email);
  });
});

describe('a removed link is emailed to its user', () => {
  test('when the user leaves the team', async () => {
    const who = await linked();
    assert.equal((await call(node, leaveTeam, { as: await signIn(node, who), params: { teamId } })).status, 200);
    await expectRemoval(who, /You left the team/);
  });

  test('when the user is removed from the team', async () => {
    const who = await linked();
    assert.equal((await call(node, removeUser, { as: owner, params: { teamId, userId: who.id } })).status, 200);
    await expectRemoval(who, /You no longer belong to the team/);
  });

  test('when the connection is removed or gets another issuer', async () => {
    const first = await linked();
    await using other = await startOidcPeer();
    const body = { name: 'IdP', issuer: other.issuer };
    assert.equal((await call(node, saveSso, { as: owner, params: { teamId }, body })).status, 200);
    await expectRemoval(first, /removed or replaced its identity provider/);
    assert.equal((await call(node, removeSso, { as: owner, params: { teamId } })).status, 200);
    connectionId = await connection(node, teamId, peer);
    await arrive(first.email);
    await node.inbox.next(first.email);
    assert.equal((await call(node, removeSso, { as: owner, params: { teamId } })).status, 200);
    await expectRemoval(first, /removed or replaced its identity provider/);
  });
});
