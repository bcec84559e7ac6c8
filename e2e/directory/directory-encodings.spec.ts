import { encode } from '@steward/portal/src/platform/csv/reader/encode-fakes.ts';
import { expect, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { openUpload, previewFile, storedEntries, upload } from './upload-screen.ts';

const RUSSIAN = ['Иван Петров', 'Мария Смирнова', 'Алексей Кузнецов', 'Екатерина Попова', 'Юрий Щербаков'];

test('the encoding is guessed, another one redraws the preview, and what is shown is stored', async ({
  page,
  node,
  team,
}) => {
  const dialog = await openUpload(page, { node, team });
  const content = Buffer.from(encode('Windows-1251', ['Name', ...RUSSIAN].join('\r\n')));
  await previewFile(page, { name: 'people.csv', content });
  await expect(dialog.getByText('5 rows in people.csv, read as Windows-1251, comma-separated.')).toBeVisible();
  const cells = dialog.getByRole('table').getByRole('cell', { name: RUSSIAN[4] ?? '' });
  await expect(cells).toBeVisible();
  await picture(page, 'directory-encoding');

  const encoding = dialog.getByRole('combobox', { name: 'Encoding' });
  await encoding.selectOption('KOI8-R');
  await expect(dialog.getByText('read as KOI8-R')).toBeVisible();
  await expect(cells).toBeHidden();
  await expect(encoding).toHaveValue('KOI8-R');
  await encoding.selectOption('UTF-8');
  await expect(dialog.getByText('The file can’t be read as UTF-8. Not all of the file is UTF-8 text.')).toBeVisible();
  await expect(encoding).toHaveValue('KOI8-R');
  await picture(page, 'directory-encoding-refused');
  await encoding.selectOption('Windows-1251');
  await expect(cells).toBeVisible();
  await upload(page, 'CSV uploaded successfully');
  const names = (await storedEntries(page, { node, team })).map(({ name }) => name);
  expect(names.toSorted()).toEqual(RUSSIAN.toSorted());
});

test('a guess from few letters is marked as one', async ({ page, node, team }) => {
  const dialog = await openUpload(page, { node, team });
  const content = Buffer.from(encode('Windows-1254', 'Name\r\nAyşe Yılmaz\r\nMehmet Çelik'));
  await previewFile(page, { name: 'people.csv', content });
  await expect(dialog.getByRole('listitem').first()).toContainText('is only a guess. Check the letters');
  await picture(page, 'directory-encoding-weak');
  await dialog.getByRole('combobox', { name: 'Encoding' }).selectOption('Windows-1254');
  await expect(dialog.getByRole('cell', { name: 'Ayşe Yılmaz' })).toBeVisible();
  await expect(dialog.getByText('is only a guess')).toBeHidden();
});
