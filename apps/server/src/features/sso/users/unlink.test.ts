import assert from 'node:assert/strict';
import { getMe } from '@steward/contract/session';
import { unlinkIdentity } from '@steward/contract/sso/identities';
import { sql } from 'kysely';
import { beforeEach, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import type { OidcPeer } from '#testing/peers/oidc-peer.ts';
import { getError, linkedMember, signInAtProvider } from '#testing/sso/sso.ts';
import { useProvider } from '#testing/sso/use-provider.ts';
import { signIn, team, type UserOptions, user } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let peer: OidcPeer;
let teamId: string;
let domain: string;
let connectionId: string;
let owner: { cookie: string };

useProvider((given) => {
  ({ node, peer, teamId, domain, connectionId } = given);
});
beforeEach(async () => {
  owner = await signIn(node, await member({ kind: 'owner' }));
});

const member = (options: UserOptions = {}) => user(node, { team: teamId, email: `${newId()}@${domain}`, ...options });
const toClaims = (email: string) => ({ sub: newId(), email, email_verified: true });
const arrive = (claims: ReturnType<typeof toClaims>) => signInAtProvider({ node, peer, connectionId, claims });
const linkedTo = async (userId: string) =>
  (await sql<{ subject: string }>`select subject from sso_identities where person_id = ${userId}`.execute(node.db))
    .rows;
const unlink = (userId: string, as = owner) => call(node, unlinkIdentity, { as, params: { teamId, userId } });

describe('an owner', () => {
  test('removes the link of a member, whose sessions by it end, and whom another user of the provider then gets', async () => {
    const who = await member();
    const { browser: from } = await arrive(toClaims(who.email));
    const { browser: other } = await arrive(toClaims((await member()).email));
    const password = await signIn(node, who);
    const again = toClaims(who.email);
    assert.equal(getError(await arrive(again)), 'sso.other_identity');
    const reply = await unlink(who.id);
    assert.deepEqual([reply.status, reply.body.revoked], [200, 1]);
    assert.equal((await call(node, getMe, { as: from.cookie() })).status, 401);
    assert.equal((await call(node, getMe, { as: password })).status, 200, 'the other session goes on');
    assert.equal((await call(node, getMe, { as: other.cookie() })).status, 200, 'other users stay signed in');
    await node.inbox.next(who.email);
    const mail = await node.inbox.next(who.email);
    assert.match(mail.subject, /^Single sign-on was removed from your/);
    assert.match(mail.text, /An owner of the team .* removed the link/);
    assert.ok((await auditRows(node, 'sso.unlinked')).some(({ target }) => target === who.id));
    assert.equal((await arrive(again)).status, 200);
    assert.deepEqual(await linkedTo(who.id), [{ subject: again.sub }]);
  });

  test('can’t remove a link that isn’t there, or of another team', async () => {
    const who = await member();
    assert.equal((await unlink(who.id)).status, 404);
    const elsewhere = await team(node);
    const other = await linkedMember(node, elsewhere);
    assert.equal((await unlink(other)).status, 404);
    assert.equal((await linkedTo(other)).length, 1);
  });
});
