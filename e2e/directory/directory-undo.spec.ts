import { expect, test } from '../browser/fixtures.ts';
import { deleteEntryElsewhere, entryRow, seedEntries } from './directory-screen.ts';
import { openUpload, previewFile, reopenUpload, storedEntries, upload } from './upload-screen.ts';

const HEADER = 'Id,Name,Phone Number,Sms,Email';

test('an import is undone except for entries that changed since, which are listed', async ({ page, node, team }) => {
  const [ada = '', bea = '', cleo = ''] = await seedEntries(
    { node, team },
    { name: 'Ada' },
    { name: 'Bea' },
    { name: 'Cleo' },
  );
  const dialog = await openUpload(page, { node, team });
  const rows = [`${ada},Ada changed,,,`, `${bea},Bea changed,,,`, `${cleo},Cleo changed,,,`, ',New 1,,,', ',New 2,,,'];
  await previewFile(page, { name: 'people.csv', content: [HEADER, ...rows].join('\r\n') });
  await upload(page, 'CSV uploaded successfully');
  const created = (await storedEntries(page, { node, team })).find(({ name }) => name === 'New 2');
  const edit = await page.request.put(`/api/v4/teams/${team.id}/compdir`, {
    data: [
      { id: bea, name: 'Bea by hand' },
      { id: created?.id ?? '', name: 'New by hand' },
    ],
  });
  expect(edit.ok()).toBe(true);
  await deleteEntryElsewhere({ node, team }, cleo);

  await dialog.getByRole('button', { name: 'Undo this import' }).click();
  const question = page.getByRole('dialog', { name: 'Undo this import' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expect(question).toContainText('people.csv');
  await expect(question).toContainText('2 added entries will be removed, 3 updated entries will be restored.');
  await expect(question).toContainText('Entries that were edited or deleted later stay as they are and are listed.');
  await question.getByRole('button', { name: 'Undo this import' }).click();
  await expect(dialog.getByRole('heading', { name: 'Import undone' })).toBeFocused();
  await expect(dialog.getByRole('definition')).toHaveText(['1', '1', '3']);
  const kept = dialog.getByRole('region', { name: 'Entries that were kept' }).getByRole('listitem');
  await expect(kept).toHaveCount(3);
  await expect(kept.filter({ hasText: 'Bea by hand' })).toContainText('edited later');
  await expect(kept.filter({ hasText: 'New by hand' })).toContainText('edited later');
  await expect(kept.filter({ hasText: 'Cleo' })).toContainText('deleted later');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(entryRow(page, 'New 1')).toHaveCount(0);
  const names = (await storedEntries(page, { node, team })).map(({ name }) => name);
  expect(names).toEqual(['Ada', 'Bea by hand', 'New by hand']);
});

test('recent imports show who, when and what, and can be undone later', async ({ page, node, team }) => {
  const dialog = await openUpload(page, { node, team });
  await expect(dialog.getByText('No imports in the last 30 days.')).toBeVisible();
  await previewFile(page, { name: 'first.csv', content: 'Name,Email\nAda,\nBea,no address' });
  await upload(page, 'Some of records were not added');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await reopenUpload(page);
  const row = dialog.getByRole('region', { name: 'Recent imports' }).getByRole('listitem');
  await expect(row).toContainText('first.csv');
  await expect(row).toContainText('Finished');
  await expect(row).toContainText('1 new · 1 error');
  await expect(row).toContainText('Olivia Owner');
  await expect(row.getByRole('time')).toHaveAttribute('title', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  await row.getByRole('button', { name: 'Undo this import: first.csv' }).click();
  await page
    .getByRole('dialog', { name: 'Undo this import' })
    .getByRole('button', { name: 'Undo this import' })
    .click();
  await expect(dialog.getByRole('heading', { name: 'Import undone' })).toBeFocused();
  await expect(dialog.getByRole('definition')).toHaveText(['1', '0', '0']);
  await dialog.getByRole('button', { name: 'Back to uploads' }).click();
  await expect(row).toContainText('Undone');
  await expect(row.getByRole('button', { name: /Undo/ })).toHaveCount(0);
  await row.getByRole('button', { name: 'Details: first.csv' }).click();
  await expect(dialog.getByRole('heading', { name: 'Import undone' })).toBeFocused();
  expect(await storedEntries(page, { node, team })).toEqual([]);
});

test('undoing an import that was undone elsewhere says so', async ({ page, node, team, trouble }) => {
  trouble.expect(/status of 409/);
  const dialog = await openUpload(page, { node, team });
  await previewFile(page, { name: 'people.csv', content: 'Name\nAda' });
  await upload(page, 'CSV uploaded successfully');
  const imports = `/api/v4/teams/${team.id}/compdir/imports`;
  const { records } = (await (await page.request.get(imports)).json()) as { records: { id: string }[] };
  await page.request.post(`${imports}/${records[0]?.id}/undo`, { data: {} });
  await dialog.getByRole('button', { name: 'Undo this import' }).click();
  await page
    .getByRole('dialog', { name: 'Undo this import' })
    .getByRole('button', { name: 'Undo this import' })
    .click();
  await expect(page.getByRole('alert')).toContainText('This import was undone already.');
});

test('a long undo shows its progress, and the list is updated at its end', async ({ page, node, team }) => {
  const dialog = await openUpload(page, { node, team });
  await previewFile(page, { name: 'people.csv', content: 'Name\nAda\nBea' });
  await upload(page, 'CSV uploaded successfully');
  await expect(entryRow(page, 'Ada')).toBeAttached();
  let requests = 0;
  await page.route(/\/compdir\/imports\/\w+$/, async (route) => {
    requests += 1;
    if (requests > 2) return route.continue();
    const response = await route.fetch();
    const undo = { removed: 1, restored: 0, kept: 0, ended_at: 0 };
    await route.fulfill({ response, json: { ...(await response.json()), state: 'undoing', undo } });
  });
  await dialog.getByRole('button', { name: 'Undo this import' }).click();
  await page
    .getByRole('dialog', { name: 'Undo this import' })
    .getByRole('button', { name: 'Undo this import' })
    .click();
  await expect(dialog.getByRole('heading', { name: 'Undoing this import' })).toBeFocused();
  const progress = dialog.getByRole('progressbar', { name: 'Undoing the import' });
  await expect(progress).toHaveAttribute('aria-valuetext', '1 of 2 entries');
  await expect(dialog.getByRole('heading', { name: 'Import undone' })).toBeFocused();
  await expect(dialog.getByRole('definition')).toHaveText(['2', '0', '0']);
  await expect(entryRow(page, 'Ada')).toHaveCount(0);
});
