import assert from 'node:assert/strict';
import { LINKS_PER_TEAM } from '@steward/contract/api/limits';
import {
  addInvitationLink,
  checkInvitationLink,
  type InvitationLink,
  listInvitationLinks,
  revokeInvitationLink,
} from '@steward/contract/users/invitation-links';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { hashToken } from '#platform/security/secrets.ts';
import { call, type Sending } from '#testing/app/call.ts';
import { cleanUp } from '#testing/app/clean-up.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { isOfThisRun } from '#testing/system/this-run.ts';
import {
  createTeamWithMembers,
  type SignedInUser,
  signedIn,
  type TestTeam,
  user,
} from '#testing/workspace/factories.ts';
import { invitationLink } from '#testing/workspace/signup.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { endAllInvitationLinks } from '#workspace/users/invitation-links.store.ts';
import { addInvitations } from '#workspace/users/memberships.store.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 4 });
  ours = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const create = (body: object, as: SignedInUser = ours.admin, more: Sending = {}) =>
  call(node, addInvitationLink, {
    as,
    params: { teamId: ours.id },
    body: { hours: 24, max_uses: 5, ...body },
    ...more,
  });
const list = async (team: TestTeam = ours): Promise<InvitationLink[]> =>
  (await call(node, listInvitationLinks, { as: team.admin, params: { teamId: team.id } })).body.records;
const revoke = (linkId: string, as: SignedInUser = ours.admin) =>
  call(node, revokeInvitationLink, { as, params: { teamId: ours.id, linkId } });
const isOpen = async (token: string) => (await call(node, checkInvitationLink, { body: { token } })).status === 200;

const freshAdmin = () => signedIn(node, { team: ours.id, kind: 'admin' });

async function invite(linkId: string): Promise<string> {
  const email = `${newId()}@example.test`;
  const inviting = { teamId: ours.id, invitedBy: ours.admin.id, linkId };
  await inTransaction(node.db, (trx) => addInvitations(trx, inviting, [{ email, roles: ['team_user'] }]));
  return email;
}

