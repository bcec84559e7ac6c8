import assert from 'node:assert/strict';
import { getLoginOptions } from '@steward/contract/session/login-options';
import { addDomain, listDomains, removeDomain, verifyDomain } from '@steward/contract/sso/domains';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { createResolver } from '#platform/outbound/resolver.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { type DnsPeer, startDnsPeer } from '#testing/peers/dns-peer.ts';
import { connection } from '#testing/sso/sso.ts';
import { createTeamWithMembers, type SignedInUser, type TestTeam } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { recheckDomains } from './recheck-domains.job.ts';

let node: TestApp;
let dns: DnsPeer;
let team: TestTeam;

beforeAll(async () => {
  dns = await startDnsPeer();
  node = await startApp({ work: false, env: { DNS_SERVERS: dns.address } });
  team = await createTeamWithMembers(node);
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await dns[Symbol.asyncDispose]();
});

const fresh = () => `${newId()}.example`;
const add = (domain: string, as: SignedInUser = team.owner, teamId = team.id) =>
  call(node, addDomain, { as, params: { teamId }, body: { domain } });
const verify = (domainId: string, as: SignedInUser = team.owner, teamId = team.id) =>
  call(node, verifyDomain, { as, params: { teamId, domainId } });
const options = async (login_id: string) => (await call(node, getLoginOptions, { body: { login_id } })).body;

describe('a domain', () => {
  test('is verified by its DNS record, which has 128 random bits', async () => {
    const domain = fresh();
    const added = await add(` ${domain.toUpperCase()}. `);
    const { id, record } = added.body;
    assert.deepEqual([added.status, added.body.domain, added.body.verified_at], [200, domain, null]);
    assert.deepEqual([record.name, record.type], [`_steward-challenge.${domain}`, 'TXT']);
    assert.match(record.value, /^steward-domain-verification=[0-9a-f]{32}$/);
    assert.deepEqual((await add(domain)).body, added.body, 'adding it again changes nothing');
    const early = await verify(id);
    assert.deepEqual([early.status, early.body.id], [409, 'domains.not_found']);
    dns.texts.set(record.name, ['v=spf1 -all', record.value]);
    assert.ok((await verify(id)).body.verified_at > 0);
    const { records } = (await call(node, listDomains, { as: team.owner, params: { teamId: team.id } })).body;
    assert.ok(
      records.some((row: { domain: string; verified_at: number }) => row.domain === domain && row.verified_at > 0),
    );
    const rows = (await auditRows(node, 'sso.domain_verified')).filter(
      ({ details }) => details.email_domain === domain,
    );
    assert.equal(rows.length, 1);
  });

  test('of the public suffix list or a mail provider is refused, and so is text that is no domain', async () => {
    for (const domain of ['gmail.com', 'co.uk', 'github.io', 'com'])
      assert.equal((await add(domain)).status, 400, domain);
    assert.equal((await add('outlook.com')).body.id, 'domains.public');
    for (const domain of [
      '',
      'a',
      '127.0.0.1',
      'a b.example',
      '-a.example',
      'https://a.example',
      'a@b.example',
      'ä.example',
    ])
      assert.equal((await add(domain)).status, 400, domain);
  });

  test('belongs to the team that verifies it first', async () => {
    const other = await createTeamWithMembers(node);
    const domain = fresh();
    const [mine, theirs] = [(await add(domain)).body, (await add(domain, other.owner, other.id)).body];
    dns.texts.set(mine.record.name, [mine.record.value, theirs.record.value]);
    const results = await Promise.all([verify(mine.id), verify(theirs.id, other.owner, other.id)]);
    assert.deepEqual(results.map(({ status }) => status).sort(), [200, 409]);
    assert.ok(results.some(({ body }) => body.id === 'domains.taken'));
    const third = await createTeamWithMembers(node);
    assert.equal((await add(domain, third.owner, third.id)).body.id, 'domains.taken');
  });

  test('of another team can’t be verified or removed, and only owners see domains', async () => {
    const other = await createTeamWithMembers(node);
    const { id } = (await add(fresh())).body;
    assert.equal((await verify(id, other.owner, other.id)).status, 404);
    const remove = (as: SignedInUser, teamId: string) =>
      call(node, removeDomain, { as, params: { teamId, domainId: id } });
    assert.equal((await remove(other.owner, other.id)).status, 404);
    assert.equal((await remove(team.admin, team.id)).status, 403);
    assert.equal((await remove(team.owner, team.id)).status, 200);
    assert.equal((await remove(team.owner, team.id)).status, 404);
  });

  test('decides alone how an address signs in', async () => {
    const domain = fresh();
    const { id, record } = (await add(domain)).body;
    dns.texts.set(record.name, [record.value]);
    const provider = { issuer: 'https://id.steward.example', clientId: 'a', secret: 'b' };
    const connectionId = await connection(node, team.id, provider);
    assert.deepEqual(await options(`nobody@${domain}`), { next: 'password' }, 'it isn’t verified yet');
    await verify(id);
    const sso = { next: 'sso', sso_url: `/auth/oidc/${connectionId}/start` };
    for (const address of [`nobody@${domain}`, ` Some.One@${domain.toUpperCase()} `])
      assert.deepEqual(await options(address), sso);
    for (const address of [`a@sub.${domain}`, 'a@gmail.com', 'nonsense', domain.slice(1), '@'])
      assert.deepEqual(await options(address), { next: 'password' }, address);
    await sql`update sso_connections set enabled = false where id = ${connectionId}`.execute(node.db);
    assert.deepEqual(await options(`nobody@${domain}`), { next: 'password' });
  });
});

describe('the daily check', () => {
  test('tells owners that a record is missing, and takes the domain back after three days', async () => {
    const domain = fresh();
    const { id, record } = (await add(domain)).body;
    dns.texts.set(record.name, [record.value]);
    await verify(id);
    const recheck = () => recheckDomains(node.deps, createResolver(node.deps.env));
    const row = async () =>
      (
        await sql<{ proved: boolean; missing: boolean }>`select verified_at is not null as proved,
        missing_since is not null as missing from sso_domains where id = ${id}`.execute(node.db)
      ).rows[0];
    const mails = async () =>
      (await node.db.selectFrom('mails').select('id').where('kind', '=', 'sso.domain_missing').execute()).length;
    await recheck();
    assert.deepEqual([await row(), await mails()], [{ proved: true, missing: false }, 0]);
    dns.fails = true;
    await recheck();
    assert.deepEqual([await row(), await mails()], [{ proved: true, missing: false }, 0], 'an outage says nothing');
    dns.fails = false;
    dns.texts.set(record.name, ['something else']);
    await recheck();
    await recheck();
    const told = await mails();
    assert.deepEqual(await row(), { proved: true, missing: true });
    assert.ok(told > 0);
    dns.texts.set(record.name, [record.value]);
    await recheck();
    assert.deepEqual(await row(), { proved: true, missing: false });
    dns.texts.delete(record.name);
    await recheck();
    await sql`update sso_domains set missing_since = now() - interval '73 hours' where id = ${id}`.execute(node.db);
    await recheck();
    assert.deepEqual(await row(), { proved: false, missing: true });
    assert.equal((await auditRows(node, 'sso.domain_lost')).length, 1);
  });
});
