import assert from 'node:assert/strict';
import { answerInvitation, leaveTeam, listOwnInvitations } from '@steward/contract/account/memberships';
import { login } from '@steward/contract/session';
import { saveUser } from '@steward/contract/users';
import { askToJoin, checkInvitationLink, revokeInvitationLink } from '@steward/contract/users/invitation-links';
import { listFailedInvitations, resendInvitation } from '@steward/contract/users/invitations';
import { deactivateUser, reactivateUser, removeUser } from '@steward/contract/users/lifecycle';
import { saveUsers } from '@steward/contract/users/multi';
import { getUser } from '@steward/contract/users/panel';
import { eraseUser } from '@steward/contract/users/privacy';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { createSecrets } from '#platform/security/secrets.ts';
import { call, type Reply, type Sending, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { countAttempts } from '#testing/faults/count-attempts.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { waitForLockWaiter } from '#testing/faults/wait-for-lock.ts';
import { extractMailToken } from '#testing/peers/inbox.ts';
import { buildUser, scim, scimToken } from '#testing/peers/scim.ts';
import {
  createTeamWithMembers,
  join,
  type SignedInUser,
  signedIn,
  type TestTeam,
  type TestUser,
  user,
} from '#testing/workspace/factories.ts';
import { checkLink, finishLink, invitationLink } from '#testing/workspace/signup.ts';
import { auditRows, snapshotTables, TRACES } from '#testing/workspace/snapshot-tables.ts';
import { acceptInvitation } from '#workspace/access/memberships/invitations.actions.ts';
import { barAddress, isBarred, saveRevoked } from '#workspace/users/invitation-links.store.ts';
import { addInvitations, lockInvitation, removeInvitationsOfLink } from '#workspace/users/memberships.store.ts';
import { lockTeam } from '#workspace/users/teams.store.ts';

function sendAskToJoin(node: TestApp, body: { token: string; email: string }, more: Sending = {}): Promise<Reply> {
  return call(node, askToJoin, { body, ...more });
}

let node: TestApp;
/** Without workers, so that only what the call itself does is seen. */
let idle: TestApp;
let ours: TestTeam;
let link: { id: string; token: string };

beforeAll(async () => {
  node = await startApp({ pool: 8 });
  idle = await startApp({ work: false, pool: 4 });
});

afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await idle[Symbol.asyncDispose]();
});

beforeEach(async () => {
  ours = await createTeamWithMembers(node, 'Acme');
  link = await invitationLink(node, { teamId: ours.id, createdBy: ours.owner.id });
});

const address = () => `${newId()}@example.test`;
const open = (token: string) => call(node, checkInvitationLink, { body: { token } });
const uses = async ({ id } = link) =>
  (await node.db.selectFrom('invitation_links').select('uses').where('id', '=', id).executeTakeFirstOrThrow()).uses;
const answer = (as: SignedInUser, accept: boolean) =>
  call(node, answerInvitation, { as, params: { teamId: ours.id }, body: { accept } });
const ownInvitations = async (as: SignedInUser) => (await call(node, listOwnInvitations, { as })).body.records;
const about = (userId: string) => ({ as: ours.owner, params: { teamId: ours.id, userId } });
const membership = (email: string, teamId = ours.id) =>
  node.db
    .selectFrom('memberships as m')
    .leftJoin('people as p', 'p.id', 'm.person_id')
    .select(['m.roles', 'm.email', 'm.invitation_link_id'])
    .where('m.team_id', '=', teamId)
    .where((eb) => eb.or([eb('m.email', '=', email), eb('p.email', '=', email)]))
    .executeTakeFirst();

/** Enters an address for a link, and waits until nothing more comes of it. Returns the tokens of the emails. */
async function ask(email: string, { token } = link): Promise<string[]> {
  const reply = await sendAskToJoin(node, { token, email });
  assert.deepEqual([reply.status, reply.body], [200, { status_code: 200 }]);
  await settled(node);
  const mails = node.inbox.waiting(email);
  const tokens: string[] = [];
  for (let left = mails.length; left > 0; left -= 1) {
    const mail = await node.inbox.next(email);
    // The creator of the link didn't invite this address.
    assert.match(mail.subject, /^Join .* on Steward$/);
    assert.match(
      mail.text.replace(/\s+/g, ' '),
      /This address was entered to join the team .* with an invitation link of /,
    );
    tokens.push(extractMailToken(mail));
  }
  return tokens;
}

