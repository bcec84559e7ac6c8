import { person } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { personRow } from './users-screen.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('twenty users are invited with two clicks and one paste', async ({ page, node, team }) => {
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
  await expect(dialog).toBeHidden();
  await expect(page.getByText('21 people')).toBeVisible();
  await expect(personRow(page, 'Ann Lee')).toContainText('Pending Invitee');
});

test('people who can’t be added stay in the field with the reason', async ({ page, node, team }) => {
  const gone = await person(node, { team: team.id, deactivated: true });
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await page.getByRole('button', { name: 'Add User' }).click();
  await page.getByRole('button', { name: 'Add several people at once' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Users' });
  await dialog.getByRole('textbox', { name: 'Email addresses' }).fill(`fine.${team.id}@example.test\n${gone.email}`);
  await dialog.getByRole('button', { name: 'Invite 2 people' }).click();
  await expect(dialog.getByRole('alert')).toContainText(`${gone.email}: This person is deactivated.`);
  await expect(dialog.getByRole('textbox', { name: 'Email addresses' })).toHaveValue(gone.email);
  await expect(page.getByText('1 invited')).toBeVisible();
});
