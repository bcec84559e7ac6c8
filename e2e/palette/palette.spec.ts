import { team as anotherTeam, join } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { seedEntries } from '../directory/directory-screen.ts';
import { searchBox } from '../users/users-screen.ts';
import {
  choice,
  choices,
  createSearchableRecords,
  openPalette,
  palette,
  paletteField,
  reached,
} from './palette-screen.ts';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('its code is loaded when it opens, by its button or its shortcut, and the focus returns', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => void scripts.push(new URL(request.url()).pathname));
  await page.goto('/users/users');
  await page.waitForLoadState('networkidle');
  expect(scripts.filter((path) => /palette/.test(path))).toEqual([]);
  const button = page.getByRole('banner').getByRole('button', { name: 'Search' });
  await expect(button).toContainText('Ctrl K');
  await button.click();
  await expect(paletteField(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(palette(page)).toHaveCount(0);
  await expect(button).toBeFocused();
  expect(scripts.filter((path) => /palette/.test(path))).not.toEqual([]);

  await searchBox(page).focus();
  await openPalette(page);
  await page.keyboard.press('Control+k');
  await expect(palette(page)).toHaveCount(0);
  await expect(searchBox(page)).toBeFocused();
});

test('text typed while its code loads isn’t lost', async ({ page }) => {
  const arrive = Promise.withResolvers<void>();
  await page.route(/palette.*\.js/, async (route) => {
    await arrive.promise;
    await route.continue();
  });
  await page.goto('/');
  await expect(page.getByRole('banner')).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('auditt');
  await page.keyboard.press('Backspace');
  arrive.resolve();
  await expect(paletteField(page)).toHaveValue('audit');
  await page.keyboard.type(' log');
  await expect(paletteField(page)).toHaveValue('audit log');
});

test('the arrows wrap around, Home and End go to the ends, and the field references the row', async ({ page }) => {
  await page.goto('/');
  await openPalette(page, 'retention');
  await expect(palette(page).getByRole('status').first()).toHaveText(/^\d+ results$/);
  const count = await choices(page).count();
  const at = () => choices(page).evaluateAll((rows) => rows.findIndex((row) => row.ariaSelected === 'true'));
  expect(await at()).toBe(0);
  for (const [key, place] of [
    ['ArrowUp', count - 1],
    ['ArrowDown', 0],
    ['ArrowDown', 1],
    ['End', count - 1],
    ['Home', 0],
  ] as const) {
    await page.keyboard.press(key);
    expect(await at(), key).toBe(place);
    await expect(reached(page)).toBeInViewport();
    expect(await paletteField(page).getAttribute('aria-activedescendant')).toBe(await reached(page).getAttribute('id'));
  }
  await expect(palette(page).getByRole('status').first()).toHaveText(`${count} results`);
});

test('the text is kept and selected; after a choice the recent ones come first', async ({ page, node, team }) => {
  await createSearchableRecords({ node, team });
  await page.goto('/');
  await openPalette(page, 'zara');
  await expect(choice(page, /Zara Quill/)).toBeVisible();
  await page.keyboard.press('Escape');
  await openPalette(page);
  await expect(paletteField(page)).toHaveValue('zara');
  await expect(choice(page, /Zara Quill/)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Zara Quill' })).toBeVisible();
  await openPalette(page, 'default channels');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/default_channels/);
  await page.reload();
  await openPalette(page);
  await expect(paletteField(page)).toHaveValue('');
  await expect(palette(page).getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveText([
    /^Default Channels/,
    /^Zara Quill/,
  ]);
  await expect(choice(page, /^Default Channels/)).toHaveCount(1);

  await page.keyboard.type('sign out');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/login');
  const kept = await page.evaluate(() => Object.entries(sessionStorage).filter(([, text]) => /Zara/.test(text)));
  expect(kept).toEqual([]);
});

test('a found user is edited without leaving the screen', async ({ page, node, team }) => {
  await createSearchableRecords({ node, team });
  await page.goto('/dashboard/audit_log');
  await openPalette(page, 'zara quill');
  const actions = palette(page).getByRole('group', { name: 'Zara Quill' });
  await expect(actions.getByRole('option')).toContainText(['Edit', 'Revoke all sessions', 'Send password reset']);
  await actions.getByRole('option', { name: 'Edit' }).click();
  await expect(page.getByRole('dialog').getByLabel('First name')).toHaveValue('Zara');
  await expect(page).toHaveURL('/dashboard/audit_log');
});

test('commands run once, and the focus returns to the button', async ({ page }) => {
  test.setTimeout(60_000);
  await page.goto('/');
  for (const [text, path, dialog, button] of [
    ['add user', '/users/users', 'Add User', 'Add User'],
    ['add entry', '/users/company_directory', 'Add Entry', 'Add Entry'],
    ['upload csv', '/users/company_directory', 'Upload CSV', 'Upload CSV'],
    ['add token', '/dashboard/service_tokens', 'Add Token', 'Add Token'],
    ['run retention', '/dashboard/team_settings/retention', /^Run/, 'Run now'],
  ] as const) {
    await openPalette(page, text);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: dialog }), text).toBeVisible();
    await expect(page).toHaveURL(path);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('main').getByRole('button', { name: button }).first()).toBeFocused();
  }
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Retention' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Service Tokens' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a command on the current screen keeps its search', async ({ page }) => {
  await page.goto('/users/users?search=olivia');
  await openPalette(page, 'add user');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Add User' })).toBeVisible();
  await expect(page).toHaveURL('/users/users?search=olivia');
});

test('a file is downloaded from anywhere', async ({ page }) => {
  await page.goto('/');
  for (const [text, file] of [
    ['download users', 'steward-users.csv'],
    ['download directory', 'steward-compdir.csv'],
  ] as const) {
    await openPalette(page, text);
    const download = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    expect((await download).suggestedFilename()).toBe(file);
  }
});

test('the theme is changed and the focus returns; the team can be switched if there is another', async ({
  page,
  node,
  team,
}) => {
  await page.goto('/users/users');
  await searchBox(page).focus();
  await openPalette(page, 'dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect(searchBox(page)).toBeFocused();
  await openPalette(page, 'switch team');
  await expect(choice(page, 'Switch team')).toHaveCount(0);
  await join(node, await anotherTeam(node, 'Southwind'), team.owner.id, 'admin');
  await page.reload();
  await openPalette(page, 'switch team');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'SWITCH TEAM' })).toBeVisible();
});

test('it doesn’t open over another dialog, and unsaved changes are confirmed', async ({ page }) => {
  await page.goto('/users/users');
  // Once its code is loaded, the palette would open at this key press.
  await openPalette(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add User' }).click();
  await expect(page.getByRole('dialog').getByLabel('Email')).toBeFocused();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('still here');
  await expect(page.getByRole('dialog', { name: 'Add User' }).getByLabel('Email')).toHaveValue('still here');
  await expect(palette(page)).toHaveCount(0);
  await page.getByRole('dialog').getByLabel('Email').clear();
  await page.goto('/dashboard/team_settings/notes_retention');
  await page.getByRole('radio').last().check();
  await openPalette(page, 'manage users');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Leave without saving?')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/dashboard/team_settings/notes_retention');
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
