import { team as anotherTeam, join, user } from '@steward/server/testing/workspace/factories.ts';
import { expect, type Given, signIn, test } from '../browser/fixtures.ts';
import { seedEntries } from '../directory/directory-screen.ts';
import { chooseAction, holdCalls, people } from '../users/users-screen.ts';
import { expectAccessible, expectAccessibleAtThisSize, SIZES } from './accessible.ts';

/** every-screen.spec.ts checks each screen as it opens. These tests check states that need a step on the screen. */
async function generateUsers({ node, team }: Given): Promise<void> {
  await user(node, { team: team.id, kind: 'admin', first_name: 'Ada', last_name: 'Admin' });
  await user(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  await user(node, { team: team.id, kind: 'zendesk', first_name: 'Zoe', last_name: 'Desk' });
  await user(node, { team: team.id, pending: true, first_name: '', last_name: '' });
  await user(node, { team: team.id, deactivated: true, first_name: 'Gone', last_name: 'Girl' });
  await join(node, await anotherTeam(node, 'Southwind'), team.owner.id, 'admin');
}

test('axe finds nothing on a refused sign-in, the account menu and the drawer of a phone', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/status of (400|401)/);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Email').fill('unknown@example.test');
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Your password is incorrect');
  await expectAccessible(page, 'sign-in, refused');
  await signIn(page, { node }, team.owner);
  await page.goto('/login');
  await expect(page.getByText('You are already logged in.')).toBeVisible();
  await expectAccessible(page, 'already signed in');
  await page.goto('/');
  await page.getByRole('button', { name: /, account/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
  await expectAccessible(page, 'account menu');
  await page.keyboard.press('Escape');
  await page.setViewportSize(SIZES.phone);
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
  await expectAccessibleAtThisSize(page, 'drawer');
});

test('axe finds nothing on Manage Users in its states, its menu, its dialogs and its alerts', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/ERR_FAILED/);
  await generateUsers({ node, team });
  await signIn(page, { node }, team.owner);
  const list = `**/admin/teams/${team.id}/users*`;
  const release = await holdCalls(page, list);
  await page.goto('/users/users?deactivated_accounts=1');
  await expect(page.getByRole('table', { name: 'People' })).toHaveAttribute('aria-busy', 'true');
  await expectAccessible(page, 'skeleton');
  release();
  await page.unroute(list);
  await expect(people(page)).toHaveCount(6);
  await expectAccessible(page, 'people');
  await page.getByRole('button', { name: /^Filters/ }).click();
  await expect(page.getByRole('checkbox', { name: /^(?!Select)/ })).toHaveCount(9);
  await expectAccessible(page, 'filters');
  await page.goto('/users/users?search=no-match');
  await expect(page.getByRole('heading', { name: 'No users found' })).toBeVisible();
  await expectAccessible(page, 'empty');
  await page.route(list, (route) => route.abort());
  await page.goto('/users/users');
  await expect(page.getByRole('heading', { name: 'An Error Occurred!' })).toBeVisible();
  await expectAccessible(page, 'error');
  await page.unroute(list);

  await page.goto('/users/users');
  await page.getByRole('button', { name: 'Actions for Ada Admin' }).click();
  await expect(page.getByRole('menuitem')).toHaveCount(9);
  await expectAccessible(page, 'menu');
  await page.keyboard.press('Escape');
  await chooseAction(page, 'Max Member', 'Deactivate');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessible(page, 'deactivate');
  await page.keyboard.press('Escape');
  await chooseAction(page, 'Max Member', 'Edit');
  await expect(page.getByRole('dialog', { name: 'Edit User' })).toBeVisible();
  await expectAccessible(page, 'edit');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add User' }).click();
  const add = page.getByRole('dialog', { name: 'Add User' });
  await add.getByRole('button', { name: 'Add User' }).click();
  await expect(add.getByText('Email is required.')).toBeVisible();
  await expectAccessible(page, 'add, refused');
  await page.keyboard.press('Escape');
  await chooseAction(page, 'Max Member', 'Revoke all sessions');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke all sessions' }).click();
  // The alert stays while it has the focus.
  await page.getByRole('button', { name: 'Dismiss' }).focus();
  await expect(page.getByText('All sessions of User revoked successfully')).toBeVisible();
  await expectAccessible(page, 'alert');
});

test('axe finds nothing on the dialogs of the company directory', async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
  await seedEntries({ node, team }, { name: 'Ann Lee', phone_number: '5551234567' });
  await page.goto('/users/company_directory');
  await page.getByRole('button', { name: 'Add Entry' }).click();
  const add = page.getByRole('dialog', { name: 'Add Entry' });
  await add.getByRole('button', { name: 'Add Entry' }).click();
  await expect(add.getByText('Name is required.')).toBeVisible();
  await expectAccessible(page, 'add, refused');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Edit Ann Lee' }).click();
  await expect(page.getByRole('dialog', { name: 'Edit Entry' })).toBeVisible();
  await expectAccessible(page, 'edit');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Delete Ann Lee' }).click();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessible(page, 'delete');
});
