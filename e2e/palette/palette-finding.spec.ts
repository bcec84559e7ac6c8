import { person } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { makeTeam } from '../browser/team-members.ts';
import { holdCalls } from '../users/users-screen.ts';
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

test('a screen is found despite accents and a typo, and Enter opens it', async ({ page }) => {
  await page.goto('/');
  await openPalette(page, 'rétencion');
  await expect(reached(page)).toHaveText(/^Retention/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/dashboard/team_settings/retention');
  await expect(palette(page)).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();
});

test('every screen of the sidebar and its subscreens are listed and open', async ({ page }) => {
  test.setTimeout(60_000);
  await page.goto('/');
  const links = page.getByRole('navigation', { name: 'Main' }).locator('a:not([data-ahead])');
  await expect(links.first()).toBeVisible();
  const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(addresses.length).toBeGreaterThan(8);
  const further = ['file', 'message', 'notes', 'tasks', 'meeting', 'voice'].map(
    (name) => `/dashboard/team_settings/${name}_retention`,
  );
  const billing = ['activity_log', 'history', 'payment_method', 'change_steward_plan'];
  await openPalette(page);
  const getCurrentIds = () => choices(page).evaluateAll((all) => all.map((row) => row.id));
  const ids = await getCurrentIds();
  for (const text of ['retention', 'billing']) {
    await paletteField(page).fill(text);
    await expect(choice(page, /Home/)).toHaveCount(0);
    ids.push(...(await getCurrentIds()).filter((id) => !ids.includes(id)));
  }
  for (const address of [...addresses, ...further, ...billing.map((name) => `/dashboard/billing/${name}`)]) {
    expect(
      ids.filter((id) => id.endsWith(`-${address}`)),
      address ?? '',
    ).toHaveLength(1);
  }
  await paletteField(page).fill('payment');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/dashboard/billing/payment_method');
});

test('people, entries and channels are found by name and open their screens', async ({ page, node, team }) => {
  await createSearchableRecords({ node, team });
  await page.goto('/');
  await openPalette(page, 'quill');
  for (const heading of ['People', 'Company Directory', 'Channels']) {
    await expect(palette(page).getByRole('group', { name: heading }).getByRole('option')).toHaveCount(1);
  }
  await picture(page, 'palette-found');
  await choice(page, /Zara Quill/).click();
  await expect(page).toHaveURL(/\/users\/users\/\w{26}$/);
  await expect(page.getByRole('dialog', { name: 'Zara Quill' })).toContainText(`zara.${team.id}@example.test`);
  await openPalette(page, 'quill');
  await choice(page, /Quill Supplies/).click();
  await expect(page).toHaveURL('/users/company_directory?search=Quill+Supplies');
  await openPalette(page, 'quill');
  await choice(page, /quill-news/).click();
  await expect(page).toHaveURL('/dashboard/team_settings/default_channels');
});

test('another team’s people are not found', async ({ page, node }) => {
  const other = await makeTeam(node, 'Southwind');
  await person(node, { team: other.id, first_name: 'Foreign', last_name: 'Quill' });
  await page.goto('/');
  await openPalette(page, 'quill');
  await expect(palette(page).getByText('Nothing found for “quill”.')).toBeVisible();
});

test('a result for an earlier text never replaces a newer one', async ({ page, node, team }) => {
  await person(node, { team: team.id, first_name: 'Ann', last_name: 'Early' });
  await person(node, { team: team.id, first_name: 'Xaver', last_name: 'Late' });
  await page.goto('/');
  const release = await holdCalls(page, '**/admin/teams/*/users?search=ann*');
  const request = page.waitForRequest(/users\?search=ann/);
  await openPalette(page, 'ann');
  await request;
  await paletteField(page).fill('xaver');
  await expect(choice(page, /Xaver Late/)).toBeVisible();
  await expect(choice(page, /Ann Early/)).toHaveCount(0);
  release();
  await page.waitForLoadState('networkidle');
  await expect(choice(page, /Xaver Late/)).toBeVisible();
  await expect(choice(page, /Ann Early/)).toHaveCount(0);
});

test('Enter doesn’t choose a result for another text', async ({ page, node, team }) => {
  await person(node, { team: team.id, first_name: 'Xaver', last_name: 'First' });
  await page.goto('/');
  await openPalette(page, 'xaver');
  await expect(choice(page, /Xaver First/)).toBeVisible();
  const release = await holdCalls(page, '**/admin/teams/*/users?search=xaverz*');
  await page.keyboard.type('z');
  await expect(choice(page, /Xaver First/)).toBeVisible();
  await expect(reached(page)).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(palette(page)).toBeVisible();
  release();
  await expect(palette(page).getByText('Nothing found for “xaverz”.')).toBeVisible();
});

test('a failed search is reported, and the others still show results', async ({ page, node, team, trouble }) => {
  trouble.expect(/ERR_FAILED/);
  await createSearchableRecords({ node, team });
  await page.goto('/');
  await page.route('**/admin/teams/*/users?search=*', (route) => route.abort());
  await openPalette(page, 'quill');
  await expect(palette(page).getByText('Couldn’t search people. Keep typing to try again.')).toBeVisible();
  await expect(choice(page, /Quill Supplies/)).toBeVisible();
  await expect(choice(page, /quill-news/)).toBeVisible();
});
