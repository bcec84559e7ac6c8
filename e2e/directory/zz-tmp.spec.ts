import { expect, test } from '../browser/fixtures.ts';
import { CSV_SAMPLES } from './csv-files.ts';
import { chooseFile, openUpload, reopenUpload, uploadDialog } from './upload-screen.ts';
test('x', async ({ page, node, team }) => {
  test.setTimeout(280_000);
  await openUpload(page, { node, team });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 8 });
  const samples = CSV_SAMPLES.filter((x) => ['huge-cell.csv', 'empty-rows.csv', 'many-quotes.csv'].includes(x.fileName));
  const dialog = uploadDialog(page);
  for (let i = 0; i < 4; i += 1) for (const s of samples) {
    let t = Date.now();
    const lap = (n: string) => { console.log(s.fileName, n, Date.now() - t); t = Date.now(); };
    await chooseFile(page, { name: s.fileName, content: s.bytes }); lap('chosen');
    await expect(dialog.getByRole('heading', { name: 'Review changes' })).toBeVisible({ timeout: 60_000 }); lap('visible');
    await expect(dialog.getByRole('heading', { name: 'Review changes' })).toBeFocused(); lap('focused');
    const up = dialog.getByRole('button', { name: /^Upload \d/ });
    if (await up.isDisabled()) { await dialog.getByRole('button', { name: 'Choose another file' }).click(); continue; }
    await up.click();
    await expect(dialog.getByRole('button', { name: 'Done' })).toBeVisible({ timeout: 60_000 }); lap('result');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H3');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await reopenUpload(page); lap('reopened');
  }
});
