import { readFile } from 'node:fs/promises';
import { person, signedIn } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { addLines, lines, openAudit, renameEntry } from './audit-screen.ts';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('a team in which nothing was changed is told what will be listed', async ({ page }) => {
  await openAudit(page);
  await expect(page.getByRole('heading', { name: 'Nothing was changed yet' })).toBeVisible();
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
  // Anywhere on the row.
  await row.click({ position: { x: 40, y: 10 } });
  const dialog = page.getByRole('dialog', { name: 'Edited the directory' });
  const name = dialog.getByRole('row').filter({ hasText: 'Name' });
  await expect(name.locator('del')).toHaveText('Reception');
  await expect(name.locator('ins')).toHaveText('Front desk');
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

  await dialog.getByText('As it was written down').click();
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await expect(dialog.getByText('Copied')).toBeVisible();
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  expect(copied).toMatchObject({ action: 'directory.edited', target: id, details: event?.details });
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(row.getByRole('button', { name: 'Details of Edited the directory, Front desk' })).toBeFocused();
});

test('each filter takes effect at once, stands in the address, and Reset takes all of them away', async ({
  page,
  node,
  team,
}) => {
  const ada = await signedIn(node, { team: team.id, kind: 'admin', first_name: 'Ada', last_name: 'Admin' });
  await renameEntry({ node, team }, ada, ['Reception', 'Front desk']);
  await renameEntry({ node, team }, team.owner, ['Kitchen', 'Canteen']);
  await openAudit(page);
  await expect(lines(page)).toHaveCount(4);

  await page.getByRole('button', { name: 'Who: Anyone' }).click();
  await page.getByRole('textbox', { name: 'Search people' }).fill('ada');
  await page.getByRole('option', { name: 'Ada Admin' }).click();
  await expect(lines(page)).toHaveCount(2);
  await expect(page).toHaveURL(new RegExp(`\\?actor=${ada.id}$`));
  await expect(page.getByRole('button', { name: 'Who: Ada Admin' })).toBeFocused();

  await page.getByLabel('What was done').selectOption('Edited the directory');
  await expect(lines(page)).toHaveCount(1);
  await expect(lines(page)).toContainText('Front desk');
  await expect(page).toHaveURL(/action=directory.edited$/);

  await page.reload();
  await expect(lines(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Who: Ada Admin' })).toBeVisible();

  await page.getByLabel('From this day on').fill('2100-01-01');
  await expect(page).toHaveURL(/from=2100-01-01$/);
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(lines(page)).toHaveCount(4);
  await expect(page).toHaveURL(/audit_log$/);
  await expect(page.getByRole('button', { name: 'Who: Anyone' })).toBeVisible();
  await expect(page.getByLabel('From this day on')).toHaveValue('');
});

test('the days are whole days of the person, the last one too', async ({ page, node, team }) => {
  const at = (text: string) => ({ at: new Date(text) });
  await addLines({ node, team }, 1);
  const [{ at: _, ...row } = { at: '' }] = await node.db
    .selectFrom('audit_events')
    .selectAll()
    .where('team_id', '=', team.id)
    .execute();
  // The browser is in Berlin, where summer began on March 29, 2026.
  const moments = ['2026-03-28T22:59:59Z', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', '2026-03-29T22:00:00Z'];
  const values = moments.map((moment, n) => ({ ...row, ...at(moment), id: `${n}`.padEnd(26, 'a'), details: '{}' }));
  await node.db
    .insertInto('audit_events')
    .values(values as never)
    .execute();
  await openAudit(page, '?from=2026-03-29&to=2026-03-29');
  await expect(lines(page).locator('time')).toHaveText([/Mar 29, 2026, 11:59\sPM/, /Mar 29, 2026, 12:00\sAM/]);
});

test('an address can name a target; its details lead to all that was done to it', async ({ page, node, team }) => {
  const id = await renameEntry({ node, team }, team.owner, ['Reception', 'Front desk']);
  await renameEntry({ node, team }, team.owner, ['Kitchen', 'Canteen']);
  await openAudit(page, `?target=${id}`);
  await expect(lines(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Show changes to everything' }).click();
  await expect(lines(page)).toHaveCount(4);
  await lines(page).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Show all changes to it' }).click();
  await expect(lines(page)).toHaveCount(2);
  await expect(lines(page).first()).toContainText('Canteen');
  await expect(page).toHaveURL(/\?target=[a-z0-9]{26}$/);
});

test('an address that makes no sense shows everything', async ({ page, node, team }) => {
  await addLines({ node, team }, 1);
  await openAudit(page, '?actor=me&action=nothing.such&target=1&from=2026-02-31&to=yesterday');
  await expect(lines(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Reset' })).toHaveCount(0);
});

test('a long log loads as it is scrolled, with few rows in the page, to its end', async ({ page, node, team }) => {
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

test('the file holds every line of the filters in view, readable, without formulas', async ({ page, node, team }) => {
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

test('when the log cannot be loaded the cause is told, and Retry shows it', async ({ page, node, team, trouble }) => {
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

test('somebody is found by the keyboard alone', async ({ page, node, team }) => {
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
