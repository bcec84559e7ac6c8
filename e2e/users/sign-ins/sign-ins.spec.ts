import { readFile } from 'node:fs/promises';
import { person } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test, typePassword } from '../../browser/fixtures.ts';
import { picture } from '../../browser/picture.ts';
import { openPalette, paletteField } from '../../palette/palette-screen.ts';
import { chooseAction } from '../users-screen.ts';
import { addManySignIns, addSignIns, lines, openLog } from './sign-ins-screen.ts';

const DAY = 86_400_000;

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('an empty log says what will appear in it', async ({ page }) => {
  await page.goto('/users/users');
  await page.getByRole('link', { name: 'Sign-in Log' }).click();
  await expect(page).toHaveURL('/users/sign_ins');
  await expect(page.getByRole('heading', { name: 'No sign-ins yet' })).toBeVisible();
  await expect(page.locator('[aria-current="page"]')).toHaveText(['Sign-in Log']);
});

test('a wrong password and a sign-in in the browser are listed, newest first', async ({
  page,
  node,
  team,
  another,
  trouble,
}) => {
  trouble.expect(/401/);
  const who = await person(node, { team: team.id, kind: 'admin', first_name: 'Ada', last_name: 'Admin' });
  const other = await another();
  await other.goto('/login');
  await typePassword(other, { ...who, password: 'not my password' });
  await expect(other.getByRole('alert')).toContainText('Your password is incorrect');
  await typePassword(other, who);
  await expect(other.getByRole('heading', { level: 1, name: 'Manage Users' })).toBeVisible();
  await openLog(page);
  await expect(lines(page)).toHaveCount(2);
  for (const [at, result] of ['Signed in', 'Wrong password'].entries())
    for (const text of ['Ada Admin', who.email, result, 'Password', 'Chrome on', '127.0.0.1'])
      await expect(lines(page).nth(at)).toContainText(text);
  await expect(lines(page).first().getByRole('time')).toHaveAttribute('title', /^\d{4}-\d\d-\d\dT.*Z$/);
});

test('each filter applies immediately, is part of the address, and Reset removes all of them', async ({
  page,
  node,
  team,
}) => {
  const ada = await person(node, { team: team.id, first_name: 'Ada', last_name: 'Lovelace' });
  const now = Date.now();
  await addSignIns({ node, team }, [
    { who: team.owner.id, at: now - 1_000 },
    { who: ada.id, at: now - 2_000, outcome: 'bad_password', device: 'Safari on iOS' },
    { who: ada.id, at: now - 3_000, outcome: 'throttled' },
    { who: team.owner.id, at: now - 5 * DAY, outcome: 'deactivated', device: 'Chrome on Windows' },
  ]);
  await openLog(page);
  await expect(lines(page)).toHaveCount(4);
  await picture(page, 'users-sign-ins');

  await page.getByRole('button', { name: 'User: Anyone' }).click();
  await page.getByRole('textbox', { name: 'Search people' }).fill('ada');
  await page.getByRole('option', { name: 'Ada Lovelace' }).click();
  await expect(lines(page)).toHaveCount(2);
  await expect(page).toHaveURL(new RegExp(`\\?user=${ada.id}$`));
  await expect(page.getByRole('button', { name: 'User: Ada Lovelace' })).toBeFocused();

  await page.getByLabel('Result', { exact: true }).selectOption('Wrong password');
  await expect(lines(page)).toHaveCount(1);
  await expect(lines(page)).toContainText('Safari on iOS');
  await expect(page).toHaveURL(/result=bad_password$/);

  await page.reload();
  await expect(lines(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'User: Ada Lovelace' })).toBeVisible();

  await page.getByLabel('From date').fill('2100-01-01');
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all sign-ins' }).click();
  await expect(lines(page)).toHaveCount(4);
  await expect(page).toHaveURL(/sign_ins$/);
  await expect(page.getByLabel('From date')).toHaveValue('');
});

test('the menu and the panel of a user lead to their sign-ins', async ({ page, node, team }) => {
  const ada = await person(node, { team: team.id, first_name: 'Ada', last_name: 'Lovelace' });
  await addSignIns({ node, team }, [{ who: team.owner.id }, { who: ada.id }]);
  await page.goto('/users/users');
  await chooseAction(page, 'Ada Lovelace', 'Sign-ins');
  await expect(page).toHaveURL(`/users/sign_ins?user=${ada.id}`);
  await expect(lines(page)).toHaveCount(1);
  await expect(lines(page)).toContainText('Ada Lovelace');
  await page.goto(`/users/users/${ada.id}`);
  await page.getByRole('dialog').getByRole('link', { name: 'Sign-in log' }).click();
  await expect(page).toHaveURL(`/users/sign_ins?user=${ada.id}`);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(lines(page)).toHaveCount(1);
});

test('invalid filters in the address are ignored', async ({ page, node, team }) => {
  await addManySignIns({ node, team }, 1);
  await openLog(page, '?user=me&result=nothing&from=2026-02-31&to=yesterday');
  await expect(lines(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Reset' })).toHaveCount(0);
});

test('a long log loads to its end while scrolling, with few rows in the page', async ({ page, node, team }) => {
  await addManySignIns({ node, team }, 450);
  await openLog(page);
  await expect(page.getByText('First 100 sign-ins')).toBeVisible();
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(page.getByText('End of list')).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(page.getByText('450 sign-ins')).toBeVisible();
  expect(await lines(page).count()).toBeLessThanOrEqual(60);
});

test('the CSV has every row of the current filters, with formulas neutralized', async ({ page, node, team }) => {
  const eve = await person(node, { team: team.id, first_name: '=HYPERLINK("x")', last_name: 'Eve' });
  await addManySignIns({ node, team }, 2_100);
  await addSignIns({ node, team }, [{ who: eve.id, outcome: 'bad_password' }]);
  await openLog(page, '?result=bad_password');
  await expect(lines(page)).toHaveCount(1);
  const file = async () => {
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe('steward-sign-ins.csv');
    return (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  };
  const [header, line = '', ...more] = await file();
  expect(header).toBe(
    '\uFEFFWhen,First Name,Last Name,Email,Result,Method,Device,IP address,Outcome,User id,Request id',
  );
  expect(more).toHaveLength(0);
  expect(line).toContain(
    `,"'=HYPERLINK(""x"")",Eve,${eve.email},Wrong password,Password,Firefox on Linux,192.0.2.44,bad_password,${eve.id},`,
  );
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(page.getByText('First 100 sign-ins')).toBeVisible();
  expect(await file()).toHaveLength(2_102);
});

test('a log that fails to load shows the cause, and Retry loads it', async ({ page, node, team, trouble }) => {
  trouble.expect(/ERR_FAILED/);
  await addManySignIns({ node, team }, 1);
  await page.route('**/sign_ins*', (route) =>
    route.request().isNavigationRequest() ? route.continue() : route.abort(),
  );
  await openLog(page);
  await expect(page.getByRole('heading', { name: 'An Error Occurred!' })).toBeVisible();
  await page.unroute('**/sign_ins*');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(lines(page)).toHaveCount(1);
});

test('the palette finds the log', async ({ page }) => {
  await page.goto('/');
  await openPalette(page);
  await paletteField(page).fill('login history');
  await page.getByRole('option', { name: /Sign-in Log/ }).click();
  await expect(page).toHaveURL('/users/sign_ins');
});
