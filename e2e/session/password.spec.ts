import type { Page } from '@playwright/test';
import { sendPasswordReset } from '@steward/contract/session';
import { call } from '@steward/server/testing/app/call.ts';
import { extractMailToken } from '@steward/server/testing/peers/inbox.ts';
import { expect, signIn, test, typePassword } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { makeTeam } from '../browser/team-members.ts';
import { readStorage } from '../signup/signup-screen.ts';

const NEW_PASSWORD = 'quiet river under stones';

async function choosePassword(page: Page, password: string, again = password): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Confirm new password').fill(again);
  await page.getByRole('button', { name: 'Save password' }).click();
}

test('a forgotten password is reset by email, from the form to the next sign-in', async ({
  page,
  node,
  team,
  another,
  trouble,
}) => {
  trouble.expect(/status of 40[01]/);
  const elsewhere = await another();
  await signIn(elsewhere, { node }, team.owner);
  await elsewhere.goto('/users/users');
  await expect(elsewhere.getByRole('row', { name: /Olivia Owner/ })).toBeVisible();

  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot Password' }).click();
  // The previous screen has a field of the same name.
  await expect(page.getByRole('heading', { name: 'Forgot Password' })).toBeVisible();
  await page.getByLabel('Email').fill(team.owner.email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  const mail = await node.inbox.next(team.owner.email);
  const link = `/reset_password?token=${extractMailToken(mail)}`;
  expect(mail.text).toContain(link);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await page.reload();
  await choosePassword(page, NEW_PASSWORD, 'quiet river under stone');
  await expect(page.getByRole('alert')).toHaveText('Passwords must be matching.');
  await picture(page, 'reset-password');
  await choosePassword(page, NEW_PASSWORD);
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Your password was changed. Sign in with the new one.')).toBeVisible();

  await typePassword(page, team.owner);
  await expect(page.getByRole('alert')).toHaveText('Sign-in failed. Your password is incorrect');
  await typePassword(page, { email: team.owner.email, password: NEW_PASSWORD });
  await expect(page).toHaveURL('/users/users');

  await elsewhere.getByRole('button', { name: 'Filters' }).click();
  await elsewhere.getByRole('checkbox', { name: 'Member' }).click();
  await expect(elsewhere).toHaveURL('/login');

  await page.goto(link);
  await expect(page.getByRole('alert')).toHaveText('This link was already used. To use it again, request a new one.');
  await page.reload();
  await expect(page.getByText('Open the link in your email again')).toBeVisible();
});

test('a reset link is replaced by a newer one, and in the session of someone else it names both and goes on after the switch', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/status of 400/);
  const reader = await makeTeam(node, 'Elsewhere');
  const tokens: string[] = [];
  for (const _ of ['first', 'second']) {
    await call(node, sendPasswordReset, { body: { email: team.owner.email } });
    tokens.push(extractMailToken(await node.inbox.next(team.owner.email)));
  }
  await page.goto(`/reset_password?token=${tokens[0]}`);
  await expect(page.getByRole('alert')).toContainText('A newer email has replaced this link.');
  await picture(page, 'reset-replaced');
  await signIn(page, { node }, reader.owner);
  await page.goto('/login');
  const main = page.getByRole('main');
  await expect(page.getByText('You are already logged in.', { exact: true })).toBeVisible();
  await expect(main).toContainText(`This browser is signed in as Olivia Owner (${reader.owner.email}).`);
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0);
  await picture(page, 'login-signed-in');
  await page.goto(`/reset_password?token=${tokens[1]}`);
  await expect(page.getByRole('heading', { name: 'This link is for another account' })).toBeFocused();
  await expect(main).toContainText(`It sets a new password for the account ${team.owner.email}.`);
  await expect(main).toContainText(`You are signed in as Olivia Owner (${reader.owner.email}).`);
  await picture(page, 'reset-other-account');
  await page.getByRole('button', { name: 'Sign out and continue' }).click();
  await choosePassword(page, NEW_PASSWORD);
  await expect(page).toHaveURL('/login');
  await typePassword(page, { email: team.owner.email, password: NEW_PASSWORD });
  await expect(page.getByRole('banner')).toContainText('Northwind');
});

test('the token of a link is immediately removed from the address bar, the history and the referrer', async ({
  page,
  node,
  trouble,
}) => {
  trouble.expect(/status of 400/);
  const token = 'a'.repeat(43);
  const referrers: Promise<string | null>[] = [];
  page.on('request', (request) => {
    // The last requests may still be pending when the test ends.
    if (!request.isNavigationRequest()) referrers.push(request.headerValue('referer').catch(() => null));
  });
  await page.goto('/login');
  await page.goto(`/reset_password?token=${token}`);
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await expect(page).toHaveURL('/reset_password');
  const { local, history } = await readStorage(page);
  expect(local + history).not.toContain(token);
  expect((await Promise.all(referrers)).filter((referrer) => referrer?.includes(token))).toEqual([]);
  expect(referrers.length).toBeGreaterThan(0);
  expect(node.log.filter((line) => line.includes(token))).toEqual([]);
  await page.goBack();
  await expect(page).toHaveURL('/login');
  await page.goForward();
  await expect(page).toHaveURL('/reset_password');
});
