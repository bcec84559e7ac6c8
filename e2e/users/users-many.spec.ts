import { person } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { personRow } from './users-screen.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('twenty users are invited with two clicks and one paste, and what isn’t an address stays', async ({
  page,
  node,
  team,
}) => {
  const known = await person(node, { first_name: 'Known' });
  const list = Array.from({ length: 18 }, (_, nth) => `New ${nth} <new.${nth}.${team.id}@example.test>`);
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await page.getByRole('button', { name: 'Add User' }).click();
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    [...list, known.email, `"Lee, Ann" <ann.${team.id}@example.test>`, 'nobody'].join('; '),
  );
  await page.keyboard.press('ControlOrMeta+v');
  const dialog = page.getByRole('dialog', { name: 'Add Users' });
  await expect(dialog.getByRole('status')).toHaveText('20 addresses found. Not understood: nobody');
  await picture(page, 'users-add-many');
  await dialog.getByRole('button', { name: 'Invite 20 people' }).click();
  await expect(page.getByText('20 invited')).toBeVisible();
  const field = dialog.getByRole('textbox', { name: 'Email addresses' });
  await expect(field).toHaveValue('nobody');
  await field.fill('');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('21 people')).toBeVisible();
  await expect(personRow(page, 'Ann Lee')).toContainText('Pending Invitee');
});

test('users who are there already stay as they are, and the dialog leads to them', async ({ page, node, team }) => {
  const admin = await person(node, { team: team.id, kind: 'admin', first_name: 'Ada', last_name: 'Admin' });
  const gone = await person(node, { team: team.id, deactivated: true });
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await page.getByRole('button', { name: 'Add User' }).click();
  await page.getByRole('button', { name: 'Add several people at once' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Users' });
  const field = dialog.getByRole('textbox', { name: 'Email addresses' });
  await field.fill(`Someone, Else <${admin.email}>; New, Nina <nina.${team.id}@example.test>\n${gone.email}`);
  await dialog.getByRole('button', { name: 'Invite 3 people' }).click();
  const notice = dialog.getByRole('alert');
  await expect(notice).toContainText(`Ada Admin (${admin.email}) is already in the team.`);
  await expect(notice).toContainText(`(${gone.email}) is in the team, but deactivated.`);
  await expect(notice).toContainText('Nothing was changed.');
  await expect(field).toHaveValue('');
  await picture(page, 'users-add-existing');
  await expectAccessible(page, 'adding users who are there already');
  await notice.getByRole('link', { name: 'Show user' }).first().click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('dialog', { name: 'Ada Admin' })).toContainText('Team Admin');
  await page.keyboard.press('Escape');
  await expect(personRow(page, 'Nina New')).toContainText('Pending Invitee');
});

test('an address that was pasted with a name fills the form', async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await page.getByRole('button', { name: 'Add User' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add User' });
  await expect(dialog.getByLabel('Email')).toBeFocused();
  await page.evaluate((text) => navigator.clipboard.writeText(text), `"Lee, Ann" <ann.${team.id}@example.test>;`);
  await page.keyboard.press('ControlOrMeta+v');
  await expect(dialog.getByLabel('Email')).toHaveValue(`ann.${team.id}@example.test`);
  await expect(dialog.getByLabel('First name')).toHaveValue('Ann');
  await expect(dialog.getByLabel('Last name')).toHaveValue('Lee');
});

test('an address that is refused stays in the field with its name and the reason', async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await page.getByRole('button', { name: 'Add User' }).click();
  await page.getByRole('button', { name: 'Add several people at once' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Users' });
  const field = dialog.getByRole('textbox', { name: 'Email addresses' });
  const long = `"${'x'.repeat(101)}, Ann" <ann.${team.id}@example.test>`;
  await field.fill(`fine.${team.id}@example.test\n${long}`);
  await dialog.getByRole('button', { name: 'Invite 2 people' }).click();
  await expect(dialog.getByRole('alert')).toContainText(`ann.${team.id}@example.test: Last Name must have at most`);
  await expect(field).toHaveValue(long);
  await expect(page.getByText('1 invited')).toBeVisible();
});
