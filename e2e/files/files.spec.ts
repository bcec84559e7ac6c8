import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible } from '../screens/accessible.ts';

const PATH = '/dashboard/files';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('files are listed in six groups, without any call', async ({ page }) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/') && !/^\/api\/v4\/users\//.test(pathname)) calls.push(pathname);
  });
  await page.goto(PATH);
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
    /^Video/,
    /^Image/,
    /^Text/,
    /^XML/,
    /^Office/,
    /^Other/,
  ]);
  await expect(page.getByRole('note')).toContainText('These are sample files');
  await expect(
    page
      .getByRole('list', { name: /^Office/ })
      .getByRole('listitem')
      .first(),
  ).toContainText(/Budget\.xlsx.*88 KB.*Feb 20, 2026/);
  await page.waitForLoadState('networkidle');
  expect(calls).toEqual([]);
});

test('the menu of a file works by keyboard, says that it isn’t available, and returns the focus', async ({ page }) => {
  await page.goto(PATH);
  const button = page.getByRole('button', { name: 'Actions for Logo.png' });
  await button.focus();
  await page.keyboard.press('Enter');
  const items = page.getByRole('menuitem');
  await expect(items).toHaveText(['Open', 'Cut', 'Copy', 'Rename', 'Delete']);
  await picture(page, 'files');
  await expect(items.first()).toBeFocused();
  await expect(items.first()).toHaveAccessibleDescription('Not available in preview');
  for (const name of ['Cut', 'Copy', 'Rename', 'Delete']) {
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('menuitem', { name })).toBeFocused();
  }
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeDisabled();
  await page.keyboard.press('Enter');
  await expect(items).toHaveCount(5);
  await page.keyboard.press('Escape');
  await expect(items).toHaveCount(0);
  await expect(button).toBeFocused();
  await expect(page.getByText('Logo.png')).toBeVisible();
});

test('axe finds nothing on the files screen and its menu', async ({ page }) => {
  await page.goto(PATH);
  await expect(page.getByRole('heading', { level: 1, name: 'Files' })).toBeVisible();
  await expectAccessible(page, 'files');
  await page.getByRole('button', { name: 'Actions for Logo.png' }).click();
  await expect(page.getByRole('menuitem')).toHaveCount(5);
  await expectAccessible(page, 'menu of a file');
});