const refused = toComparable;

/** What every link that doesn't work gets. */
async function unknown() {
  return refused(await sendAskToJoin(node, { token: 'A'.repeat(43), email: address() }));
}

describe('an invitation link', () => {
  test('gives the invitation its end date, which stays when it is accepted', async () => {
    const date = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
    const at = Date.parse(date) + 86_400_000;
    const limited = await invitationLink(node, {
      teamId: ours.id,
      createdBy: ours.owner.id,
      membersEnd: { date, at },
    });
    const guest = await signedIn(node, { team: null });
    await sendAskToJoin(node, { token: limited.token, email: guest.email });
    await settled(node);
    assert.equal((await answer(guest, true)).status, 200);
    const { rows } = await sql<{ ends_on: string; at: Date }>`select ends_on::text, ends_at as at from memberships
      where team_id = ${ours.id} and person_id = ${guest.id}`.execute(node.db);
    assert.deepEqual([rows[0]?.ends_on, rows[0]?.at.getTime()], [date, at]);
  });

  test('leads someone without an account by email to a membership as Team User, which log and panel explain', async () => {
    assert.deepEqual((await open(link.token)).body, { team_name: 'Acme', domains: [] });
    const email = address();
    const [token] = await ask(email);
    assert.equal(await uses(), 0);
    assert.partialDeepStrictEqual((await checkLink(node, token)).body, { mode: '2', email, team_name: 'Acme' });
    assert.equal((await finishLink(node, token)).status, 200);
    assert.equal(await uses(), 1);
    assert.deepEqual(await membership(email), { roles: ['team_user'], email: null, invitation_link_id: link.id });
    const { body: who } = await call(node, login, { body: { login_id: email, password: 'correct horse battery' } });
    const row = (await auditRows(node, 'users.joined_by_link')).at(-1);
    assert.partialDeepStrictEqual(row, { team_id: ours.id, actor_id: who.id, target: who.id });
    assert.equal(row?.details.invitation_link_id, link.id);
    const { body: panel } = await call(node, getUser, about(who.id));
    assert.deepEqual([panel.invitation_link, panel.invited_by?.id], [{ id: link.id, name: '' }, ours.owner.id]);
  });

  test('asks someone with an account for consent, who signs in to answer', async () => {
    const who = await signedIn(node);
    const [token] = await ask(who.email);
    assert.partialDeepStrictEqual((await checkLink(node, token)).body, { mode: '1', email: who.email });
    assert.deepEqual(await unknownFinish(), refused(await finishLink(node, token)));
    assert.partialDeepStrictEqual(await ownInvitations(who), [{ team_id: ours.id, account_type: 2 }]);
    assert.equal((await answer(who, true)).status, 200);
    assert.equal(await uses(), 1);
    assert.equal((await auditRows(node, 'users.joined_by_link')).at(-1)?.target, who.id);
  });

  test('gives every address the same response, and does the same work for it', async () => {
    const team = await createTeamWithMembers(idle);
    const { token } = await invitationLink(idle, { teamId: team.id, createdBy: team.owner.id });
    const former = await user(idle, { team: team.id });
    await sql`delete from memberships where person_id = ${former.id}`.execute(idle.db);
    const known = [await user(idle), await user(idle, { team: team.id, deactivated: true }), former];
    const emails = [address(), ...[team.member, team.pending, team.zendesk, ...known].map(({ email }) => email)];
    const before = await snapshotTables(idle, { except: TRACES });
    const replies = [];
    for (const email of emails) replies.push(await sendAskToJoin(idle, { token, email }));
    for (const reply of replies) assert.deepEqual(refused(reply), refused(replies[0] as never));
    assert.deepEqual(await snapshotTables(idle, { except: TRACES }), before);
    const { rows } = await sql<{ data: object }>`select data from pgboss.job where name = 'signup.link_used'`.execute(
      idle.db,
    );
    assert.equal(rows.length, emails.length);
    for (const { data } of rows) assert.deepEqual(Object.keys(data).sort(), ['link_id', 'sealed', 'team_id']);
    for (const email of emails) assert.equal(JSON.stringify(rows).includes(email), false);
  });

  test('that mail scanners open twenty times has no use, and sends nothing', async () => {
    const team = await createTeamWithMembers(idle);
    const { token } = await invitationLink(idle, { teamId: team.id, createdBy: team.owner.id });
    const before = await snapshotTables(idle);
    for (let round = 0; round < 2; round += 1) {
      const opened = Array.from({ length: 10 }, () => call(idle, checkInvitationLink, { body: { token } }));
      assert.ok((await Promise.all(opened)).every(({ status }) => status === 200));
    }
    assert.deepEqual(await snapshotTables(idle), before);
  });

  test('admits the domains that it names, and no others', async () => {
    const of = { teamId: ours.id, createdBy: ours.owner.id, domains: ['acme.example', 'xn--bcher-kva.example'] };
    const { token } = await invitationLink(node, of);
    assert.deepEqual((await open(token)).body.domains, of.domains);
    for (const domain of ['acme.example', 'ACME.Example', 'xn--bcher-kva.example'])
      assert.equal((await sendAskToJoin(node, { token, email: `${newId()}@${domain}` })).status, 200, domain);
    for (const domain of ['eu.acme.example', 'acme.example.test', 'notacme.example', 'acme.exampl'])
      assert.equal(
        (await sendAskToJoin(node, { token, email: `${newId()}@${domain}` })).body.id,
        'join.domain',
        domain,
      );
    for (const domain of ['acme.example.', 'bücher.example', 'acme.example@other.example'])
      assert.equal((await sendAskToJoin(node, { token, email: `x@${domain}` })).body.id, 'request.invalid', domain);
  });

  test('ends: when it expires, is revoked or used up, or its creator is demoted, deactivated or removed', async () => {
    const createdBy = async () => (await user(node, { team: ours.id, kind: 'admin' })).id;
    const ends: Record<string, (of: { id: string; by: string }) => Promise<unknown>> = {
      expired: ({ id }) => sql`update invitation_links set expires_at = now() where id = ${id}`.execute(node.db),
      revoked: ({ id }) =>
        call(node, revokeInvitationLink, { as: ours.admin, params: { teamId: ours.id, linkId: id } }),
      'used up': ({ id }) => sql`update invitation_links set uses = max_uses where id = ${id}`.execute(node.db),
      demoted: async ({ by }) => {
        const { email } = await node.db
          .selectFrom('people')
          .select('email')
          .where('id', '=', by)
          .executeTakeFirstOrThrow();
        const body = { email, account_type: 2 as const };
        return call(node, saveUser, { as: ours.owner, params: { teamId: ours.id }, body });
      },
      deactivated: ({ by }) => call(node, deactivateUser, about(by)),
      removed: ({ by }) => call(node, removeUser, about(by)),
    };
    for (const [name, end] of Object.entries(ends)) {
      const by = await createdBy();
      const ending = await invitationLink(node, { teamId: ours.id, createdBy: by });
      const [waiting, invited] = [await signedIn(node), address()];
      await ask(waiting.email, ending);
      const [token] = await ask(invited, ending);
      await checkLink(node, token);
      await end({ id: ending.id, by });
      assert.deepEqual(refused(await open(ending.token)), await unknown(), name);
      assert.deepEqual(refused(await sendAskToJoin(node, { token: ending.token, email: address() })), await unknown());
      // So do the invitations that were emailed because of it.
      assert.deepEqual(await ownInvitations(waiting), [], name);
      assert.equal((await answer(waiting, true)).status, 404, name);
      assert.equal((await answer(waiting, false)).status, 404, name);
      assert.deepEqual(refused(await checkLink(node, token)), await unknownFinish(), name);
      assert.deepEqual(refused(await finishLink(node, token)), await unknownFinish(), name);
      assert.equal((await membership(waiting.email))?.email ?? null, name === 'revoked' ? null : waiting.email);
    }
  });

  test('that is open again when its creator is an admin again admits again', async () => {
    const admin = await user(node, { team: ours.id, kind: 'admin' });
    const theirs = await invitationLink(node, { teamId: ours.id, createdBy: admin.id });
    await call(node, deactivateUser, about(admin.id));
    assert.equal((await open(theirs.token)).status, 400);
    await call(node, reactivateUser, about(admin.id));
    assert.equal((await open(theirs.token)).status, 200);
  });

  test('that is closed for a while keeps its invitations, also those whose emails are opened in the meantime', async () => {
    const admin = await user(node, { team: ours.id, kind: 'admin' });
    const theirs = await invitationLink(node, { teamId: ours.id, createdBy: admin.id });
    const [token] = await ask(address(), theirs);
    await call(node, deactivateUser, about(admin.id));
    assert.deepEqual(refused(await checkLink(node, token)), await unknownFinish());
    await call(node, reactivateUser, about(admin.id));
    assert.equal((await checkLink(node, token)).status, 200);
    assert.equal((await finishLink(node, token)).status, 200);
  });

  test('does not send its emails for longer than it works', async () => {
    const short = await invitationLink(node, { teamId: ours.id, createdBy: ours.owner.id, hours: 1 });
    const email = address();
    await ask(email, short);
    const { rows } = await sql<{ same: boolean }>`select l.expires_at = i.expires_at as same from links l
      join memberships m on m.person_id = l.person_id and m.email = ${email}
      join invitation_links i on i.id = m.invitation_link_id`.execute(node.db);
    assert.deepEqual(rows, [{ same: true }]);
  });
});

