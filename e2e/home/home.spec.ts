import type { Page } from '@playwright/test';
import { channel, file, findGeneralChannel, message } from '@steward/server/testing/workspace/content.ts';
import { user } from '@steward/server/testing/workspace/factories.ts';
import { failedDelivery } from '@steward/server/testing/workspace/integrations.ts';
import { setRule } from '@steward/server/testing/workspace/retention.ts';
import { expect, type Given, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { holdCalls, personRow } from '../users/users-screen.ts';

const TITLE = 'Steward Admin Portal';
const ALL_CLEAR = 'You’re all caught up.';
const HOURS_MS = 3_600_000;

const section = (page: Page) => page.getByRole('region', { name: 'Needs attention' });
const rows = (page: Page) => section(page).getByRole('listitem');

/** Creates one item of each severity: a retention rule that hasn't run, failed deliveries, and a pending invitation. */
async function trouble({ node, team }: Given): Promise<{ email: string }> {
  const year = { value: 1, duration: { count: 1, period: 'y' } } as const;
  await setRule(node, team.id, 'archived_notes', year);
  const saved = node.db.updateTable('retention_policies').set({ saved_at: new Date(Date.now() - 80 * HOURS_MS) });
  await saved.where('team_id', '=', team.id).execute();
  const general = await findGeneralChannel(node, team.id);
  for (let at = 0; at < 3; at += 1) await failedDelivery(node, team.id, general);
  const received = node.db.updateTable('deliveries').set({ received_at: new Date(Date.now() - 24 * HOURS_MS) });
  await received.where('team_id', '=', team.id).execute();
  // This prevents a reconciliation, which would find that the vendor can't reach this server.
  const checked = node.db.updateTable('integrations').set({ checked_at: new Date() });
  await checked.where('team_id', '=', team.id).execute();
  return user(node, { team: team.id, pending: true, first_name: 'Pia', last_name: 'Pending' });
}

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('home lists what needs attention, most severe first, until it is fixed, and nothing moves while it loads', async ({
  page,
  node,
  team,
}) => {
  const release = await holdCalls(page, '**/attention');
  await page.goto('/');
  await expect(page.getByRole('heading', { name: TITLE })).toBeVisible();
  const link = page.getByRole('region', { name: 'Go to' }).getByRole('link').first();
  await expect(link).toBeVisible();
  await expect(section(page).locator('[data-late]')).toBeVisible();
  const before = await link.boundingBox();
  release();
  await expect(section(page)).toContainText(ALL_CLEAR);
  expect((await link.boundingBox())?.y).toBe(before?.y);
  await picture(page, 'home');

  const { email } = await trouble({ node, team });
  await page.reload();
  await expect(rows(page)).toHaveText([
    /^1 retention rule hasn’t runSince \w+ \d+, \d{4}, /,
    /^3 messages of integrations couldn’t be postedSince yesterday, /,
    /^1 invitation is pendingSince today, .+\wM/,
  ]);
  await picture(page, 'home-attention');
  await expectAccessible(page, 'home, needs attention');
  await rows(page)
    .getByRole('link', { name: /^1 retention rule/ })
    .click();
  await expect(page).toHaveURL('/dashboard/team_settings/retention');
  await page.goBack();
  await rows(page)
    .getByRole('link', { name: /messages of integrations/ })
    .click();
  await expect(page.getByRole('button', { name: 'Redeliver all failed' })).toBeVisible();
  await page.goBack();
  await rows(page)
    .getByRole('link', { name: /is pending/ })
    .click();
  await expect(page).toHaveURL(`/users/users?search=${encodeURIComponent(email)}`);
  await expect(personRow(page, 'Pia Pending')).toBeVisible();
  await page.getByRole('button', { name: 'Actions for Pia Pending' }).click();
  await page.getByRole('menuitem', { name: 'Cancel invitation' }).click();
  await page.getByRole('button', { name: 'Cancel invitation' }).click();
  await expect(page.getByText('Invitation canceled')).toBeVisible();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(rows(page).filter({ hasText: 'messages of integrations' })).toHaveCount(1);
  await expect(rows(page).filter({ hasText: 'is pending' })).toHaveCount(0);
});

test('the cards show how the team is, and a number leads to where it comes from', async ({ page, node, team }) => {
  for (const displayName of ['Announcements', 'Design reviews', 'Support']) {
    const open = await channel(node, team.id, { displayName });
    for (let at = 0; at < 5; at += 1)
      await message(node, team.id, { channel: open, text: displayName.repeat(100 * at) });
  }
  await file(node, team.id, { size: 3_400_000 });
  await user(node, { team: team.id, first_name: 'Nora', last_name: 'New' });
  await user(node, { team: team.id, pending: true });
  await page.goto('/');
  const cards = page.getByRole('region', { name: 'Your team' });
  await expect(cards.getByRole('link', { name: /^Largest: / })).toBeVisible();
  await expect(cards.locator('[aria-busy]')).toHaveCount(0);
  await picture(page, 'home-cards');
  await expectAccessible(page, 'home with cards');
  await cards.getByRole('link', { name: /^Never signed in/ }).click();
  await expect(page).toHaveURL(/never_active=1/);
  await expect(personRow(page, 'Nora New')).toBeVisible();
  await page.goBack();
  await cards.getByRole('link', { name: /^Private and direct/ }).click();
  await expect(page.getByRole('heading', { name: 'Storage', level: 1 })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Largest public channels' })).toContainText('Design reviews');
  await picture(page, 'storage');
  await expectAccessible(page, 'storage');
});
