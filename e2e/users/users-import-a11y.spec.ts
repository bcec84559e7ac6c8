import { expect, signIn, test } from '../browser/fixtures.ts';
import { chooseFile, uploadDialog } from '../directory/upload-screen.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { holdCalls } from './users-screen.ts';

const makeFile = (team: { id: string }) =>
  `Email,First Name,Town\nada.${team.id}@example.test,Ada,Köln\nnobody,Bea,Köln`;

test('axe finds nothing on the first steps of an import of users, which works with the keyboard alone', async ({
  page,
  node,
  team,
}) => {
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await page.getByRole('button', { name: 'Import CSV' }).click();
  const dialog = uploadDialog(page);
  await expect(dialog.getByRole('heading', { name: 'Choose a file' })).toBeFocused();
  await expectAccessible(page, 'choose');
  const preview = await holdCalls(page, '**/users/multi?preview=1&if_exists=update');
  await chooseFile(page, { name: 'people.csv', content: makeFile(team) });
  await expect(dialog.getByRole('progressbar')).toBeVisible();
  preview();
  await dialog.getByRole('button', { name: '1 Errors' }).click();
  await expect(dialog.getByText('The only row with errors')).toBeVisible();
  await expectAccessible(page, 'preview');
  const stored = await holdCalls(page, '**/users/multi?if_exists=update');
  await dialog.getByRole('button', { name: 'Import 1 row' }).click();
  await expect(dialog.getByRole('progressbar')).toBeVisible();
  stored();
  await expect(dialog.getByRole('heading', { name: 'Some of records were not added' })).toBeVisible();
  await page.keyboard.press('Escape');

  await page.emulateMedia({ forcedColors: 'active' });
  const button = page.getByRole('button', { name: 'Import CSV' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('heading', { name: 'Choose a file' })).toBeFocused();
  const coming = page.waitForEvent('filechooser');
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'Choose a CSV file' })).toBeFocused();
  await page.keyboard.press('Enter');
  await (await coming).setFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(makeFile({ id: `again.${team.id}` })),
  });
  await expect(dialog.getByRole('heading', { name: 'Review changes' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('combobox', { name: 'Encoding' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  const tile = dialog.getByRole('button', { name: '1 To invite' });
  await expect(tile).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(dialog.getByRole('button', { name: 'Import 1 row' })).toBeFocused();
  // Without the tile's colors, only an outline distinguishes it from the others.
  await expect(tile).toHaveCSS('outline-style', 'solid');
  await expect(dialog.getByRole('button', { name: '1 Errors' })).not.toHaveCSS('outline-style', 'solid');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('heading', { name: 'Some of records were not added' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
});
