import type { Page } from '@playwright/test';
import { getMe } from '@steward/contract/session';
import type { TestApp } from '@steward/server/testing/app/start-app.ts';
import { type SmtpTestServer, startSmtpServer } from '@steward/server/testing/peers/smtp-test-server.ts';
import { channel, findGeneralChannel } from '@steward/server/testing/workspace/content.ts';
import { test as base, expect, startPortal, typePassword } from '../browser/fixtures.ts';
import { channelField, chip, openDefaultChannels, option } from '../channels/channels-screen.ts';
import { personRow } from '../users/users-screen.ts';
import { fillDetails } from './signup-screen.ts';

/** Emails are sent by SMTP to a real server, as in production. */
const test = base.extend<{ smtp: SmtpTestServer; nodeWithSmtp: TestApp }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what is needed from here
  smtp: async ({}, use) => {
    await using peer = await startSmtpServer();
    await use(peer);
  },
  nodeWithSmtp: async ({ smtp }, use) => {
    await using node = await startPortal({ SMTP_URL: smtp.url });
    await use(node);
  },
  baseURL: async ({ nodeWithSmtp }, use) => use(nodeWithSmtp.url),
});

const OWNER = { email: 'ada.founder@example.test', password: 'seven lanterns by the lake' };
const COLLEAGUE = { email: 'ben.colleague@example.test', password: 'gravel under bicycle tires' };

/** Returns path and query of the link in the newest email to an address. Its origin is the public URL. */
async function linkTo(smtp: SmtpTestServer, email: string): Promise<string> {
  const mails = () => smtp.accepted.filter(({ to }) => to.includes(email));
  await expect.poll(() => mails().length).toBeGreaterThan(0);
  const source =
    mails()
      .at(-1)
      ?.source.replace(/=\r?\n/g, '')
      .replace(/=3D/g, '=') ?? '';
  const [, link = ''] = /http:\/\/localhost:\d+(\/signup_confirm\?token=[\w-]{43})\s/.exec(source) ?? [];
  return link;
}

async function requestTeam(page: Page): Promise<void> {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Create a team' }).click();
  await page.getByLabel('Company or team name').fill('Lakeside & Sons <b>');
  await page.keyboard.press('Enter');
  await page.getByLabel('Owner email').fill(OWNER.email.toUpperCase());
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Teammate 1' }).fill(COLLEAGUE.email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Confirm and send link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email for the magic link' })).toBeVisible();
}

test('a visitor creates a team, and an invitee joins its default channels', async ({
  page,
  another,
  nodeWithSmtp: node,
  smtp,
  trouble,
}) => {
  test.slow();
  trouble.expect(/status of 40[03]/);
  await requestTeam(page);
  const link = await linkTo(smtp, OWNER.email);
  // A scanner opens the link and runs scripts before the email is read.
  const scanner = await another();
  await scanner.goto(link);
  await expect(scanner.getByLabel('First name')).toBeVisible();
  await page.goto(link);
  await fillDetails(page, { first: 'Ada', last: 'Founder', password: OWNER.password });
  await page.reload();
  await fillDetails(page, { first: 'Ada', last: 'Founder', password: OWNER.password });
  await page.getByRole('button', { name: 'Create team' }).click();
  await expect(
    page.getByText('SignUp Completed Successfully. You can now login into your Steward Admin account'),
  ).toBeVisible();
  await typePassword(page, OWNER);
  await expect(page).toHaveURL('/users/users');
  await expect(page.getByRole('banner')).toContainText('Lakeside & Sons <b>');
  await expect(personRow(page, COLLEAGUE.email)).toContainText('Pending Invitee');

  const team = await node.db.selectFrom('teams').select('id').executeTakeFirstOrThrow();
  const news = await channel(node, team.id, { name: 'news' });
  const secret = await channel(node, team.id, { name: 'secret', type: 'P' });
  const general = await findGeneralChannel(node, team.id);
  await openDefaultChannels(page);
  await channelField(page).fill('news');
  await option(page, 'news').click();
  await expect(chip(page, 'news')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status').getByText('Saved Successfully')).toBeVisible();
  for (const { id } of [news, general]) {
    const body = { channel_id: id, message: 'Welcome aboard' };
    expect((await page.request.post('/api/v4/posts', { data: body })).status()).toBe(201);
  }

  const colleague = await another();
  const invitation = await linkTo(smtp, COLLEAGUE.email);
  await colleague.goto(invitation);
  await expect(colleague.getByText('Lakeside & Sons <b>').first()).toBeVisible();
  await fillDetails(colleague, { first: 'Ben', last: 'Colleague', password: COLLEAGUE.password });
  await colleague.getByRole('button', { name: 'Join team' }).click();
  await expect(colleague).toHaveURL('/login');
  await typePassword(colleague, COLLEAGUE);
  await expect(colleague).toHaveURL('/permission_error');

  const read = async (id: string) => colleague.request.get(`/api/v4/channels/${id}/posts`);
  for (const { id } of [news, general]) {
    const posts = await (await read(id)).json();
    expect(Object.values<{ message: string }>(posts.posts).map(({ message }) => message)).toEqual(['Welcome aboard']);
  }
  expect((await read(secret.id)).status()).toBe(403);
  const me = await (await colleague.request.get(`/api/v4${getMe.path}`)).json();
  expect([me.email, me.type]).toEqual([COLLEAGUE.email, 2]);

  await page.goto('/users/users');
  await expect(personRow(page, 'Ben Colleague')).toContainText('Team User');

  // The links no longer work.
  const stranger = await another();
  for (const used of [link, invitation]) {
    await stranger.goto(used);
    await expect(
      stranger.getByText('Something went Wrong. Error: This link has expired or was already used.'),
    ).toBeVisible();
  }
});