async function unknownFinish() {
  return refused(await finishLink(node, 'A'.repeat(43)));
}

/** Someone who had an account in another team before. */
async function outsider(): Promise<SignedInUser> {
  return signedIn(node);
}

async function memberWithOtherTeam(): Promise<SignedInUser> {
  const who = await outsider();
  await join(node, ours.id, who.id);
  return who;
}

describe('an invitation link does not admit', () => {
  async function requireBarred(email: string): Promise<void> {
    const before = await membership(email);
    assert.deepEqual(await ask(email), []);
    assert.deepEqual(await membership(email), before);
    assert.equal(await uses(), 0);
  }

  test('a member, an integration user, and someone who was deactivated', async () => {
    await requireBarred(ours.member.email);
    await requireBarred(ours.zendesk.email);
    const who = await memberWithOtherTeam();
    await call(node, deactivateUser, about(who.id));
    await requireBarred(who.email);
  });

  test('someone who was removed, also with another address, until an admin invites them', async () => {
    const who = await memberWithOtherTeam();
    await call(node, removeUser, about(who.id));
    await requireBarred(who.email);
    const other = address();
    await sql`update people set email = ${other} where id = ${who.id}`.execute(node.db);
    await requireBarred(other);
    await requireBarred(who.email);
    const body = { email: other, account_type: 2 as const };
    await call(node, saveUser, { as: ours.admin, params: { teamId: ours.id }, body });
    assert.equal((await answer(who, true)).status, 200);
  });

  test('someone who was removed and took over the address of an open invitation', async () => {
    const who = await memberWithOtherTeam();
    const email = address();
    await ask(email);
    await call(node, removeUser, about(who.id));
    await sql`update people set email = ${email} where id = ${who.id}`.execute(node.db);
    assert.equal((await answer(who, true)).status, 404);
    assert.equal(await uses(), 0);
  });

  test('someone who was deactivated and took over the address of an open invitation', async () => {
    const who = await memberWithOtherTeam();
    const email = address();
    await ask(email);
    await call(node, deactivateUser, about(who.id));
    await sql`update people set email = ${email} where id = ${who.id}`.execute(node.db);
    const reply = await answer(who, true);
    assert.deepEqual([reply.status, reply.body.id], [404, 'record.not_found']);
    assert.equal(await uses(), 0);
  });

  test('someone who left', async () => {
    const who = await memberWithOtherTeam();
    assert.equal((await call(node, leaveTeam, { as: who, params: { teamId: ours.id } })).status, 200);
    await requireBarred(who.email);
  });

  test('someone who was erased, with and without another team', async () => {
    const [kept, deleted] = [await memberWithOtherTeam(), await signedIn(node, { team: ours.id })];
    for (const who of [kept, deleted]) {
      await call(node, removeUser, about(who.id));
      const body = { confirm: who.email };
      assert.equal((await call(node, eraseUser, { ...about(who.id), body })).status, 200);
      await requireBarred(who.email);
    }
    const stored = JSON.stringify(await snapshotTables(node, { except: [...TRACES, 'people', 'mails', 'erasures'] }));
    assert.equal(stored.includes(deleted.email), false);
  });

  test('someone who declined an invitation, by a link or by an admin', async () => {
    const byLink = await outsider();
    await ask(byLink.email);
    const inPerson = await outsider();
    const body = { email: inPerson.email, account_type: 2 as const };
    await call(node, saveUser, { as: ours.admin, params: { teamId: ours.id }, body });
    await node.inbox.next(inPerson.email);
    for (const who of [byLink, inPerson]) {
      assert.equal((await answer(who, false)).status, 200);
      await requireBarred(who.email);
    }
    // In another team, they can join with a link.
    const theirs = await createTeamWithMembers(node);
    const other = await invitationLink(node, { teamId: theirs.id, createdBy: theirs.owner.id });
    assert.equal((await ask(byLink.email, other)).length, 1);
  });

  test('someone whom the identity provider keeps inactive', async () => {
    const idp = await scimToken(node, ours.id, ours.owner.id);
    const email = address();
    const { status } = await scim(node, idp, 'POST /Users', { body: buildUser(email, { active: false }) });
    assert.equal(status, 201);
    await requireBarred(email);
  });

  test('a barred address after a change of SECRET_KEY', async () => {
    const email = address();
    const [previous, current] = ['1'.repeat(64), '2'.repeat(64)];
    const findBarred = (secrets: ReturnType<typeof createSecrets>) =>
      inTransaction(node.db, (trx) => isBarred(trx, secrets, { teamId: ours.id, userId: undefined, email }));
    await inTransaction(node.db, (trx) => barAddress(trx, createSecrets(previous), { teamId: ours.id, email }));
    assert.deepEqual(
      [await findBarred(createSecrets(current, previous)), await findBarred(createSecrets(current))],
      [true, false],
    );
  });
});

