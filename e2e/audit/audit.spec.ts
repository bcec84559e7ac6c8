import type { Page } from '@playwright/test';
import { newId } from '@steward/server/src/platform/database/ids.ts';
import { expect, type Given, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible, SIZES } from '../screens/accessible.ts';
import { renameEntry } from './audit-screen.ts';

async function openAudit(page: Page, query = ''): Promise<void> {
  await page.goto(`/dashboard/audit_log${query}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Audit Log' })).toBeVisible();
}

/** The header isn't included. */
const lines = (page: Page) => page.locator('[data-row]');

/** The rows are one minute apart, and the newest is from now. */
async function addLines({ node, team }: Given, count: number, action = 'users.edited'): Promise<void> {
  const values = Array.from({ length: count }, (_, at) => ({
    team_id: team.id,
    id: newId(),
    at: new Date(Date.now() - at * 60_000),
    actor_id: team.owner.id,
    action,
    target: team.owner.id,
    details: '{}',
    address: '192.0.2.1',
    request_id: newId(),
  }));
  for (let from = 0; from < count; from += 500)
    await node.db
      .insertInto('audit_events')
      .values(values.slice(from, from + 500))
      .execute();
}

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('a change is listed, found by its filters, and shows before and after; axe finds nothing in the menu and in details', async ({
  page,
  context,
  node,
  team,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const id = await renameEntry({ node, team }, ['Reception', 'Front desk']);
  await addLines({ node, team }, 20);
  await openAudit(page);
  await expect(page.getByText('22 changes')).toBeVisible();
  await picture(page, 'audit');
  await page.getByLabel('Action', { exact: true }).selectOption('directory');
  await expect(lines(page)).toHaveCount(2);
  await page.reload();
  await expect(page).toHaveURL(/action=directory$/);
  const row = lines(page).first();
  for (const text of ['Olivia Owner', team.owner.email, 'Edited the directory', 'Front desk', '192.0.2.44'])
    await expect(row).toContainText(text);
  await page.getByRole('button', { name: 'Who: Anyone' }).click();
  await expect(page.getByRole('option', { name: 'Olivia Owner' })).toBeVisible();
  await expectAccessible(page, 'choosing who');
  await page.keyboard.press('Escape');
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
  await expectAccessible(page, 'details');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(row.getByRole('button', { name: 'Details of Edited the directory, Front desk' })).toBeFocused();

  await renameEntry({ node, team }, ['x'.repeat(200), 'y'.repeat(200)]);
  await page.setViewportSize(SIZES.phone);
  await page.reload();
  await lines(page).filter({ hasText: 'yyy' }).first().click();
  await page.getByText('Raw data').click();
  expect(await page.getByRole('dialog').evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0);
});
