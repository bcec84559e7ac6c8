import type { Page } from '@playwright/test';
import { extractMailToken } from '@steward/server/testing/peers/inbox.ts';
import {
  invite,
  signIn as newSession,
  team as newTeam,
  user as person,
  signedIn,
} from '@steward/server/testing/workspace/factories.ts';
import { expect, type Given, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { personRow } from '../users/users-screen.ts';

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function signInByForm(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('a user with an account must accept first: by email, then under My account', async ({
  page,
  node,
  team,
  another,
}) => {
  const ada = await person(node, { first_name: 'Ada', last_name: 'Elsewhere' });
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await page.getByRole('button', { name: 'Add User' }).click();
  await page.getByRole('dialog').getByLabel('Email').fill(ada.email);
  await page.getByRole('dialog').getByRole('button', { name: 'Add User' }).click();
  await expect(personRow(page, ada.email)).toContainText('Pending Invitee');

  const elsewhere = await another();
  await elsewhere.goto(`/signup_confirm?token=${extractMailToken(await node.inbox.next(ada.email))}`);
  await expect(elsewhere.getByText('Sign in to answer the invitation to Northwind.')).toBeVisible();
  await signInByForm(elsewhere, ada);
  await expect(elsewhere).toHaveURL('/account');
  const invitation = section(elsewhere, 'Invitations');
  await expect(invitation).toContainText('Invited by Olivia Owner');
  await expect(invitation).toContainText('admins of the team can see where you are signed in');
  await picture(elsewhere, 'account-invitation');
  await elsewhere.getByRole('button', { name: 'Accept the invitation to Northwind' }).click();
  await expect(section(elsewhere, 'Teams')).toContainText('Northwind');
  await expect(invitation).toHaveCount(0);
  await page.reload();
  await expect(personRow(page, 'Ada Elsewhere')).toContainText('Team User');
});

test('an invitation can be declined, and the row disappears', async ({ page, node, team }) => {
  const max = await signedIn(node);
  await invite(node, { teamId: team.id, email: max.email });
  await signIn(page, { node }, max);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Decline the invitation to Northwind' }).click();
  await expect(page.getByText('You declined Northwind')).toBeVisible();
  await expect(section(page, 'Invitations')).toHaveCount(0);
  await expect(section(page, 'Teams')).not.toContainText('Northwind');
});

test('a person without admin rights reaches the account from the refusal, and can leave a team', async ({
  page,
  node,
  team,
}) => {
  const max = await person(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  await page.goto('/login');
  await signInByForm(page, max);
  await expect(page).toHaveURL('/permission_error');
  await page.getByRole('link', { name: 'My account' }).click();
  await page.getByRole('button', { name: 'Leave Northwind' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByText('You left Northwind')).toBeVisible();
  await expect(section(page, 'Teams')).toContainText("You don't belong to a team.");
});

test('the last owner cannot leave', async ({ page, node, team, trouble }) => {
  trouble.expect(/status of 409/);
  await signIn(page, { node }, team.owner);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Leave Northwind' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('alert')).toContainText('A team needs at least one owner.');
  await expect(section(page, 'Teams')).toContainText('Northwind');
});

test.describe('as an admin', () => {
  test.beforeEach(async ({ page, node, team }) => {
    await signIn(page, { node }, team.owner);
  });

  test('the account opens from the header, and a new name is shown there', async ({ page }) => {
    await page.goto('/users/users');
    await page.getByRole('button', { name: /Olivia Owner.*account/ }).click();
    await page.getByRole('menuitem', { name: 'My account' }).click();
    await expect(page.getByRole('button', { name: 'Save name' })).toHaveAttribute('aria-disabled', 'true');
    await page.getByLabel('First name').fill('Olive');
    await page.getByRole('button', { name: 'Save name' }).click();
    await expect(page.getByText('Your name was saved')).toBeVisible();
    await page.getByRole('link', { name: 'Back to the admin portal' }).click();
    await expect(page.getByRole('button', { name: /Olive Owner.*account/ })).toBeVisible();
  });

  test('a wrong current password is reported beside its field, and nothing is lost', async ({
    page,
    node,
    team,
    trouble,
  }) => {
    trouble.expect(/status of 400/);
    const other = await newSession(node, team.owner);
    await page.goto('/account');
    const form = section(page, 'Password');
    await form.getByRole('textbox', { name: 'Current password' }).fill('wrong');
    await form.getByRole('textbox', { name: 'New password', exact: true }).fill('a quite different password');
    await form.getByRole('textbox', { name: 'Confirm new password' }).fill('another one');
    await form.getByRole('button', { name: 'Change password' }).click();
    await expect(form.getByText('Passwords must be matching.')).toBeVisible();
    await form.getByRole('textbox', { name: 'Confirm new password' }).fill('a quite different password');
    await form.getByRole('button', { name: 'Change password' }).click();
    await expect(form.getByText('The current password is wrong.')).toBeVisible();
    await expect(form.getByRole('textbox', { name: 'Current password' })).toBeFocused();
    await expect(form.getByRole('textbox', { name: 'New password', exact: true })).toHaveValue(
      'a quite different password',
    );
    await form.getByRole('textbox', { name: 'Current password' }).fill(team.owner.password);
    await form.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByText('Your password was changed')).toBeVisible();
    await expect(form.getByRole('textbox', { name: 'Current password' })).toHaveValue('');
    await expect(section(page, 'Sessions').getByRole('listitem')).toHaveCount(1);
    expect(other.token).not.toBe(team.owner.token);
  });

  test('other sessions end one by one or all together', async ({ page, node, team }) => {
    for (let nth = 0; nth < 3; nth += 1) await newSession(node, team.owner);
    await page.goto('/account');
    const rows = section(page, 'Sessions').getByRole('listitem');
    await expect(rows).toHaveCount(4);
    await expect(rows.filter({ hasText: 'This device' })).toHaveCount(1);
    await picture(page, 'account');
    await rows
      .getByRole('button', { name: /^Sign out/ })
      .first()
      .click();
    await expect(rows).toHaveCount(3);
    await page.getByRole('button', { name: 'Sign out all other devices' }).click();
    await expect(rows).toHaveCount(1);
    await expect(page.getByRole('button', { name: 'Sign out all other devices' })).toHaveCount(0);
  });
});

test('without a session, the sign-in leads back to the account', async ({
  page,
  node,
  team,
}: { page: Page } & Given) => {
  const max = await person(node, { team: await newTeam(node), first_name: 'Max', last_name: 'Member' });
  expect(team.id).not.toBe(max.id);
  await page.goto('/account');
  await expect(page).toHaveURL('/login');
  await signInByForm(page, max);
  await expect(page).toHaveURL('/account');
  await expect(page.getByRole('heading', { name: 'My account' })).toBeVisible();
});