describe('an open invitation', () => {
  test('by an admin is emailed again, keeps its account type, and is no use of the link', async () => {
    const who = await outsider();
    const body = { email: who.email, account_type: 1 as const };
    await call(node, saveUser, { as: ours.admin, params: { teamId: ours.id }, body });
    await node.inbox.next(who.email);
    assert.equal((await ask(who.email)).length, 1);
    assert.equal((await answer(who, true)).status, 200);
    assert.deepEqual(await membership(who.email), {
      roles: ['team_user', 'team_admin'],
      email: null,
      invitation_link_id: null,
    });
    assert.equal(await uses(), 0);
  });

  test('by a link becomes that of the admin who saves or resends it, and no longer depends on the link', async () => {
    const as = ours.admin;
    const invite = (email: string) => ({ email, account_type: 2 as const });
    const adopt: Record<string, (email: string, id: string) => Promise<{ status: number }>> = {
      save: (email) => call(node, saveUser, { as, params: { teamId: ours.id }, body: invite(email) }),
      'save many': (email) => call(node, saveUsers, { as, params: { teamId: ours.id }, body: [invite(email)] }),
      resend: (_, userId) => call(node, resendInvitation, { as, params: { teamId: ours.id, userId } }),
    };
    for (const [name, act] of Object.entries(adopt)) {
      const ended = await invitationLink(node, { teamId: ours.id, createdBy: ours.owner.id });
      const who = await outsider();
      await ask(who.email, ended);
      await sql`update invitation_links set uses = max_uses where id = ${ended.id}`.execute(node.db);
      const { id, invited_by } = await pending(who.email);
      assert.equal(invited_by, ours.owner.id);
      assert.equal((await act(who.email, id)).status, 200, name);
      const token = extractMailToken(await node.inbox.next(who.email));
      await call(node, revokeInvitationLink, { as, params: { teamId: ours.id, linkId: ended.id } });
      assert.equal((await pending(who.email)).invited_by, as.id, name);
      assert.partialDeepStrictEqual((await checkLink(node, token)).body, { mode: '1', email: who.email }, name);
      assert.equal((await answer(who, true)).status, 200, name);
      assert.equal((await membership(who.email))?.invitation_link_id, null, name);
    }
  });

  const pending = (email: string) =>
    node.db
      .selectFrom('memberships')
      .select(['person_id as id', 'invited_by'])
      .where('team_id', '=', ours.id)
      .where('email', '=', email)
      .executeTakeFirstOrThrow();

  test('by a link that has ended is replaced by one by a link that works', async () => {
    const ended = await invitationLink(node, { teamId: ours.id, createdBy: ours.owner.id });
    const who = await outsider();
    await ask(who.email, ended);
    await sql`update invitation_links set expires_at = now() where id = ${ended.id}`.execute(node.db);
    assert.equal((await ask(who.email)).length, 1);
    assert.equal((await answer(who, true)).status, 200);
    assert.deepEqual([await uses(ended), await uses()], [0, 1]);
  });
});

