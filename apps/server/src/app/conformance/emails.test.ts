import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { confirmEmailMail, emailRequestedMail, emailTakenMail } from '#features/account/email.mail.ts';
import { monthlyMail } from '#features/home/monthly-email.mail.ts';
import { holdReleasedMail } from '#features/retention/holds/holds.mail.ts';
import { recoveryLoweredMail } from '#features/retention/recovery/recovery.mail.ts';
import { firstRunMail, rulesChangedMail } from '#features/retention/rules/retention.mail.ts';
import { namedOwnersMail } from '#features/security/named-owners.mail.ts';
import { deactivatedMail, passwordResetMail } from '#features/session/password-reset.mail.ts';
import { signUpMail } from '#features/signup/signup.mail.ts';
import { domainMissingMail } from '#features/sso/domains/domain-missing.mail.ts';
import { expiryMail, narrowedMail } from '#features/tokens/tokens.mail.ts';
import { endingMail, leavingMail } from '#features/users/ends/ends.mail.ts';
import { askMail, inactiveMail, nightMail } from '#features/users/inactivity/inactivity.mail.ts';
import { inTransaction } from '#platform/database/database.ts';
import type { EmailText } from '#platform/mail/email-template.ts';
import { queueMail } from '#platform/mail/mail.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import type { testEnv } from '#testing/app/test-env.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { type SmtpTestServer, startSmtpServer } from '#testing/peers/smtp-test-server.ts';
import { emailChangedMail, newDeviceMail, passwordChangedMail } from '#workspace/access/account.mail.ts';
import {
  breakGlassMail,
  factorChangedMail,
  factorsResetMail,
  recoveryCodesRenewedMail,
  recoveryCodeUsedMail,
} from '#workspace/access/factors/factors.mail.ts';
import { invitationMail } from '#workspace/access/memberships/invitation.mail.ts';
import { linkedMail, unlinkedMail } from '#workspace/notices/links.mail.ts';
import { managersNoticeMail } from '#workspace/notices/managers-notice.mail.ts';

const NAMES = {
  'an ASCII name': 'Example',
  'quotes, commas and brackets': `Q"uo'te, <Inc.>; (a@b.test) \\ & Co`,
  'a name in Arabic': 'فريق المبيعات',
  'a name in Chinese and emoji': '销售团队，北京 👩‍👩‍👧‍👦 🏳️‍🌈',
  'a very long name': `${'Größe '.repeat(60)}${'ß'.repeat(300)}`,
  'line ends and a header': 'a\r\nBcc: evil@example.test\r\n\r\nb\u0007',
  'half of a surrogate pair': 'a\ud83d',
};

const to = "o'hara+tag@example.test";
const teamId = 'abcdefghijklmnopqrstuvwxyz';
const at = Date.UTC(2026, 10, 26, 16, 38);
const LIMIT = { value: 1, duration: { count: 90, period: 'd' } } as const;

