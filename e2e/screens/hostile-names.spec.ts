import type { Page } from '@playwright/test';
import { addMember } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { makeTeam, type Team } from '../browser/team-members.ts';
import { entries, entryRow, seedEntries } from '../directory/directory-screen.ts';
import { chooseAction, people, personRow } from '../users/users-screen.ts';

const NAMES = [
  '<img src=x onerror=globalThis.pwned=1>',
  '"><script>globalThis.pwned=1</script>',
  '{{7*7}} #{7*7} <%= 7*7 %>',
  "Robert'); drop table people;--",
  '\u202Eexe.txt\u202D',
  'Ж\u0336\u0337\u0335\u0334\u0338'.repeat(20),
  '🏳️‍🌈👨‍👩‍👧‍👦',
  'W'.repeat(10_000),
];

async function isWiderThanScreen(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}

const SIZES = [
  { width: 1440, height: 900 },
  // The height fits all rows of these lists.
  { width: 360, height: 1200 },
];

async function checkUsers(page: Page, team: Team): Promise<void> {
  await expect(people(page)).toHaveCount(NAMES.length + 1);
  for (const [at, name] of NAMES.entries()) {
    const shown = personRow(page, `n${at}.${team.id}@example.test`).locator('bdi').first();
    expect(await shown.textContent()).toBe(`${name.normalize('NFC')} No ${at}`);
  }
  const heights = await people(page).evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  expect(new Set(heights).size).toBe(1);
  expect(await isWiderThanScreen(page)).toBe(false);

  await chooseAction(page, `${NAMES[7]} No 7`, 'Revoke all sessions');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  expect(await dialog.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
  expect(await isWiderThanScreen(page)).toBe(false);
  expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
}

async function checkEntries(page: Page): Promise<void> {
  await expect(entries(page)).toHaveCount(NAMES.length + 1);
  for (const [at, name] of NAMES.entries()) {
    const shown = entryRow(page, `n${at}@example.test`).locator('bdi');
    expect(await shown.allTextContents()).toEqual([name, name, name, `n${at}@example.test`]);
  }
  const schemes = await entries(page)
    .locator('a')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).protocol));
  expect(new Set(schemes)).toEqual(new Set(['mailto:']));
  const heights = await entries(page).evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  expect(new Set(heights).size).toBe(1);
  expect(await isWiderThanScreen(page)).toBe(false);

  await page.getByRole('button', { name: `Delete ${NAMES[7]}` }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  expect(await dialog.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
  expect(await isWiderThanScreen(page)).toBe(false);
  expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
}

test('hostile names, entries, teams and searches are shown as text without links, and break nothing', async ({
  page,
  node,
  team,
}) => {
  for (const [at, name] of NAMES.entries()) {
    await addMember(node, team.id, {
      first_name: name,
      last_name: `No ${at}`,
      email: `n${at}.${team.id}@example.test`,
    });
  }
  const hostile = NAMES.map((name, at) => ({ name, phone_number: name, sms: name, email: `n${at}@example.test` }));
  await seedEntries({ node, team }, ...hostile, { name: 'Link', email: 'javascript:globalThis.pwned=1' });
  await signIn(page, { node }, team.owner);
  for (const [path, check] of [
    ['/users/users', checkUsers],
    ['/users/company_directory', checkEntries],
  ] as const) {
    await page.goto(path);
    for (const viewport of SIZES) {
      await page.setViewportSize(viewport);
      await check(page, team);
    }
  }
  const bold = await makeTeam(node, '<b>Bold</b> & <script>globalThis.pwned=1</script>');
  await signIn(page, { node }, bold.owner);
  await page.goto(`/users/users?search=${encodeURIComponent('<img src=x onerror=globalThis.pwned=1>')}`);
  await expect(page.getByRole('banner')).toContainText(bold.name);
  await expect(page.getByText('“<img src=x onerror=globalThis.pwned=1>”')).toBeVisible();
  expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false);
});
