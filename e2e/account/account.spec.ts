import type { Locator, Page } from '@playwright/test';
import { saveUser } from '@steward/contract/users';
import { call } from '@steward/server/testing/app/call.ts';
import { encodePng, paint } from '@steward/server/testing/images/images.ts';
import { extractMailToken } from '@steward/server/testing/peers/inbox.ts';
import { signIn as newSession, signedIn, user } from '@steward/server/testing/workspace/factories.ts';
import { expect, openAccount, signIn, test, typePassword } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { personRow } from '../users/users-screen.ts';

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Moves the focus to an element by Tab alone. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  await expect(target).toBeFocused();
}

test('a user with an account accepts an invitation by email, reaches the account from the refusal, and leaves the team', async ({
  page,
  node,
  team,
  another,
}) => {
  const ada = await user(node, { first_name: 'Ada', last_name: 'Elsewhere' });
  const grace = 'grace@example.test';
  for (const email of [ada.email, grace])
    await call(node, saveUser, { as: team.owner, params: { teamId: team.id }, body: { email, account_type: 2 } });

  const elsewhere = await another();
  await elsewhere.goto(`/signup_confirm?token=${extractMailToken(await node.inbox.next(grace))}`);
  await expect(elsewhere.getByText('Olivia Owner invited you to the team Northwind as')).toBeVisible();
  await picture(elsewhere, 'invitation-by');
  await elsewhere.goto(`/signup_confirm?token=${extractMailToken(await node.inbox.next(ada.email))}`);
  await expect(elsewhere.getByText('Sign in to answer the invitation to Northwind.')).toBeVisible();
  await typePassword(elsewhere, ada);
  await expect(elsewhere).toHaveURL('/account');
  const invitation = section(elsewhere, 'Invitations');
  await expect(invitation).toContainText('Invited by Olivia Owner');
  await picture(elsewhere, 'account-invitation');
  await elsewhere.getByRole('button', { name: 'Accept the invitation to Northwind' }).click();
  await expect(section(elsewhere, 'Teams')).toContainText('Northwind');
  await expect(invitation).toHaveCount(0);
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(personRow(page, 'Ada Elsewhere')).toContainText('Team User');

  await elsewhere.goto('/users/users');
  await expect(elsewhere).toHaveURL('/permission_error');
  await elsewhere.getByRole('link', { name: 'My account' }).click();
  await elsewhere.getByRole('button', { name: 'Leave Northwind' }).click();
  await elsewhere.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await expect(elsewhere.getByText('You left Northwind')).toBeVisible();
  await expect(section(elsewhere, 'Teams')).not.toContainText('Northwind');
});