/** An email of each function that writes one, by the function's name. */
const EXAMPLES: Record<string, (env: ReturnType<typeof testEnv>, name: string) => EmailText> = {
  namedOwnersMail: (env, name) =>
    namedOwnersMail(env, { to, teamId, team: name, by: name, named: [{ name, email: to }] }),
  breakGlassMail: (env, name) => breakGlassMail(env, { to, teamId, team: name, by: name, address: '2001:db8::1' }),
  confirmEmailMail: (env, name) => confirmEmailMail(env, { to, name, current: to, token: 't', expiresAt: at }),
  deactivatedMail: (env, name) => deactivatedMail(env, { to, teams: [{ name, owner_email: 'ada@example.test' }] }),
  domainMissingMail: (env, team) => domainMissingMail(env, { to, teamId, team, domain: 'example.test', isLost: true }),
  emailChangedMail: (env) => emailChangedMail(env, { to, email: 'new@example.test' }),
  emailRequestedMail: (env) => emailRequestedMail(env, { to, email: 'new@example.test' }),
  emailTakenMail: (env) => emailTakenMail(env, to),
  endingMail: (env, team) =>
    endingMail(env, {
      to,
      team,
      ends_on: '2027-03-31',
      timeZone: 'Europe/Berlin',
      isToday: false,
      owners: ['ada@example.test', 'bob@example.test'],
    }),
  monthlyMail: (env, name) =>
    monthlyMail(env, {
      to,
      teamId,
      team: name,
      figures: {
        people: {
          members: 12,
          active_7_days: 9,
          active_30_days: 10,
          never_active: 1,
          inactive_90_days: 2,
          leaving_14_days: 1,
          leaving_30_days: 2,
          invited: 3,
          invited_over_14_days: 1,
        },
        signIn: {
          members: 12,
          with_second_factor: 4,
          with_single_sign_on: 0,
          admins: 2,
          admins_without_second_factor: 1,
        },
        storage: {
          total: { count: 1_000, bytes: 5_000_000 },
          added_30_days: { count: 10, bytes: 5_000 },
          kinds: [],
          channels: [],
          private: { count: 0, bytes: 0 },
        },
        retention: { rules: 1, last_night: { at: 1, deleted: 5, bytes: 50, failed: false }, holds: 0 },
        integrations: { connected: 1, posted_7_days: 7, failed_7_days: 0 },
      },
    }),
  inactiveMail: (env, team) =>
    inactiveMail(env, { to, team, token: 'a'.repeat(43), days: 90, endsOn: '2027-03-31', isSecond: false }),
  nightMail: (env, name) =>
    nightMail(env, {
      to,
      teamId,
      team: name,
      night: '2027-03-31',
      warned: 2,
      deactivated: 102,
      names: [name],
      undelivered: 1,
    }),
  askMail: (env, name) => askMail(env, { to, teamId, team: name, night: '2027-03-31', asked: 20, members: 100 }),
  leavingMail: (env, name) =>
    leavingMail(env, { to, teamId, team: name, leaving: [{ name, ends_on: '2027-03-31' }], total: 102 }),
  expiryMail: (env, name) => {
    const tokens = [{ name, expires_at: at }] as unknown as Parameters<typeof expiryMail>[1]['tokens'];
    return expiryMail(env, { to, teamId, team: name, tokens, timeZone: 'Asia/Tokyo' });
  },
  factorChangedMail: (env) => factorChangedMail(env, { to, factor: 'passkey', isAdded: true }),
  factorsResetMail: (env, name) => factorsResetMail(env, { to, by: name }),
  firstRunMail: (env, team) =>
    firstRunMail(env, {
      to,
      teamId,
      team,
      timeZone: 'America/New_York',
      recoverableDays: 7,
      kind: 'files',
      rule: LIMIT,
      ...{
        effectiveAt: at,
        firstRunAt: at,
        expired: { count: 1_234, bytes: 1, held: { count: 0, bytes: 0 }, oldest: at, newest: at },
      },
    }),
  holdReleasedMail: (env, name) =>
    holdReleasedMail(env, {
      to,
      teamId,
      team: name,
      by: name,
      name,
      reason: name,
      endsAt: at,
      timeZone: 'Asia/Kolkata',
    }),
  invitationMail: (env, name) =>
    invitationMail(env, {
      to,
      team: name,
      inviter: name,
      isByLink: true,
      token: 't',
      expiresAt: at,
      timeZone: 'Europe/Berlin',
    }),
  linkedMail: (env, name) => linkedMail(env, { team: name, provider: name, user: to }),
  managersNoticeMail: (env, name) =>
    managersNoticeMail(env, {
      team: name,
      notice: {
        teamId,
        actorId: null,
        kind: 'new_owner',
        subject: 'new owner',
        ...{
          describe: (team) => `${name} is an owner of ${team}.`,
          action: { label: 'View users', path: '/users/users' },
        },
      },
    }),
  narrowedMail: (env, name) => {
    const tokens = [{ name, kinds: ['file'], speak_for_users: true }];
    return narrowedMail(env, {
      to,
      teamId,
      team: name,
      tokens: tokens as Parameters<typeof narrowedMail>[1]['tokens'],
    });
  },
  newDeviceMail: (env) => newDeviceMail(env, { to, device: 'Firefox on Linux', address: '192.0.2.7', at }),
  passwordChangedMail: (env) => passwordChangedMail(env, to, 'all devices'),
  passwordResetMail: (env) => passwordResetMail(env, { to, token: 't', expiresAt: at }),
  recoveryCodesRenewedMail: (env) => recoveryCodesRenewedMail(env, to),
  recoveryCodeUsedMail: (env) => recoveryCodeUsedMail(env, { to, left: 1 }),
  recoveryLoweredMail: (env, name) =>
    recoveryLoweredMail(env, { to, teamId, team: name, by: name, days: 0, effectiveAt: at, timeZone: 'Mars/Olympus' }),
  rulesChangedMail: (env, name) => {
    const before = { current: { value: 0 } } as const;
    const scheduled = { current: { value: 0 }, scheduled: { rule: LIMIT, effectiveAt: at } } as const;
    const changes = [{ kind: 'files', before, after: scheduled }] as unknown;
    return rulesChangedMail(env, {
      teamId,
      team: name,
      by: name,
      timeZone: 'Asia/Kolkata',
      recoverableDays: 1,
      changes: changes as Parameters<typeof rulesChangedMail>[1]['changes'],
    });
  },
  signUpMail: (env, team) =>
    signUpMail(env, { to, team, invitees: 2, token: 't', expiresAt: at, timeZone: 'Asia/Tokyo' }),
  unlinkedMail: (env, team) => unlinkedMail(env, { team, reason: 'connection' }),
};

/** Emails about an account, or with a link that is itself the permission. Every other email is about a team. */
const NOT_ABOUT_A_TEAM = [
  'confirmEmailMail',
  'deactivatedMail',
  'emailChangedMail',
  'emailRequestedMail',
  'emailTakenMail',
  'endingMail',
  'factorChangedMail',
  'factorsResetMail',
  'inactiveMail',
  'invitationMail',
  'linkedMail',
  'newDeviceMail',
  'passwordChangedMail',
  'passwordResetMail',
  'recoveryCodeUsedMail',
  'recoveryCodesRenewedMail',
  'signUpMail',
  'unlinkedMail',
];

