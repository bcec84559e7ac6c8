import { expect, test } from '../browser/fixtures.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { holdCalls } from '../users/users-screen.ts';
import { chooseFile, openUpload } from './upload-screen.ts';

const FILE = 'Name,Email,Town\nAda,ada@example.com,Köln\nBea,no address,Köln';

test('an upload works with the keyboard alone, and axe finds nothing on its steps and on undoing it', async ({
  page,
  node,
  team,
}) => {
  const dialog = await openUpload(page, { node, team });
  await expectAccessible(page, 'choose');
  await chooseFile(page, { name: 'photo.png', content: 'no' });
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'wrong type');
  let preview = await holdCalls(page, '**/compdir/multi?*preview=1*');
  await chooseFile(page, { name: 'people.csv', content: FILE });
  await expect(dialog.getByRole('progressbar', { name: 'Reading the file' })).toBeVisible();
  await expectAccessible(page, 'reading');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByRole('heading', { name: 'Choose a file' })).toBeFocused();
  preview();

  const coming = page.waitForEvent('filechooser');
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'Choose a CSV file' })).toBeFocused();
  await page.keyboard.press('Enter');
  preview = await holdCalls(page, '**/compdir/multi?*preview=1*');
  await (await coming).setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) });
  preview();
  await expect(dialog.getByRole('heading', { name: 'Review changes' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('combobox', { name: 'Encoding' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(dialog.getByRole('button', { name: '1 New' })).toHaveAttribute('aria-pressed', 'true');
  await expect(dialog.getByRole('status').filter({ hasText: 'The only new row' })).toBeVisible();
  await dialog.getByRole('button', { name: '1 Errors' }).click();
  await expectAccessible(page, 'preview');
  await dialog.getByRole('button', { name: '1 New' }).focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(dialog.getByRole('button', { name: 'Upload 1 row' })).toBeFocused();
  const stored = await holdCalls(page, '**/compdir/multi?*import_id=*');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('progressbar', { name: 'Uploading the rows' })).toBeVisible();
  await expectAccessible(page, 'storing');
  stored();
  await expect(dialog.getByRole('heading', { name: 'Some of records were not added' })).toBeFocused();
  await expectAccessible(page, 'result');
  await dialog.getByRole('button', { name: 'Undo this import' }).click();
  const question = page.getByRole('dialog', { name: 'Undo this import' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessible(page, 'question');
  await question.getByRole('button', { name: 'Undo this import' }).click();
  await expect(dialog.getByRole('heading', { name: 'Import undone' })).toBeVisible();
  await expectAccessible(page, 'undone');
  await dialog.getByRole('button', { name: 'Back to uploads' }).click();
  await expect(dialog.getByRole('listitem')).toContainText('Undone');
  await expectAccessible(page, 'imports');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Upload CSV' })).toBeFocused();
});
