import { newId } from '@steward/server/src/platform/database/ids.ts';
import { extractMailToken } from '@steward/server/testing/peers/inbox.ts';
import { person } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test, typePassword } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { deactivate } from '../browser/team-members.ts';
import { fillDetails } from '../signup/signup-details.ts';
import { chooseAction, personRow } from './users-screen.ts';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
});

test('an added person is invited by email, corrects the name, chooses a password, and becomes a Team User', async ({
  page,
  node,
  another,
}) => {
  const email = `new.${newId()}@example.test`;
  await page.getByRole('button', { name: 'Add User' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add User' });
  await expect(dialog.getByLabel('Email')).toBeFocused();
  await expect(dialog.getByRole('radio', { name: 'Team User' })).toBeChecked();
  await dialog.getByLabel('Email').fill(email.toUpperCase());
  await dialog.getByLabel('First name').fill('Nora');
  await dialog.getByLabel('Last name').fill('New');
  await dialog.getByRole('button', { name: 'Add User' }).click();
  await expect(page.getByRole('status').getByText('Added Successfully')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(personRow(page, 'Nora New')).toContainText('Pending Invitee');

  const invitee = await another();
  const password = 'lantern over the harbour';
  await invitee.goto(`/signup_confirm?token=${extractMailToken(await node.inbox.next(email))}`);
  await expect(invitee.getByLabel('First name')).toHaveValue('Nora');
  await fillDetails(invitee, { last: 'Newman', password });
  await invitee.getByRole('button', { name: 'Join team' }).click();
  await expect(invitee).toHaveURL('/login');
  await typePassword(invitee, { email, password });
  await expect(invitee).toHaveURL('/permission_error');

  await page.reload();
  await expect(personRow(page, 'Nora Newman')).toContainText('Team User');
});

test('an email is required and checked before anything is sent', async ({ page }) => {
  await page.getByRole('button', { name: 'Add User' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add User' });
  await dialog.getByRole('button', { name: 'Add User' }).click();
  await expect(dialog.getByText('Email is required.')).toBeVisible();
  await dialog.getByLabel('Email').fill('not an email');
  await dialog.getByRole('button', { name: 'Add User' }).click();
  await expect(dialog.getByText('Enter a valid email address.')).toBeVisible();
  await picture(page, 'users-add');
});

test('adding a member’s address changes nothing and leads to the member', async ({ page, node, team }) => {
  const ada = await person(node, { team: team.id, kind: 'admin', first_name: 'Ada', last_name: 'Admin' });
  await page.getByRole('button', { name: 'Add User' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add User' });
  await dialog.getByLabel('Email').fill(ada.email.toUpperCase());
  await dialog.getByRole('button', { name: 'Add User' }).click();
  const notice = dialog.getByRole('alert');
  await expect(notice).toContainText(`Ada Admin (${ada.email}) is already in the team.`);
  await expect(notice).toContainText('Nothing was changed.');
  await expect(page.getByText('Added Successfully')).toBeHidden();
  await picture(page, 'users-add-known');
  await dialog.getByRole('link', { name: 'Show user' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('dialog', { name: 'Ada Admin' })).toContainText('Team Admin');
});

test('editing locks the email and saves only when something changed', async ({ page, node, team }) => {
  const max = await person(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  await page.reload();
  await chooseAction(page, 'Max Member', 'Edit');
  const dialog = page.getByRole('dialog', { name: 'Edit User' });
  await expect(dialog.getByLabel('Email')).toHaveValue(max.email);
  await expect(dialog.getByLabel('Email')).not.toBeEditable();
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await dialog.getByRole('radio', { name: 'Team Admin' }).check();
  await dialog.getByLabel('Last name').fill('Manager');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved Successfully')).toBeVisible();
  await expect(personRow(page, 'Max Manager')).toContainText('Team Admin');
});

test('a refused change keeps the input', async ({ page, node, team, trouble }) => {
  trouble.expect(/status of 409/);
  const max = await person(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  await page.reload();
  await chooseAction(page, 'Max Member', 'Edit');
  const dialog = page.getByRole('dialog', { name: 'Edit User' });
  await dialog.getByLabel('Last name').fill('Manager');
  await deactivate(node, team.id, max.id);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('An Error Occurred!')).toBeVisible();
  await expect(dialog.getByText('This person is deactivated.')).toBeVisible();
  await expect(dialog.getByLabel('Last name')).toHaveValue('Manager');
});

test('a lost response and a second attempt send one invitation', async ({ page, node, trouble }) => {
  trouble.expect(/ERR_FAILED/);
  const email = `twice.${newId()}@example.test`;
  const keys: (string | null)[] = [];
  await page.route('**/admin/teams/*/users', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    keys.push(await route.request().headerValue('idempotency-key'));
    if (keys.length > 1) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Add User' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add User' });
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByRole('button', { name: 'Add User' }).click();
  await expect(dialog.getByText('API error')).toBeVisible();
  await dialog.getByRole('button', { name: 'Add User' }).click();
  await expect(page.getByText('Added Successfully')).toBeVisible();
  await expect(personRow(page, email)).toHaveCount(1);
  await node.inbox.next(email);
  expect(node.inbox.waiting(email)).toEqual([]);
  expect(keys[0]).toMatch(/^\w{16,}$/);
  expect(keys).toEqual([keys[0], keys[0]]);
});

test('closing with unsaved input asks first, and can keep it', async ({ page }) => {
  await page.getByRole('button', { name: 'Add User' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add User' });
  await dialog.getByLabel('First name').fill('Nora');
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Discard changes' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByLabel('First name')).toHaveValue('Nora');
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add User' })).toBeFocused();
});
