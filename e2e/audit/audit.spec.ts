import { readFile } from 'node:fs/promises';
import { person, signedIn } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { addLines, lines, openAudit, renameEntry } from './audit-screen.ts';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('an empty log says what will appear in it', async ({ page }) => {
  await openAudit(page);
  await expect(page.getByRole('heading', { name: 'No activity yet' })).toBeVisible();
  await expect(page.locator('[aria-current="page"]')).toHaveText(['Audit Log']);
});

test('a change is listed with who, what, target and from where, and shows before and after', async ({
  page,
  context,
  node,
  team,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const id = await renameEntry({ node, team }, team.owner, ['Reception', 'Front desk']);
  await openAudit(page);
  await expect(lines(page)).toHaveCount(2);
  const row = lines(page).first();
  for (const text of ['Olivia Owner', team.owner.email, 'Edited the directory', 'Front desk', '192.0.2.44'])
    await expect(row).toContainText(text);
  await expect(row.getByRole('time')).toHaveAttribute('title', /^\d{4}-\d\d-\d\dT.*Z$/);
  // A click anywhere on the row opens it.
  await row.click({ position: { x: 40, y: 10 } });
  const dialog = page.getByRole('dialog', { name: 'Edited the directory' });
  const name = dialog.getByRole('row').filter({ hasText: 'Name' });
  await expect(name.locator('del')).toHaveText('Reception');
  await expect(name.locator('ins')).toHaveText('Front desk');
  await picture(page, 'audit-details');
  const phone = dialog.getByRole('row').filter({ hasText: 'Phone number' });
  await expect(phone.getByRole('cell')).toHaveText(['030 1', '030 1']);
  await expect(phone.locator('del')).toHaveCount(0);
  const [event] = await node.db
    .selectFrom('audit_events')
    .selectAll()
    .where('target', '=', id)
    .where('action', '=', 'directory.edited')
    .execute();
  await expect(dialog.getByText(event?.request_id ?? '-', { exact: true })).toBeVisible();

  await dialog.getByText('Raw data').click();
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await expect(dialog.getByText('Copied')).toBeVisible();
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  const { v: _, ...details } = event?.details ?? {};
  expect(copied).toMatchObject({ action: 'directory.edited', target: id, details });
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(row.getByRole('button', { name: 'Details of Edited the directory, Front desk' })).toBeFocused();
});

test('each filter applies immediately, is part of the address, and Reset removes all of them', async ({
  page,
  node,
  team,
}) => {
  const ada = await signedIn(node, { team: team.id, kind: 'admin', first_name: 'Ada', last_name: 'Admin' });
  await renameEntry({ node, team }, ada, ['Reception', 'Front desk']);
  await renameEntry({ node, team }, team.owner, ['Kitchen', 'Canteen']);
  await openAudit(page);
  await expect(lines(page)).toHaveCount(4);
  await picture(page, 'audit');

  await page.getByRole('button', { name: 'Who: Anyone' }).click();
  await page.getByRole('textbox', { name: 'Search people' }).fill('ada');
  await page.getByRole('option', { name: 'Ada Admin' }).click();
  await expect(lines(page)).toHaveCount(2);
  await expect(page).toHaveURL(new RegExp(`\\?actor=${ada.id}$`));
  await expect(page.getByRole('button', { name: 'Who: Ada Admin' })).toBeFocused();

  await page.getByLabel('Action', { exact: true }).selectOption('Edited the directory');
  await expect(lines(page)).toHaveCount(1);
  await expect(lines(page)).toContainText('Front desk');
  await expect(page).toHaveURL(/action=directory.edited$/);

  await page.reload();
  await expect(lines(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Who: Ada Admin' })).toBeVisible();

  await page.getByLabel('From date').fill('2100-01-01');
  await expect(page).toHaveURL(/from=2100-01-01$/);
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(lines(page)).toHaveCount(4);
  await expect(page).toHaveURL(/audit_log$/);
  await expect(page.getByRole('button', { name: 'Who: Anyone' })).toBeVisible();
  await expect(page.getByLabel('From date')).toHaveValue('');
});

test('dates are whole days in the viewer’s time zone, including the last one', async ({ page, node, team }) => {
  const at = (text: string) => ({ at: new Date(text) });
  await addLines({ node, team }, 1);
  const [{ at: _, ...row } = { at: '' }] = await node.db
    .selectFrom('audit_events')
    .selectAll()
    .where('team_id', '=', team.id)
    .execute();
  // The browser is in Berlin, where summer began on March 29, 2026.
  const instants = ['2026-03-28T22:59:59Z', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', '2026-03-29T22:00:00Z'];
  const values = instants.map((instant, n) => ({ ...row, ...at(instant), id: `${n}`.padEnd(26, 'a'), details: '{}' }));
  await node.db
    .insertInto('audit_events')
    .values(values as never)
    .execute();
  await openAudit(page, '?from=2026-03-29&to=2026-03-29');
  await expect(lines(page).locator('time')).toHaveText([/Mar 29, 2026, 11:59\sPM/, /Mar 29, 2026, 12:00\sAM/]);
});

test('an address can name a target, and details link to all changes of their target', async ({ page, node, team }) => {
  const id = await renameEntry({ node, team }, team.owner, ['Reception', 'Front desk']);
  await renameEntry({ node, team }, team.owner, ['Kitchen', 'Canteen']);
  await openAudit(page, `?target=${id}`);
  await expect(lines(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Remove the target filter' }).click();
  await expect(lines(page)).toHaveCount(4);
  await lines(page).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'View all changes to this item' }).click();
  await expect(lines(page)).toHaveCount(2);
  await expect(lines(page).first()).toContainText('Canteen');
  await expect(page).toHaveURL(/\?target=[a-z0-9]{26}$/);
});

test('invalid filters in the address are ignored', async ({ page, node, team }) => {
  await addLines({ node, team }, 1);
  await openAudit(page, '?actor=me&action=nothing.such&target=1&from=2026-02-31&to=yesterday');
  await expect(lines(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Reset' })).toHaveCount(0);
});

test('a long log loads to its end while scrolling, with few rows in the page', async ({ page, node, team }) => {
  await addLines({ node, team }, 450);
  await openAudit(page);
  await expect(page.getByText('First 100 changes')).toBeVisible();
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(page.getByText('End of list')).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(page.getByText('450 changes')).toBeVisible();
  expect(await lines(page).count()).toBeLessThanOrEqual(60);
});

test('the CSV has every row of the current filters, with formulas neutralized', async ({ page, node, team }) => {
  await renameEntry({ node, team }, team.owner, ['Reception', '=HYPERLINK("x")']);
  await addLines({ node, team }, 2_100, 'tokens.added');
  await openAudit(page, '?action=directory');
  await expect(lines(page)).toHaveCount(2);
  const file = async () => {
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe('steward-audit.csv');
    return (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  };
  const [header, edited = '', ...more] = await file();
  expect(header).toBe('\uFEFFWhen,Who,Email,What,Target,Target type,Changes,From,Action,Actor id,Target id,Request id');
  expect(more).toHaveLength(1);
  expect(edited).toContain(
    `,Olivia Owner,${team.owner.email},Edited the directory,"'=HYPERLINK(""x"")",Directory entry,`,
  );
  expect(edited).toContain('Name: Reception → =HYPERLINK');
  expect(edited).toContain(',192.0.2.44,directory.edited,');
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(page.getByText('First 100 changes')).toBeVisible();
  expect(await file()).toHaveLength(2_103);
});

test('a log that fails to load shows the cause, and Retry loads it', async ({ page, node, team, trouble }) => {
  trouble.expect(/ERR_FAILED/);
  await addLines({ node, team }, 1);
  await page.route('**/audit_log*', (route) =>
    route.request().isNavigationRequest() ? route.continue() : route.abort(),
  );
  await openAudit(page);
  await expect(page.getByRole('heading', { name: 'An Error Occurred!' })).toBeVisible();
  await page.unroute('**/audit_log*');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(lines(page)).toHaveCount(1);
});

test('a user is found with the keyboard alone', async ({ page, node, team }) => {
  await person(node, { team: team.id, first_name: 'Zoe', last_name: 'Zimmer' });
  await addLines({ node, team }, 1);
  await openAudit(page);
  await page.getByRole('button', { name: 'Who: Anyone' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Search people' })).toBeFocused();
  await page.keyboard.type('zoe');
  await expect(page.getByRole('listbox', { name: 'People' }).getByRole('option')).toHaveText([/^Zoe Zimmer/]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Who: Zoe Zimmer' })).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
});
