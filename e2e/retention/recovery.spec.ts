import type { Locator } from '@playwright/test';
import { createExpireArchivesWorker } from '@steward/server/src/features/retention/recovery/expire-archives.job.ts';
import { person, signIn as startSession } from '@steward/server/testing/workspace/factories.ts';
import { getIds, runNow, setRule } from '@steward/server/testing/workspace/retention.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible, SIZES } from '../screens/accessible.ts';
import { openForm, seedAgedRecords } from './retention-screen.ts';

const OVERVIEW = '/dashboard/team_settings/retention';
const A_YEAR = { value: 1 as const, duration: { count: 1, period: 'y' as const } };

test('an owner restores a run', async ({ page, node, team }) => {
  await seedAgedRecords({ node, team }, 'voicemails', [500, 600]);
  await setRule(node, team.id, 'voicemails', A_YEAR);
  await runNow(node, team.id);
  expect((await getIds(node, team.id)).size).toBe(0);
  await signIn(page, { node }, team.owner);
  await page.goto(OVERVIEW);
  const section = page.getByRole('region', { name: 'Recoverable' });
  await expect(section).toContainText('can be restored by an owner for 7 days');
  const row = section.getByRole('row').filter({ hasText: 'Voicemails' });
  await expect(row.locator('[data-label="Deleted"]')).toContainText('2');
  await section.scrollIntoViewIfNeeded();
  await picture(page, 'retention-recoverable');
  await row.getByRole('button', { name: 'Restore Voicemails' }).click();
  const question = page.getByRole('dialog', { name: 'Restore' });
  await expect(question).toContainText('Restore 2 voicemails?');
  await question.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText('The restore has started.')).toBeVisible();
  await expect(section).toContainText('There is nothing to restore now.');
  expect((await getIds(node, team.id)).size).toBe(2);
  await expect(page.getByRole('region', { name: 'Legal holds' })).toContainText('Restored voicemails');
  await expect(page.getByRole('region', { name: 'Run history' })).toContainText('2 restored');
});

test('the run history shows the number and size of what was destroyed', async ({ page, node, team }) => {
  await seedAgedRecords({ node, team }, 'voicemails', [500, 600]);
  await setRule(node, team.id, 'voicemails', A_YEAR);
  await runNow(node, team.id);
  await node.db
    .updateTable('retention_runs')
    .set({ recoverable_until: new Date(0) })
    .where('team_id', '=', team.id)
    .execute();
  await createExpireArchivesWorker(node.deps).handle({}, { isLast: false } as never);
  await signIn(page, { node }, team.owner);
  await page.goto(OVERVIEW);
  const history = page.getByRole('region', { name: 'Run history' });
  await expect(history).toContainText(/2 destroyed, 1 MB: /);
  await history.scrollIntoViewIfNeeded();
  await picture(page, 'retention-destroyed');
});

test('a restore that ended before it was shown as running is shown everywhere', async ({ page, node, team }) => {
  await seedAgedRecords({ node, team }, 'voicemails', [500, 600]);
  await setRule(node, team.id, 'voicemails', A_YEAR);
  await runNow(node, team.id);
  await signIn(page, { node }, team.owner);
  await page.goto(OVERVIEW);
  const section = page.getByRole('region', { name: 'Recoverable' });
  await section.getByRole('button', { name: 'Restore Voicemails' }).click();
  // The list of holds is answered immediately, and the list of runs only when the recovery has finished.
  await page.route(/\/retention\/runs\?.*recoverable=1/, async (route) => {
    await expect.poll(async () => (await getIds(node, team.id)).size).toBe(2);
    await route.continue();
  });
  await page.getByRole('dialog', { name: 'Restore' }).getByRole('button', { name: 'Restore' }).click();
  await expect(section).toContainText('There is nothing to restore now.');
  await expect(page.getByRole('region', { name: 'Legal holds' })).toContainText('Restored voicemails');
  await expect(page.getByRole('region', { name: 'Run history' })).toContainText('2 restored');
});

test('a shorter time is announced before it is saved, and waits', async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
  await page.goto(OVERVIEW);
  const section = page.getByRole('region', { name: 'Recoverable' });
  await section.getByRole('button', { name: 'Change time' }).click();
  const dialog = page.getByRole('dialog', { name: 'Time to restore' });
  const days = dialog.getByLabel('Days');
  await days.fill('31');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Enter a whole number from 0 to 30.')).toBeVisible();
  await days.fill('0');
  await expect(dialog).toContainText('A shorter time takes effect in 24 hours.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved Successfully')).toBeVisible();
  await expect(section).toContainText('for 7 days');
  await expect(section).toContainText(': 0 days.');
  await expect(section.getByRole('button', { name: 'Change time' })).toBeFocused();
});

test('an admin who isn’t an owner sees what can be restored, without a button', async ({ page, node, team }) => {
  await seedAgedRecords({ node, team }, 'voicemails', [500]);
  await setRule(node, team.id, 'voicemails', A_YEAR);
  await runNow(node, team.id);
  const admin = await startSession(node, await person(node, { team: team.id, kind: 'admin' }));
  await signIn(page, { node }, admin);
  await page.goto(OVERVIEW);
  const section = page.getByRole('region', { name: 'Recoverable' });
  await expect(section.getByRole('row').filter({ hasText: 'Voicemails' })).toBeVisible();
  await expect(section.getByRole('button', { name: 'Restore Voicemails' })).toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: SIZES.phone, hasTouch: true });

  test('small buttons are high enough to touch', async ({ page, node, team }) => {
    await seedAgedRecords({ node, team }, 'voicemails', [500]);
    await setRule(node, team.id, 'voicemails', A_YEAR);
    await runNow(node, team.id);
    await seedAgedRecords({ node, team }, 'voicemails', [600]);
    await signIn(page, { node }, team.owner);
    const expectHigh = async (button: Locator) => {
      await expect(button).toBeVisible();
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    };
    await page.goto(OVERVIEW);
    const section = page.getByRole('region', { name: 'Recoverable' });
    await expectHigh(section.getByRole('button', { name: 'Change time' }));
    await section.getByRole('listitem').click();
    await expectHigh(section.getByRole('button', { name: 'Restore Voicemails' }));
    await openForm(page, 'voice_retention');
    await expectHigh(page.getByRole('button', { name: 'View these voicemails' }));
    await expectHigh(page.getByRole('button', { name: '90 days' }));
  });
});

for (const [size, viewport] of Object.entries(SIZES)) {
  test.describe(`${size}, in both themes, axe finds nothing`, () => {
    test.use({ viewport });
    test.setTimeout(60_000);

    test('in what can be restored, and in its dialogs', async ({ page, node, team }) => {
      await seedAgedRecords({ node, team }, 'voicemails', [500]);
      await setRule(node, team.id, 'voicemails', A_YEAR);
      await runNow(node, team.id);
      await signIn(page, { node }, team.owner);
      await page.goto(OVERVIEW);
      const section = page.getByRole('region', { name: 'Recoverable' });
      await expect(section.getByText('Voicemails').first()).toBeVisible();
      await expectAccessible(page, `${OVERVIEW}, ${size}`);
      await section.getByRole('button', { name: 'Change time' }).click();
      await expect(page.getByRole('dialog').getByLabel('Days')).toBeFocused();
      await picture(page, `retention-recovery-time-${size}`);
      await expectAccessible(page, `the time to restore, ${size}`);
    });
  });
}
