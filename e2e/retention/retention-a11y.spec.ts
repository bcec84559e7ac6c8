import type { Page } from '@playwright/test';
import { serviceToken } from '@steward/server/testing/workspace/content.ts';
import { runNow, setRule } from '@steward/server/testing/workspace/retention.ts';
import { expect, type Given, signIn, test } from '../browser/fixtures.ts';
import { expectAccessible, SIZES } from '../screens/accessible.ts';
import {
  getSetting,
  limit,
  openForm,
  RETENTION_PATHS,
  runRows,
  saveButton,
  saveQuestion,
  saveStricterRule,
  seedAgedRecords,
} from './retention-screen.ts';

const TOKENS = '/dashboard/service_tokens';

/** Adds rules, items that they apply to, and runs in several states. */
async function seedRetention({ node, team }: Given): Promise<void> {
  await seedAgedRecords({ node, team }, 'files', [1, 100, 200]);
  await setRule(node, team.id, 'files', { value: 1, duration: { count: 90, period: 'd' } });
  await setRule(node, team.id, 'voicemails', { value: 1, duration: { count: 1, period: 'y' } });
  await runNow(node, team.id);
  await node.db
    .updateTable('retention_runs')
    .set({ state: 'failed', note: 'The database went away.' })
    .where('kind', '=', 'voicemails')
    .execute();
  await seedAgedRecords({ node, team }, 'files', [300]);
}

async function expectNoHorizontalScroll(page: Page, path: string): Promise<void> {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wider, `${path} scrolls sideways`).toBeLessThanOrEqual(0);
}

for (const [size, viewport] of Object.entries(SIZES)) {
  test.describe(`${size}, in both themes, axe finds nothing`, () => {
    test.use({ viewport });
    test.setTimeout(60_000);

    test('on the retention overview, with its history and confirmation', async ({ page, node, team }) => {
      await signIn(page, { node }, team.owner);
      await page.goto('/dashboard/team_settings/retention');
      await expect(page.getByRole('heading', { name: 'No runs yet' })).toBeVisible();
      await expectAccessible(page, 'overview, no runs');
      await seedRetention({ node, team });
      await page.reload();
      await expect(runRows(page)).toHaveCount(2);
      await expectAccessible(page, 'overview');
      await page.getByRole('button', { name: 'Run now' }).click();
      await expect(page.getByRole('dialog').getByRole('table')).toBeVisible();
      await expectAccessible(page, 'run now');
    });

    test('on a retention form: invalid, confirming, scheduled', async ({ page, node, team }) => {
      await seedRetention({ node, team });
      await signIn(page, { node }, team.owner);
      await openForm(page, 'file_retention');
      await expect(page.getByText('Stored now')).toBeVisible();
      await page.getByLabel(/mark files deleted/).check();
      await limit(getSetting(page, 'Files'), '12abc');
      await saveButton(page).click();
      await expect(page.getByText("isn't a number")).toBeVisible();
      await expectAccessible(page, 'form, wrong');
      await page.getByLabel('Count').fill('30');
      await saveButton(page).click();
      await expect(saveQuestion(page)).toContainText('24 hours from now');
      await expectAccessible(page, 'question');
      await saveQuestion(page).getByRole('button', { name: 'Save the rule' }).click();
      await expect(page.getByRole('button', { name: /Cancel this change/ })).toBeVisible();
      await expectAccessible(page, 'waiting');
    });

    test('on a form that is loading, and on one that can’t be loaded', async ({ page, node, team, trouble }) => {
      trouble.expect(/ERR_FAILED/);
      await signIn(page, { node }, team.owner);
      await page.route('**/api/v4/admin/teams/*/*retention', () => undefined);
      await page.goto('/dashboard/team_settings/message_retention');
      await expect(page.locator('form, [aria-busy="true"]').first()).toBeVisible();
      await expectAccessible(page, 'skeleton');
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.route('**/api/v4/admin/teams/*/message_retention', (route) => route.abort());
      await page.reload();
      await expect(page.getByRole('heading', { name: 'An Error Occurred!' })).toBeVisible();
      await expectAccessible(page, 'error');
    });

    test('on the service tokens and their dialogs', async ({ page, node, team }) => {
      await signIn(page, { node }, team.owner);
      await page.goto(TOKENS);
      await expect(page.getByRole('heading', { name: 'No service tokens yet' })).toBeVisible();
      await expectAccessible(page, 'no tokens');
      await serviceToken(node, team.id, { name: 'Phone system' });
      await page.reload();
      await expect(page.getByRole('button', { name: 'Remove Phone system' })).toBeVisible();
      await expectAccessible(page, 'tokens');
      await page.getByRole('button', { name: 'Remove Phone system' }).click();
      await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
      await expectAccessible(page, 'remove');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Add Token' }).click();
      await page.getByLabel('Name').fill('Chat service');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog', { name: 'Copy the token now' })).toBeVisible();
      await expectAccessible(page, 'new token');
    });
  });
}

test.describe('at 360 pixels', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test('no retention screen or dialog scrolls sideways', async ({ page, node, team }) => {
    await seedRetention({ node, team });
    await serviceToken(node, team.id, { name: `A service with a name without any gap: ${'x'.repeat(60)}` });
    await signIn(page, { node }, team.owner);
    for (const path of [...RETENTION_PATHS, TOKENS]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.waitForLoadState('networkidle');
      await expectNoHorizontalScroll(page, path);
    }
    await openForm(page, 'voice_retention');
    await limit(getSetting(page, 'Call recordings'), '30');
    await saveStricterRule(page);
    await expectNoHorizontalScroll(page, 'a rule that waits');
  });

  test('the forms are reached from the drawer', async ({ page, node, team }) => {
    await signIn(page, { node }, team.owner);
    await page.goto('/dashboard/team_settings/retention');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Meetings' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Meeting Retention');
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeHidden();
  });
});

test('a rule is selected, filled in, saved and canceled with the keyboard alone', async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
  await openForm(page, 'notes_retention');
  await expect(page.getByText('Stored now')).toBeVisible();
  await page.getByLabel('Keep all archived notes forever').focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByLabel(/only for a set duration/)).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type('3');
  await page.keyboard.press('Tab');
  await page.keyboard.press('y');
  await expect(page.getByLabel('Period')).toHaveValue('y');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(saveQuestion(page).getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const keep = page.getByRole('button', { name: /Cancel this change/ });
  await expect(keep).toBeVisible();
  await expect(page.getByLabel('Count')).toBeFocused();
  // Tab moves past the period and the common durations.
  for (let stop = 0; stop < 6; stop += 1) await page.keyboard.press('Tab');
  await expect(keep).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(keep).toHaveCount(0);
  await expect(page.getByRole('radio', { name: 'Keep all archived notes forever' })).toBeChecked();
  await expect(page.getByRole('radio').and(page.locator(':focus'))).toBeVisible();
});