const source = resolve(import.meta.dirname, '../..');

let peer: SmtpTestServer;
let node: TestApp;

beforeAll(async () => {
  peer = await startSmtpServer();
  node = await startApp({ env: { SMTP_URL: peer.url, PUBLIC_URL: 'https://steward.test' } });
});

afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await peer[Symbol.asyncDispose]();
});

test('every email is written in a *.mail.ts, and each of them has an example here', () => {
  const files = globSync('**/*.ts', { cwd: source }).filter((file) => !file.endsWith('.test.ts'));
  const written: string[] = [];
  for (const file of files) {
    const text = readFileSync(resolve(source, file), 'utf8');
    if (file.endsWith('.mail.ts'))
      written.push(...[...text.matchAll(/^export function (\w+Mail)\(/gm)].map((m) => m[1] ?? ''));
    else if (!file.endsWith('email-template.ts')) assert.doesNotMatch(text, /\brender(?:Email|Text)\(/, file);
    if (file.endsWith('.mail.ts')) assert.doesNotMatch(text, /publicUrl/, `${file} must build links with portalLink`);
  }
  assert.deepEqual(Object.keys(EXAMPLES).sort(), written.sort());
});

test('the link of an email about a team opens that team, and other links open no certain team', () => {
  for (const [name, write] of Object.entries(EXAMPLES)) {
    const { text, html } = write(node.deps.env, 'Example');
    const links = [text, html].map((part) => part.match(/https?:[^\s"<]+/g) ?? []);
    for (const link of links.flat()) {
      const { origin, searchParams } = new URL(link);
      assert.equal(origin, 'https://steward.test', name);
      assert.equal(searchParams.get('team'), NOT_ABOUT_A_TEAM.includes(name) ? null : teamId, `${name}: ${link}`);
    }
    if (!NOT_ABOUT_A_TEAM.includes(name))
      assert.deepEqual(
        links.map(({ length }) => length),
        [1, 2],
        name,
      );
  }
});

describe('a strict mail server accepts every email, and people can read it', () => {
  /** Emails that don't have the name are the same in every test, so the first one sends them. */
  const sent = new Set<string>();

  for (const [about, name] of Object.entries(NAMES))
    test(`with ${about}`, async () => {
      const all = Object.values(EXAMPLES).map((write) => ({ ...write(node.deps.env, name), to }));
      const mails = all.filter((mail) => !sent.has(JSON.stringify(mail)));
      for (const mail of mails) sent.add(JSON.stringify(mail));
      const known = peer.accepted.length;
      await inTransaction(node.db, async (trx) => {
        for (const mail of mails) await queueMail(trx, node.deps, { kind: 'tests.message', mail });
      });
      await settled(node);
      const { rows } = await node.deps.pool.query("select error from mails where state <> 'sent' or error <> ''");
      assert.deepEqual(rows, []);
      assert.equal(peer.accepted.length, known + mails.length);
      const subjects = new Map<string | undefined, EmailText>();
      for (const { source } of peer.accepted.slice(known)) {
        const mail = await PostalMime.parse(source);
        subjects.set(mail.subject, mail as EmailText);
        assert.deepEqual([mail.from?.address, mail.from?.name], ['no-reply@steward.test', 'Steward']);
        assert.deepEqual(
          mail.to?.map(({ address }) => address),
          [to],
        );
        assert.match(source, /^Auto-Submitted: auto-generated\r$/m);
        assert.match(source, /^Message-ID: <[0-9a-f-]{36}@steward\.test>\r$/m);
        assert.doesNotMatch(source.split('\r\n\r\n')[0] ?? '', /^bcc:/im);
        assert.doesNotMatch(mail.text ?? '', /^bcc:/im);
        for (const text of [mail.text ?? '', mail.html ?? '']) {
          assert.doesNotMatch(text, /[\u00a0\u2009\u202f]/, 'a space that some programs show as other characters');
          assert.doesNotMatch(text, /\d{4}-\d{2}-\d{2}T|Invalid Date|undefined|\[object/);
          for (const [time] of text.matchAll(/\d{1,2}:\d{2}\b.{0,40}/g))
            assert.match(time, /^\d{1,2}:\d{2} [AP]M (?:UTC|[A-Z][a-z]+ [A-Za-z ]*Time)/);
        }
      }
      for (const { subject, text, html } of mails) {
        const shown = subject
          .toWellFormed()
          .replace(/[\s\p{Cc}]+/gu, ' ')
          .trim();
        const cut = Array.from(shown).slice(0, 199).join('');
        const found = subjects.get(shown) ?? subjects.get(`${cut}…`);
        assert.ok(found, shown);
        assert.ok(Array.from(found.text).length > 20 && found.html.includes('<p'), JSON.stringify([text, html]));
      }
    });
});
