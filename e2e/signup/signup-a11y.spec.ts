import type { Page } from '@playwright/test';
import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { addLink } from '@steward/server/src/workspace/access/sessions/links.store.ts';
import { user } from '@steward/server/testing/workspace/factories.ts';
import { expect, test } from '../browser/fixtures.ts';
import { expectAccessible, expectNotWider } from '../screens/accessible.ts';
import { button, deleteSignUps, newAddress, openInvite, paste, row, title } from './signup-screen.ts';

const LONG = `${'a'.repeat(60)}@${'long-'.repeat(10)}name.example.test`;

/** The narrow size differs from the phone only in its width. */
async function looksRight(page: Page, screen: string): Promise<void> {
  await expectNotWider(page, screen);
  await expectAccessible(page, screen);
}

test.beforeEach(deleteSignUps);
test.use({ viewport: { width: 360, height: 740 } });

test('axe finds nothing on the steps of the wizard and on the screen of an emailed link, and nothing scrolls sideways', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/ERR_FAILED/);
  await page.goto('/signup');
  await page.getByLabel('Company or team name').fill('www.x.example');
  await page.keyboard.press('Enter');
  await expect(page.getByText('must not be a web address')).toBeVisible();
  await looksRight(page, 'name, wrong');
  await openInvite(page, { team_name: 'N'.repeat(100), owner_email: newAddress() });
  await looksRight(page, 'invite');
  await paste(row(page, 1), `${LONG} kim@ ${Array.from({ length: 12 }, (_, at) => `p${at}@example.test`).join(' ')}`);
  await expect(page.getByText('left out')).toBeVisible();
  await looksRight(page, 'invite, full and wrong');
  await button(page, 'Remove kim@').click();
  await button(page, 'Continue').click();
  await expect(title(page)).toHaveText('Review');
  await looksRight(page, 'review');
  await button(page, 'Continue').click();
  await page.route('**/api/v4/signup', (route) => route.abort(), { times: 1 });
  await button(page, 'Confirm and send link').click();
  await expect(page.getByRole('alert')).toBeVisible();
  await looksRight(page, 'confirm, failed');
  await button(page, 'Confirm and send link').click();
  await expect(title(page)).toHaveText('Check your email for the magic link');
  await looksRight(page, 'done');

  const invited = { team: team.id, pending: true, first_name: '', last_name: 'Invited' };
  const { id: userId } = await user(node, { ...invited, email: `b${LONG.slice(10)}` });
  const token = await inTransaction(node.db, (trx) => addLink(trx, { kind: 'invite', userId, teamId: team.id }));
  const held = Promise.withResolvers<void>();
  await page.route('**/api/v4/signup_check', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`/signup_confirm?token=${token}`);
  await expect(page.getByText('Please Wait.')).toBeVisible();
  await looksRight(page, 'waiting');
  held.resolve();
  await button(page, 'Join team').click();
  await expect(page.getByText('First name is required.')).toBeVisible();
  await looksRight(page, 'final details, wrong');
});