describe('uses', () => {
  const MAXIMUM = 10;

  /** Invitees by the link, each with an account that is about to accept. */
  async function invitees(count: number, linkId: string): Promise<TestUser[]> {
    const users = await Promise.all(Array.from({ length: count }, () => user(node, { team: null })));
    const invited = users.map(({ email }) => ({ email, roles: ['team_user'] }));
    const inviting = { teamId: ours.id, invitedBy: ours.owner.id, linkId };
    await inTransaction(node.db, (trx) => addInvitations(trx, inviting, invited));
    return users;
  }

  const accept = ({ id: userId, email }: TestUser) =>
    inTransaction(node.db, (trx) => acceptInvitation(trx, node.deps, { teamId: ours.id, userId, email }));

  test('of 40 people at once are never more than the maximum', async () => {
    const limited = await invitationLink(node, { teamId: ours.id, createdBy: ours.owner.id, maxUses: MAXIMUM });
    const users = await invitees(40, limited.id);
    const accepted = await Promise.all(users.map(accept));
    assert.equal(accepted.filter((each) => each !== undefined).length, MAXIMUM);
    assert.equal(await uses(limited), MAXIMUM);
    const { count } = await node.db
      .selectFrom('memberships')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('invitation_link_id', '=', limited.id)
      .where('email', 'is', null)
      .executeTakeFirstOrThrow();
    assert.equal(count, MAXIMUM);
  });

  test('are counted in the transaction that joins: if it fails, neither happened', async () => {
    const [who] = await invitees(1, link.id);
    const { id: userId, email } = who as TestUser;
    await assert.rejects(
      inTransaction(node.db, async (trx) => {
        await acceptInvitation(trx, node.deps, { teamId: ours.id, userId, email });
        throw new Error('the process ends');
      }),
    );
    assert.deepEqual([await uses(), (await membership(email))?.email], [0, email]);
  });

  test('and revoking do not overlap: nobody joins after the link was revoked', async () => {
    const users = await invitees(10, link.id);
    const revoke = call(node, revokeInvitationLink, {
      as: ours.admin,
      params: { teamId: ours.id, linkId: link.id },
    });
    const [reply, ...accepted] = await Promise.all([revoke, ...users.map(accept)]);
    assert.equal(reply.status, 200);
    const joined = accepted.filter((each) => each !== undefined).length;
    const row = (await auditRows(node, 'users.link_revoked')).at(-1);
    assert.equal(await uses(), joined);
    assert.deepEqual([row?.details.uses, row?.details.canceled], [joined, users.length - joined]);
  });

  test('and revoking wait for each other in one order: neither can end in a deadlock', async () => {
    const [{ email }] = (await invitees(1, link.id)) as [TestUser];
    let invitation: Promise<unknown> | undefined;
    await inTransaction(node.db, async (trx) => {
      await lockTeam(trx, ours.id);
      invitation = inTransaction(node.db, (other) => lockInvitation(other, ours.id, email));
      await waitForLockWaiter(node, 'from "teams"');
      // Neither waits for the other transaction, which has locked nothing yet.
      await sql`set local lock_timeout = '1ms'`.execute(trx);
      await saveRevoked(trx, ours.id, link.id);
      assert.equal(await removeInvitationsOfLink(trx, ours.id, link.id), 1);
    });
    assert.equal(await invitation, undefined);
  });
});