test('a picture, emails, the password and sessions are changed by keyboard', async ({ page, node, team }) => {
  for (let nth = 0; nth < 2; nth += 1) await newSession(node, team.owner);
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await openAccount(page);
  await expect(section(page, 'Sessions').getByRole('listitem')).toHaveCount(3);
  await picture(page, 'account');
  const file = { name: 'me.png', mimeType: 'image/png', buffer: encodePng(paint(300, 200, (x) => [x % 256, 90, 160])) };
  const profile = section(page, 'Profile');
  // The listener must be registered before the key is pressed, and some steps ahead.
  const chooser = page.waitForEvent('filechooser');
  await tabTo(page, page.getByRole('button', { name: 'Choose picture' }));
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(file);
  await expect(profile.getByAltText('Preview')).toBeVisible();
  await picture(page, 'account-picture');
  await expectAccessible(page, 'a chosen picture');
  await tabTo(page, page.getByRole('button', { name: 'Save picture' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your picture was saved')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Choose picture' })).toBeFocused();
  const shown = profile.locator('img');
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(256);
  await page.getByRole('link', { name: 'Back to the admin portal' }).click();
  const header = page
    .getByRole('banner')
    .getByRole('button', { name: /Olivia Owner/ })
    .locator('img');
  await expect.poll(() => header.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(256);
  await openAccount(page);
  await tabTo(page, page.getByRole('button', { name: 'Remove picture' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your picture was removed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Choose picture' })).toBeFocused();

  await page.getByLabel('Picture file').setInputFiles({ ...file, buffer: Buffer.from('not a picture') });
  await expect(profile.getByRole('alert')).toContainText("This file can't be read as a picture.");
  await picture(page, 'account-picture-refused');

  const emails = section(page, 'Email notifications');
  const runs = emails.getByRole('switch', { name: 'Failed retention runs' });
  await expect(runs).toBeChecked();
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
  await runs.focus();
  await page.keyboard.press('Space');
  await expect(runs).not.toBeChecked();
  expect((await saved).status()).toBe(200);
  await emails.scrollIntoViewIfNeeded();
  await picture(page, 'account-emails');
  await page.reload();
  await expect(runs).not.toBeChecked();
  await expect(emails.getByRole('switch', { name: 'New admins' })).toBeChecked();

  const sessions = section(page, 'Sessions').getByRole('listitem');
  await sessions
    .getByRole('button', { name: /^Sign out/ })
    .first()
    .click();
  await expect(sessions).toHaveCount(2);
  const form = section(page, 'Password');
  await form.getByRole('textbox', { name: 'Current password' }).fill(team.owner.password);
  await form.getByRole('textbox', { name: 'New password', exact: true }).fill('a quite different password');
  await form.getByRole('textbox', { name: 'Confirm new password' }).fill('a quite different password');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your password was changed')).toBeVisible();
  await expect(sessions).toHaveCount(1);
});

test('the email address is changed by the link to the new one', async ({ page, node, team, another, trouble }) => {
  trouble.expect(/status of 400/);
  const who = await signedIn(node, { team: team.id, first_name: 'Ada', last_name: 'Admin' });
  const email = 'ada.new@example.test';
  await signIn(page, { node }, who);
  await page.goto('/account');
  const form = section(page, 'Email');
  await form.getByLabel('New email').focus();
  await page.keyboard.type('not an address');
  await tabTo(page, form.getByRole('textbox', { name: 'Your password' }));
  await page.keyboard.type('wrong');
  await page.keyboard.press('Enter');
  await expect(form.getByText('This is not an email address')).toBeVisible();
  await expect(form.getByLabel('New email')).toBeFocused();
  await form.getByLabel('New email').fill(email);
  await form.getByRole('button', { name: 'Send link' }).click();
  await expect(form.getByText('The current password is wrong.')).toBeVisible();
  await form.getByRole('textbox', { name: 'Your password' }).fill(who.password);
  await picture(page, 'account-email');
  await form.getByRole('button', { name: 'Send link' }).click();
  await expect(form.getByRole('status')).toContainText(`We sent a link to ${email}.`);
  await picture(page, 'account-email-sent');

  const token = extractMailToken(await node.inbox.next(email));
  // The email is opened where someone else is signed in.
  const elsewhere = await another();
  await signIn(elsewhere, { node }, team.owner);
  await elsewhere.goto(`/confirm_email?token=${token}`);
  await expect(elsewhere).toHaveURL('/confirm_email');
  await expect(elsewhere.getByRole('heading', { name: 'This link is for another account' })).toBeVisible();
  await expect(elsewhere.getByText(`the account Ada Admin (${who.email})`)).toBeVisible();
  await expect(elsewhere.getByText(`You are signed in as Olivia Owner (${team.owner.email})`)).toBeVisible();
  await picture(elsewhere, 'confirm-email-other');
  await expectAccessible(elsewhere, 'a link for another account');
  await elsewhere.getByRole('button', { name: 'Switch account' }).click();
  await expect(elsewhere.getByText('Sign in to the account whose email address you want to change.')).toBeVisible();
  await typePassword(elsewhere, who);
  await expect(elsewhere).toHaveURL('/confirm_email');
  await expect(elsewhere.getByText(`your account Ada Admin (${who.email})`)).toBeVisible();
  await picture(elsewhere, 'confirm-email');
  await expectAccessible(elsewhere, 'confirming an address');
  await elsewhere.getByRole('button', { name: 'Confirm email address' }).click();
  await expect(elsewhere.getByRole('heading', { name: 'Email address changed' })).toBeFocused();
  await expect(elsewhere.getByText(email)).toBeVisible();
  await picture(elsewhere, 'email-changed');
  await page.reload();
  await expect(form).toContainText(`You sign in with ${email}.`);
  await elsewhere.goto(`/confirm_email?token=${token}`);
  await expect(elsewhere.getByRole('alert')).toContainText('This link was already used.');
  await expect(elsewhere.getByRole('button', { name: 'Confirm email address' })).toHaveCount(0);
});
