import type { Page } from '@playwright/test';
import { person, signedIn } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { setAccountKind } from '../browser/team-members.ts';
import { chooseAction, personRow } from './users-screen.ts';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

test('deactivating says what will end, removes the row from the list, and can be undone', async ({
  page,
  node,
  team,
  another,
  trouble,
}) => {
  trouble.expect(/status of 401/);
  const ada = await signedIn(node, { team: team.id, kind: 'admin', first_name: 'Ada', last_name: 'Admin' });
  const elsewhere = await another();
  await signIn(elsewhere, { node }, ada);
  await elsewhere.goto('/users/users');
  await expect(personRow(elsewhere, 'Olivia Owner')).toBeVisible();
  await page.goto('/users/users');
  await chooseAction(page, 'Ada Admin', 'Deactivate');
  const question = dialog(page, 'Deactivate user');
  await expect(question).toContainText(`Ada Admin (${ada.email}) will lose access to Northwind at once.`);
  await expect(question).toContainText('1 session will end.');
  await picture(page, 'deactivate');
  await question.getByRole('button', { name: 'Deactivate' }).click();
  await expect(personRow(page, 'Ada Admin')).toHaveCount(0);
  // The deactivated user clicks something.
  await elsewhere.getByRole('link', { name: 'Company Directory' }).click();
  await expect(elsewhere).toHaveURL(/\/login/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Ada Admin was reactivated')).toBeVisible();
  await expect(personRow(page, 'Ada Admin')).toContainText('Team Admin');
});

test('a deactivated person is shown on request, and can be reactivated or removed', async ({ page, node, team }) => {
  await person(node, { team: team.id, first_name: 'Max', last_name: 'Member', deactivated: true });
  await page.goto('/users/users?deactivated_accounts=1');
  await page.getByRole('button', { name: 'Actions for Max Member' }).click();
  await expect(page.getByRole('menuitem').filter({ hasNot: page.locator('[aria-disabled=true]') })).toContainText([
    'Reactivate',
    'Remove from team',
  ]);
  await page.getByRole('menuitem', { name: 'Reactivate' }).click();
  await dialog(page, 'Reactivate user').getByRole('button', { name: 'Reactivate' }).click();
  await expect(personRow(page, 'Max Member')).not.toContainText('Deactivated');
  await chooseAction(page, 'Max Member', 'Remove from team');
  await expect(dialog(page, 'Remove from team')).toContainText('they have to be invited again');
  await dialog(page, 'Remove from team').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Max Member was removed from the team')).toBeVisible();
  await expect(personRow(page, 'Max Member')).toHaveCount(0);
  await page.reload();
  await expect(personRow(page, 'Olivia Owner')).toBeVisible();
  await expect(personRow(page, 'Max Member')).toHaveCount(0);
});

test('admin rights and ownership are granted and removed by keyboard alone', async ({ page, node, team }) => {
  await person(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  await page.goto('/users/users');
  const menu = page.getByRole('button', { name: 'Actions for Max Member' });
  const choose = async (action: string, confirm: string) => {
    await menu.press('Enter');
    await page.getByRole('menuitem', { name: action, exact: true }).press('Enter');
    // The dialog takes the focus when it has opened, which would undo an earlier Tab.
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('dialog').getByRole('button', { name: confirm })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(menu).toBeFocused();
  };
  await choose('Make admin', 'Make admin');
  await expect(personRow(page, 'Max Member')).toContainText('Team Admin');
  await choose('Make owner', 'Make owner');
  await expect(personRow(page, 'Max Member')).toContainText('Team Owner');
  await choose('Remove as owner', 'Remove as owner');
  await expect(personRow(page, 'Max Member')).toContainText('Team Admin');
  await choose('Make user', 'Make user');
  await expect(personRow(page, 'Max Member')).toContainText('Team User');
});

test('an admin can neither change an owner nor promote a user to owner', async ({ page, node, team, trouble }) => {
  trouble.expect(/status of 409/);
  await person(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  await setAccountKind(node, { teamId: team.id, personId: team.owner.id, kind: 'admin' });
  const max = await person(node, { team: team.id, kind: 'owner', first_name: 'Mona', last_name: 'Owner' });
  await page.goto('/users/users');
  await page.getByRole('button', { name: 'Actions for Mona Owner' }).click();
  await expect(page.getByRole('menuitem', { name: 'Revoke all sessions' })).toBeVisible();
  for (const name of ['Deactivate', 'Remove from team', 'Remove as owner'])
    await expect(page.getByRole('menuitem', { name })).toHaveCount(0);
  await page.keyboard.press('Escape');
  // The user becomes an owner while the menu of the older list still offers to remove them.
  await setAccountKind(node, { teamId: team.id, personId: max.id, kind: 'member' });
  await page.reload();
  await page.getByRole('button', { name: 'Actions for Mona Owner' }).click();
  await setAccountKind(node, { teamId: team.id, personId: max.id, kind: 'owner' });
  await page.getByRole('menuitem', { name: 'Remove from team' }).click();
  await dialog(page, 'Remove from team').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('alert')).toContainText("A team owner can't be changed here.");
  await expect(personRow(page, 'Mona Owner')).toBeVisible();
});
