import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { login } from '@steward/contract/session';
import { listUsers } from '@steward/contract/users';
import { test } from 'vitest';
import { smtpTransport } from '#platform/mail/mail.ts';
import { parseSmtpUrl } from '#platform/settings/smtp.ts';
import { call, type Reply } from '#testing/app/call.ts';
import { startApp } from '#testing/app/start-app.ts';
import { toCode, totpFactor } from '#testing/factors/factors.ts';
import { listen } from '#testing/peers/listen.ts';
import { startOidcPeer } from '#testing/peers/oidc-peer.ts';
import { nameOwner } from '#testing/sessions/sessions.ts';
import { browser, connection, getError } from '#testing/sso/sso.ts';
import { createTeamWithMembers, team } from '#testing/workspace/factories.ts';

// These are drills because they wait for the product's own limits.

test('an email fails after ten seconds when the server is silent', async () => {
  await using silent = await listen(createServer());
  const limit = setTimeout(() => silent[Symbol.asyncDispose](), 20_000);
  const send = smtpTransport(parseSmtpUrl(`smtp://127.0.0.1:${silent.port}`), 'https://steward.test');
  const email = {
    from: { name: '', address: 'a@b.test' },
    to: 'to@example.test',
    subject: 'Hello',
    text: 'text',
    html: '<p>text</p>',
    messageId: '<a@b.test>',
    date: new Date().toISOString(),
  };
  await assert.rejects(send(email), /Greeting never received/);
  clearTimeout(limit);
});

test('case 24: a provider that is away ends on the sign-in page, in at most ten seconds, and an owner enters without it', async () => {
  await using node = await startApp({ work: false, env: { SSO_ALLOW_LOOPBACK: '1' } });
  await using peer = await startOidcPeer();
  const id = await connection(node, await team(node), peer);
  peer.hangs = true;
  const owned = await createTeamWithMembers(node);
  const required = await connection(node, owned.id, peer, { required: true });
  const starts = [id, required].map((each) => browser(node).open(`/auth/oidc/${each}/start`));
  const toResult = ({ status, body }: Reply) => [status, body.id ?? ''];
  const list = (as: { cookie: string }) => call(node, listUsers, { as, params: { teamId: owned.id } });
  assert.deepEqual(toResult(await list(owned.admin)), [403, 'sso.required']);
  assert.deepEqual((await Promise.all(starts)).map(getError), ['sso.unreachable', 'sso.unreachable']);
  const { secret } = await totpFactor(node, owned.owner.id);
  await nameOwner(node, owned.id, owned.owner.id);
  const body = { login_id: owned.owner.email, password: owned.owner.password };
  assert.deepEqual(toResult(await call(node, login, { body })), [401, 'mfa.required']);
  const entered = await call(node, login, { body: { ...body, token: toCode(secret) } });
  const cookie = entered.setCookies.map((line) => line.split(';')[0]).join('; ');
  assert.equal((await list({ cookie })).status, 200, 'an owner with a second factor can still enter');
  const gone = await connection(node, await team(node), { ...peer, issuer: 'http://127.0.0.1:9' });
  assert.equal(getError(await browser(node).open(`/auth/oidc/${gone}/start`)), 'sso.unreachable');
});
