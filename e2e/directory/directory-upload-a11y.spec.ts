import { expect, test } from '../browser/fixtures.ts';
import { expectAccessibleAtThisSize as expectAccessible, SIZES } from '../screens/accessible.ts';
import { holdCalls } from '../users/users-screen.ts';
import { chooseFile, openUpload, previewFile, upload } from './upload-screen.ts';

const FILE = 'Name,Email,Town\nAda,ada@example.com,Köln\nBea,no address,Köln';

for (const [size, viewport] of Object.entries(SIZES)) {
  test.describe(`${size}, in both themes, axe finds nothing`, () => {
    test.use({ viewport });
    test.slow();

    test('on the steps of an upload', async ({ page, node, team }) => {
      const dialog = await openUpload(page, { node, team });
      await expectAccessible(page, 'choose');
      await chooseFile(page, { name: 'photo.png', content: 'no' });
      await expect(dialog.getByRole('alert')).toBeVisible();
      await expectAccessible(page, 'wrong type');
      const preview = await holdCalls(page, '**/compdir/multi?*preview=1*');
      await chooseFile(page, { name: 'people.csv', content: FILE });
      await expect(dialog.getByRole('progressbar')).toBeVisible();
      await expectAccessible(page, 'reading');
      preview();
      await dialog.getByRole('button', { name: '1 Errors' }).click();
      await expectAccessible(page, 'preview');
      const stored = await holdCalls(page, '**/compdir/multi?*import_id=*');
      await dialog.getByRole('button', { name: 'Upload 1 row' }).click();
      await expect(dialog.getByRole('progressbar')).toBeVisible();
      await expectAccessible(page, 'storing');
      stored();
      await expect(dialog.getByRole('heading', { name: 'Some of records were not added' })).toBeVisible();
      await expectAccessible(page, 'result');
    });

    test('on the imports and undoing one', async ({ page, node, team }) => {
      const dialog = await openUpload(page, { node, team });
      await previewFile(page, { name: 'people.csv', content: FILE });
      await upload(page, 'Some of records were not added');
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
    });
  });
}

test('an upload works with the keyboard alone', async ({ page, node, team }) => {
  const dialog = await openUpload(page, { node, team });
  const coming = page.waitForEvent('filechooser');
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'Choose a CSV file' })).toBeFocused();
  await page.keyboard.press('Enter');
  await (await coming).setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) });
  await expect(dialog.getByRole('heading', { name: 'Review changes' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('combobox', { name: 'Encoding' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(dialog.getByRole('button', { name: '1 New' })).toHaveAttribute('aria-pressed', 'true');
  await expect(dialog.getByRole('status').filter({ hasText: 'The only new row' })).toBeVisible();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(dialog.getByRole('button', { name: 'Upload 1 row' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('heading', { name: 'Some of records were not added' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Upload CSV' })).toBeFocused();
});