describe('limits', () => {
  test('count per network and per link, and say when to try again', async () => {
    const from = '203.0.113.9';
    await countAttempts(node, { name: 'join.address' }, from, 599);
    const wrong = { token: 'A'.repeat(43), email: address() };
    assert.equal((await sendAskToJoin(node, wrong, { from })).status, 400);
    const reply = await sendAskToJoin(node, { token: link.token, email: address() }, { from });
    assert.deepEqual([reply.status, reply.body.id], [429, 'rate.limited']);
    assert.ok(Number(reply.headers['retry-after']) > 0);
    assert.equal((await ask(address())).length, 1);
    await countAttempts(node, { name: 'join.link' }, link.id, 1_000);
    assert.equal((await sendAskToJoin(node, { token: link.token, email: address() })).status, 429);
  });

  test('hold emails back without a word: 500 an hour for links of owners, 100 for those of admins', async () => {
    const admins = await invitationLink(node, { teamId: ours.id, createdBy: ours.admin.id });
    await countAttempts(node, { name: 'join.admins_mail' }, ours.id, 99);
    await countAttempts(node, { name: 'join.owners_mail' }, ours.id, 499);
    for (const each of [admins, link]) {
      assert.equal((await ask(address(), each)).length, 1);
      const email = address();
      assert.deepEqual(await ask(email, each), []);
      assert.equal(await membership(email), undefined);
    }
  });

  test('of emails are not used up by addresses that get none', async () => {
    await countAttempts(node, { name: 'join.owners_mail' }, ours.id, 499);
    const who = await memberWithOtherTeam();
    await call(node, removeUser, about(who.id));
    for (const { email } of [ours.member, ours.zendesk, who]) assert.deepEqual(await ask(email), []);
    assert.equal((await ask(address())).length, 1);
    assert.deepEqual(await ask(address()), []);
  });

  test('of an address hold back what other teams may send it, too', async () => {
    const email = address();
    for (let sent = 0; sent < 3; sent += 1) assert.equal((await ask(email)).length, 1);
    assert.deepEqual(await ask(email), []);
  });

  test('of the team for its own invitations are left alone', async () => {
    const before = await sql`select * from invitation_counts where key = ${`team:${ours.id}`}`.execute(node.db);
    await ask(address());
    const after = await sql`select * from invitation_counts where key = ${`team:${ours.id}`}`.execute(node.db);
    assert.deepEqual(after.rows, before.rows);
  });
});

test('an email that could not be delivered is listed, and can be asked for again', async () => {
  const email = address();
  await ask(email);
  await sql`update mails set state = 'failed', error = '550 no such user', ended_at = now()
    where person_id = (select person_id from memberships where email = ${email})`.execute(node.db);
  const failed = () => call(node, listFailedInvitations, { as: ours.admin, params: { teamId: ours.id } });
  assert.partialDeepStrictEqual((await failed()).body.records, [{ email, error: '550 no such user' }]);
  assert.equal((await ask(email)).length, 1);
  assert.deepEqual((await failed()).body.records, []);
});
