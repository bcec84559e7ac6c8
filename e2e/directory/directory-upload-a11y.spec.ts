import { expect, test } from '../browser/fixtures.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { holdCalls } from '../users/users-screen.ts';
import { chooseFile, openUpload } from './upload-screen.ts';

const FILE = 'Name,Email,Town\nAda,ada@example.com,Köln\nBea,no address,Köln';

test('axe finds nothing on the steps of an upload, on the imports and undoing one', async ({ page, node, team }) => {
  test.slow();
  const dialog = await openUpload(page, { node, team });
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