describe('an invitation link', () => {
  test('can give those who join an end date, with which it ends too', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const { status, body } = await create({ hours: 720, members_end_on: inDays(3) });
    assert.equal(status, 200);
    assert.equal(body.members_end_on, inDays(3));
    assert.equal(body.expires_at, Date.parse(inDays(4)));
    assert.partialDeepStrictEqual((await auditRows(node, 'users.link_created')).at(-1)?.details, {
      members_end_on: inDays(3),
    });
    const later = await create({ hours: 24, members_end_on: inDays(300) });
    assert.ok(isOfThisRun(later.body.expires_at - 86_400_000));
    for (const [date, id] of [
      [inDays(-1), 'users.end_out_of_range'],
      ['2027-02-30', 'request.invalid'],
    ]) {
      const refused = await create({ members_end_on: date });
      assert.deepEqual([refused.status, refused.body.id], [400, id]);
    }
  });

  test('is shown once, and listed without its address', async () => {
    const { status, body } = await create({ name: ' Spring workshop ', domains: ['Example.TEST'] });
    assert.equal(status, 200);
    const { url, ...link } = body;
    const token = new URL(url).searchParams.get('token') ?? '';
    assert.equal(url, `${node.deps.env.publicUrl}/join?token=${token}`);
    assert.partialDeepStrictEqual(link, {
      name: 'Spring workshop',
      domains: ['example.test'],
      max_uses: 5,
      uses: 0,
      pending: 0,
      state: 'open',
      created_by: ours.admin.id,
      created_by_name: 'Some Body',
    });
    assert.equal(link.expires_at - link.created_at, 24 * 3_600_000);
    assert.deepEqual((await list())[0], link);
    const { token_hash } = await node.db
      .selectFrom('invitation_links')
      .select('token_hash')
      .where('id', '=', link.id)
      .executeTakeFirstOrThrow();
    assert.equal(token_hash, hashToken(token));
    const details = {
      name: 'Spring workshop',
      expires_at: link.expires_at,
      max_uses: 5,
      email_domains: ['example.test'],
    };
    assert.deepEqual((await auditRows(node, 'users.link_created')).at(-1), {
      team_id: ours.id,
      actor_id: ours.admin.id,
      target: link.id,
      details,
    });
  });

  test('has domains as typed: in capital letters, with an at sign or a dot at the end, or with other letters', async () => {
    const typed = ['ACME.Example', '@acme.example', 'acme.example.', ' Bücher.example ', 'xn--bcher-kva.example'];
    const { body } = await create({ domains: typed });
    assert.deepEqual(body.domains, ['acme.example', 'xn--bcher-kva.example']);
  });

  test('with a wrong end, maximum or domain is refused', async () => {
    const before = await snapshotTables(node);
    const wrong = [
      ...[0, -1, 721, 1.5, '24', null].map((hours) => ({ hours })),
      ...[0, -1, 501, 1.5, '5', null].map((max_uses) => ({ max_uses })),
      ...[
        '',
        'acme',
        'a..b',
        '.example',
        'acme.example/x',
        'x@acme.example',
        '127.0.0.1',
        'acme.example:80',
        '%61.example',
      ].map((domain) => ({ domains: [domain] })),
      { domains: Array.from({ length: 21 }, (_, at) => `d${at}.example`) },
      { name: 'x'.repeat(101) },
      { name: 'a\0b' },
    ];
    for (const body of wrong) assert.equal((await create(body)).status, 400, JSON.stringify(body));
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('that is open is listed before any number of newer ones that ended', async () => {
    const team = await createTeamWithMembers(node);
    const of = { teamId: team.id, createdBy: team.owner.id };
    const open = await invitationLink(node, of);
    await sql`insert into invitation_links (team_id, id, name, token_hash, created_by, expires_at, max_uses, domains, revoked_at)
      select team_id, lpad(n::text, 26, 'z'), name, 'hash ' || n, created_by, expires_at, max_uses, domains, now()
      from invitation_links, generate_series(1, 200) n where id = ${open.id}`.execute(node.db);
    const listed = await list(team);
    assert.deepEqual([listed.length, listed[0]?.id], [200, open.id]);
  });

  test('can be open fifty times in a team, and ended ones leave room', async () => {
    const team = await createTeamWithMembers(node);
    const createHere = () =>
      call(node, addInvitationLink, { as: team.owner, params: { teamId: team.id }, body: { hours: 1, max_uses: 1 } });
    const links = await Promise.all(
      Array.from({ length: LINKS_PER_TEAM - 1 }, () =>
        invitationLink(node, { teamId: team.id, createdBy: team.owner.id }),
      ),
    );
    const replies = await Promise.all([createHere(), createHere()]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
    assert.equal((await createHere()).body.id, 'users.too_many_links');
    const params = { teamId: team.id, linkId: links[0]?.id ?? '' };
    assert.equal((await call(node, revokeInvitationLink, { as: team.owner, params })).status, 200);
    assert.equal((await createHere()).status, 200);
  });

  test('that is revoked ends at once with the invitations that wait, and only once', async () => {
    const { id, token } = await invitationLink(node, { teamId: ours.id, createdBy: ours.owner.id, name: 'Fair' });
    await Promise.all([invite(id), invite(id)]);
    assert.equal((await list()).find((link) => link.id === id)?.pending, 2);
    assert.equal((await revoke(id)).status, 200);
    assert.equal(await isOpen(token), false);
    assert.partialDeepStrictEqual(
      (await list()).find((link) => link.id === id),
      { state: 'revoked', pending: 0 },
    );
    const row = { target: id, details: { name: 'Fair', uses: 0, canceled: 2 } };
    assert.partialDeepStrictEqual((await auditRows(node, 'users.link_revoked')).at(-1), row);
    assert.equal((await revoke(id)).status, 404);
  });

  test('says in the list why it works no longer', async () => {
    const creator = await freshAdmin();
    const add = (maxUses = 2) => invitationLink(node, { teamId: ours.id, createdBy: creator.id, maxUses });
    const [used, expired, stopped] = [await add(), await add(), await add()];
    await sql`update invitation_links set uses = max_uses where id = ${used.id}`.execute(node.db);
    await sql`update invitation_links set expires_at = now() where id = ${expired.id}`.execute(node.db);
    const states = async () => {
      const byId = new Map((await list()).map(({ id, state }) => [id, state]));
      return [used, expired, stopped].map(({ id }) => byId.get(id));
    };
    assert.deepEqual(await states(), ['used_up', 'expired', 'open']);
    await sql`update memberships set roles = '{team_user}' where person_id = ${creator.id}`.execute(node.db);
    assert.deepEqual(await states(), ['used_up', 'expired', 'stopped']);
    assert.deepEqual(await Promise.all([used, expired, stopped].map(({ token }) => isOpen(token))), [
      false,
      false,
      false,
    ]);
  });

  test('ends with a restored backup, which may be older than its revocation', async () => {
    const { token } = await invitationLink(node, { teamId: ours.id, createdBy: ours.owner.id });
    await inTransaction(node.db, endAllInvitationLinks);
    assert.equal(await isOpen(token), false);
  });

  test('takes the invitations that wait with it when it has ended, in the cleanup; other invitations stay', async () => {
    const add = () => invitationLink(node, { teamId: ours.id, createdBy: ours.owner.id, maxUses: 1 });
    const [open, ended] = [await add(), await add()];
    const emails = [
      await invite(open.id),
      await invite(ended.id),
      (await user(node, { team: ours.id, pending: true })).email,
    ];
    await sql`update invitation_links set uses = 1 where id = ${ended.id}`.execute(node.db);
    await cleanUp(node);
    const rows = await node.db.selectFrom('memberships').select('email').where('email', 'in', emails).execute();
    assert.deepEqual(rows.map(({ email }) => email).sort(), [emails[0], emails[2]].sort());
  });

  test('by which someone joined stays after its end, so that their panel can name it', async () => {
    const { id } = await invitationLink(node, { teamId: ours.id, createdBy: ours.owner.id });
    const joined = await user(node, { team: ours.id });
    await sql`update memberships set invitation_link_id = ${id} where person_id = ${joined.id}`.execute(node.db);
    await sql`update invitation_links set expires_at = now() - interval '40 days' where id = ${id}`.execute(node.db);
    await cleanUp(node);
    assert.equal((await node.db.selectFrom('invitation_links').select('id').where('id', '=', id).execute()).length, 1);
    assert.equal(
      (await list()).some((link) => link.id === id),
      false,
    );
  });
});
