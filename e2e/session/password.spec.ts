import type { Page } from '@playwright/test';
import { extractMailToken } from '@steward/server/testing/peers/inbox.ts';
import { expect, signIn, test, typePassword } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { makeTeam } from '../browser/team-members.ts';
import { readStorage } from '../signup/signup-screen.ts';

const NEW_PASSWORD = 'quiet river under stones';

async function requestLink(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot Password' }).click();
  // The previous screen has a field of the same name.
  await expect(page.getByRole('heading', { name: 'Forgot Password' })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
}

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

  await requestLink(page, team.owner.email);
  const mail = await node.inbox.next(team.owner.email);
  const link = `/reset_password?token=${extractMailToken(mail)}`;
  expect(mail.text).toContain(link);
  await page.goto(link);
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
  await expect(page.getByLabel('New password', { exact: true })).toHaveCount(0);
});

test('a link that a newer email has replaced, and one that has expired, say so before a password is typed', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/status of 400/);
  const tokens: string[] = [];
  for (const _ of ['first', 'second']) {
    await requestLink(page, team.owner.email);
    tokens.push(extractMailToken(await node.inbox.next(team.owner.email)));
  }
  await page.goto(`/reset_password?token=${tokens[0]}`);
  await expect(page.getByRole('alert')).toContainText('A newer email has replaced this link.');
  await picture(page, 'reset-replaced');
  await page.goto(`/reset_password?token=${tokens[1]}`);
  await expect(page.getByText(`For the account ${team.owner.email}.`)).toBeVisible();
  await node.db
    .updateTable('links')
    .set({ expires_at: new Date(0) })
    .where('person_id', '=', team.owner.id)
    .execute();
  await page.reload();
  await expect(page.getByRole('alert')).toHaveText('This link has expired. Request a new one.');
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await expect(page).toHaveURL('/forgot_password');
});

test('a reset link in the session of someone else names both, and goes on after the switch', async ({
  page,
  node,
  team,
}) => {
  const reader = await makeTeam(node, 'Elsewhere');
  await requestLink(page, team.owner.email);
  const token = extractMailToken(await node.inbox.next(team.owner.email));
  await signIn(page, { node }, reader.owner);
  await page.goto(`/reset_password?token=${token}`);
  await expect(page.getByRole('heading', { name: 'This link is for another account' })).toBeFocused();
  const main = page.getByRole('main');
  await expect(main).toContainText(`It sets a new password for the account ${team.owner.email}.`);
  await expect(main).toContainText(`You are signed in as Olivia Owner (${reader.owner.email}).`);
  await picture(page, 'reset-other-account');
  await page.getByRole('button', { name: 'Sign out and continue' }).click();
  await expect(page.locator('input[autocomplete="username"]')).toHaveValue(team.owner.email);
  await choosePassword(page, NEW_PASSWORD);
  await expect(page).toHaveURL('/login');
  await typePassword(page, { email: team.owner.email, password: NEW_PASSWORD });
  await expect(page.getByRole('banner')).toContainText('Northwind');
});

test('every form with a new password tells password managers the account', async ({ page, node, team }) => {
  await requestLink(page, team.owner.email);
  await page.goto(`/reset_password?token=${extractMailToken(await node.inbox.next(team.owner.email))}`);
  await expect(page.getByLabel('New password', { exact: true })).toBeVisible();
  await expect(page.locator('form:has([autocomplete="new-password"]) [autocomplete="username"]')).toHaveValue(
    team.owner.email,
  );
  await signIn(page, { node }, team.owner);
  await page.goto('/account');
  await expect(page.getByLabel('New password', { exact: true })).toBeVisible();
  await expect(page.locator('form:has([autocomplete="new-password"]) [autocomplete="username"]')).toHaveValue(
    team.owner.email,
  );
});

test('the sign-in page says who is signed in already', async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
  await page.goto('/login');
  await expect(page.getByText('You are already logged in.', { exact: true })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(
    `This browser is signed in as Olivia Owner (${team.owner.email}).`,
  );
  await picture(page, 'login-signed-in');
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

test('a reload keeps the link in this tab until it is used or refused', async ({ page, node, team, trouble }) => {
  trouble.expect(/status of 400/);
  await requestLink(page, team.owner.email);
  const token = extractMailToken(await node.inbox.next(team.owner.email));
  await page.goto(`/reset_password?token=${token}`);
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  expect((await readStorage(page)).tab).toContain(token);
  await page.reload();
  await choosePassword(page, NEW_PASSWORD);
  await expect(page).toHaveURL('/login');
  expect((await readStorage(page)).tab).not.toContain(token);

  await page.goto(`/reset_password?token=${token}`);
  await expect(page.getByRole('alert')).toHaveText('This link was already used. To use it again, request a new one.');
  expect((await readStorage(page)).tab).not.toContain(token);
  await page.reload();
  await expect(page.getByText('Open the link in your email again')).toBeVisible();
});

test('an unknown address gets the same response, and no email', async ({ page, node, team }) => {
  await requestLink(page, 'unknown.address@example.test');
  const unknown = await page.getByRole('status').allTextContents();
  await requestLink(page, team.owner.email);
  const known = await page.getByRole('status').allTextContents();
  expect(known.map((text) => text.replace(team.owner.email, '…'))).toEqual(
    unknown.map((text) => text.replace('unknown.address@example.test', '…')),
  );
  await node.inbox.next(team.owner.email);
  expect(node.inbox.waiting('unknown.address@example.test')).toEqual([]);
});

test('a short password is refused before anything is sent', async ({ page, node, team }) => {
  const calls: string[] = [];
  page.on('request', (request) => request.url().endsWith('/password/reset') && calls.push(request.url()));
  await requestLink(page, team.owner.email);
  await page.goto(`/reset_password?token=${extractMailToken(await node.inbox.next(team.owner.email))}`);
  await choosePassword(page, 'seven77');
  await expect(page.getByRole('alert')).toHaveText('The password must have at least 8 characters.');
  expect(calls).toEqual([]);
});

test('without a link the screen says where to get one', async ({ page }) => {
  await page.goto('/reset_password');
  await expect(page.getByText('Open the link in your email again')).toBeVisible();
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await expect(page).toHaveURL('/forgot_password');
});
