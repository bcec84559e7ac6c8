import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible } from '../screens/accessible.ts';

const PATH = '/dashboard/files';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('axe finds nothing in the menu of a file', async ({ page }) => {
  await page.goto(PATH);
  await page.getByRole('button', { name: 'Actions for Logo.png' }).click();
  await expect(page.getByRole('menuitem')).toHaveCount(5);
  await picture(page, 'files');
  await expectAccessible(page, 'menu of a file');
});
