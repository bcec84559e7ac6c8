import { expect, test } from '../browser/fixtures.ts';
import { holdCalls } from '../users/users-screen.ts';
import { chooseFile, dropFiles, openUpload, previewFile } from './upload-screen.ts';

const HEADER = 'Id,Name,Phone Number,Sms,Email';

test('a file dropped on the page is read, of several the first CSV, and the page stays open', async ({
  page,
  node,
  team,
}) => {
  const dialog = await openUpload(page, { node, team });
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('heading', { name: 'Company Directory' }).click();
  await dropFiles(
    page,
    { name: 'photo.png', type: 'image/png', content: 'no' },
    { name: 'dropped.csv', type: 'text/csv', content: 'Name\nDropped' },
  );
  await expect(dialog.getByText('1 row in dropped.csv')).toBeVisible();
  await expect(dialog.getByText('One file at a time: of 2 files, only “dropped.csv” was read.')).toBeVisible();
  await dropFiles(page, { name: 'next.csv', type: 'text/csv', content: 'Name\nNext\nAfter' });
  await expect(dialog.getByText('2 rows in next.csv')).toBeVisible();
  await expect(page).toHaveURL('/users/company_directory');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Upload CSV' })).toBeFocused();
});

test('a file of the wrong type is rejected with a hint, and another can be chosen', async ({ page, node, team }) => {
  const dialog = await openUpload(page, { node, team });
  await chooseFile(page, { name: 'people.xlsx', content: Buffer.from('PK\u0003\u0004 and so on') });
  await expect(dialog.getByRole('alert')).toContainText('people.xlsx is not a CSV file.');
  await expect(dialog.getByRole('alert')).toContainText('CSV UTF-8');
  await chooseFile(page, { name: 'towns.csv', content: 'Town\nKöln' });
  await expect(dialog.getByRole('alert')).toContainText(
    'Provided input seems Invalid. Please check format by downloading comp dir csv',
  );
  await previewFile(page, { name: 'people.csv', content: 'Name\nAda' });
  await expect(dialog.getByRole('alert')).toHaveCount(0);
});

test('names from a file are shown as text, and a huge cell is cut', async ({ page, node, team }) => {
  const dialog = await openUpload(page, { node, team });
  const evil = '<img src=x onerror=alert(1)>';
  const content = [HEADER, `,${evil},,,`, ',\u202Eevil.exe,,,', `,${'x'.repeat(300_000)},,,`].join('\n');
  await previewFile(page, { name: `${evil}.csv`, content });
  await expect(dialog.getByRole('cell', { name: evil })).toBeVisible();
  await expect(dialog.locator('img')).toHaveCount(0);
  expect(await dialog.evaluate((element) => element.innerHTML.length)).toBeLessThan(40_000);
});

test('the page stays responsive while a file of 12 MB is read', async ({ page, node, team }) => {
  test.slow();
  const dialog = await openUpload(page, { node, team });
  const release = await holdCalls(page, '**/compdir/multi?*preview=1*');
  const long = 'x'.repeat(80);
  const rows = Array.from({ length: 100_000 }, (_, at) => `,${long} ${at},5551234567,,person${at}@example.com`);
  await chooseFile(page, { name: 'large.csv', content: [HEADER, ...rows].join('\r\n') });
  await expect(dialog.getByRole('progressbar', { name: 'Reading the file' })).toBeVisible();
  // The page keeps rendering frames while the worker detects the format and the first rows arrive.
  const frames = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let count = 0;
        const next = () => {
          count += 1;
          if (count === 30) resolve(count);
          else requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      }),
  );
  expect(frames).toBe(30);
  release();
  await expect(dialog.getByText(/of 1\d\.\d MB, [\d,]+ rows/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByRole('heading', { name: 'Choose a file' })).toBeFocused();
});
