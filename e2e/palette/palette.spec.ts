import { user } from '@steward/server/testing/workspace/factories.ts';
import { expect, type Given, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { generateChannels } from '../channels/channels-screen.ts';
import { seedEntries } from '../directory/directory-screen.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { choice, openPalette, palette, paletteField } from './palette-screen.ts';

/** The user, the entry and the channel all match the word quill. */
async function createSearchableRecords({ node, team }: Given): Promise<void> {
  await user(node, { team: team.id, first_name: 'Zara', last_name: 'Quill', email: `zara.${team.id}@example.test` });
  await seedEntries({ node, team }, { name: 'Quill Supplies', phone_number: '5551234567' });
  await generateChannels({ node, team }, ['quill-news']);
}

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('its code is loaded when it opens, text typed meanwhile isn’t lost, and the focus returns', async ({ page }) => {
  const arrive = Promise.withResolvers<void>();
  const scripts: string[] = [];
  page.on('request', (request) => void scripts.push(new URL(request.url()).pathname));
  await page.route(/palette.*\.js/, async (route) => {
    await arrive.promise;
    await route.continue();
  });
  await page.goto('/users/users');
  await page.waitForLoadState('networkidle');
  expect(scripts.filter((path) => /palette/.test(path))).toEqual([]);
  const button = page.getByRole('banner').getByRole('button', { name: 'Search' });
  await expect(button).toContainText('Ctrl K');
  await button.focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('auditt');
  await page.keyboard.press('Backspace');
  arrive.resolve();
  await expect(paletteField(page)).toHaveValue('audit');
  expect(scripts.filter((path) => /palette/.test(path))).not.toEqual([]);
  await page.keyboard.type(' log');
  await expect(paletteField(page)).toHaveValue('audit log');
  await page.keyboard.press('Escape');
  await expect(palette(page)).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('people, entries and channels are found by name and open their screens; axe finds nothing in any state', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/ERR_FAILED/);
  await createSearchableRecords({ node, team });
  await page.goto('/');
  await openPalette(page);
  await expectAccessible(page, 'every screen');
  await paletteField(page).fill('quill');
  for (const heading of ['People', 'Company Directory', 'Channels']) {
    await expect(palette(page).getByRole('group', { name: heading }).getByRole('option')).toHaveCount(1);
  }
  await picture(page, 'palette-found');
  await expectAccessible(page, 'found');
  await choice(page, /Zara Quill/).click();
  await expect(page).toHaveURL(/\/users\/users\/\w{26}$/);
  await expect(page.getByRole('dialog', { name: 'Zara Quill' })).toContainText(`zara.${team.id}@example.test`);
  await openPalette(page, 'quill');
  await choice(page, /Quill Supplies/).click();
  await expect(page).toHaveURL('/users/company_directory?search=Quill+Supplies');
  await openPalette(page, 'quill');
  await choice(page, /quill-news/).click();
  await expect(page).toHaveURL('/dashboard/team_settings/default_channels');
  await openPalette(page, 'nothing like this');
  await expect(palette(page).getByText('Nothing found for')).toBeVisible();
  await expectAccessible(page, 'nothing found');
  await page.route('**/admin/teams/*/users?search=*', (route) => route.abort());
  // The palette has not searched for this text before, not even for the beginning of a word that was being typed.
  await paletteField(page).fill('zara');
  await expect(palette(page).getByText('Couldn’t search people')).toBeVisible();
  await expectAccessible(page, 'failed');
});

test.describe('at 360 pixels', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test('it fills the screen, long names are cut, and it can be closed', async ({ page, node, team }) => {
    const long = 'W'.repeat(150);
    await seedEntries({ node, team }, { name: `Quill ${long}`, email: `${'w'.repeat(60)}@example.com` });
    await page.goto('/users/users');
    await page.getByRole('button', { name: 'Search', exact: true }).tap();
    const box = await palette(page).boundingBox();
    expect([box?.x, box?.y, box?.width, box?.height]).toEqual([0, 0, 360, 740]);
    await paletteField(page).fill('quill');
    const row = choice(page, /Quill W/);
    await expect(row).toBeVisible();
    expect((await row.boundingBox())?.height).toBe(44);
    await expect(row.locator('bdi').first()).toHaveAttribute('title', `Quill ${long}`);
    expect(await palette(page).evaluate((dialog) => dialog.scrollWidth <= dialog.clientWidth)).toBe(true);
    await page.getByRole('button', { name: 'Close search' }).tap();
    await expect(palette(page)).toHaveCount(0);
  });
});
