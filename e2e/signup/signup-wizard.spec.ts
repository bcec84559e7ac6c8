import { extractMailToken } from '@steward/server/testing/peers/inbox.ts';
import { expect, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { deleteSignUps, newAddress, row, title } from './signup-screen.ts';

test.beforeEach(deleteSignUps);
test.use({ timezoneId: 'America/Bogota' });

test('a visitor requests a team by keyboard alone, from the sign-in to the email', async ({ page, node }) => {
  const owner_email = newAddress();
  await page.goto('/login');
  await page.getByRole('link', { name: 'Create a team' }).click();
  await expect(page.getByText('Step 1 of 5')).toBeVisible();
  await expect(page.getByLabel('Company or team name')).toBeFocused();
  await page.keyboard.type('Northwind Studio');
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Bogota, America (UTC-05:00)');
  await picture(page, 'signup-team');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Step 2 of 5' })).toBeVisible();
  await expect(page.getByLabel('Owner email')).toBeFocused();
  await page.keyboard.type(owner_email);
  await page.keyboard.press('Enter');
  await expect(row(page, 1)).toBeFocused();
  await page.keyboard.type('kim@example.test');
  await page.keyboard.press('Enter');
  await expect(row(page, 2)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(row(page, 3)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(title(page)).toHaveText('Review');
  await expect(title(page)).toBeFocused();
  await expect(page.getByRole('definition')).toHaveText([
    'Northwind Studio',
    'Bogota, America (UTC-05:00)',
    owner_email,
    'kim@example.test',
  ]);
  await picture(page, 'signup-review');
  for (let stops = 0; stops < 5; stops += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(title(page)).toHaveText('Confirm invitees');
  await expect(title(page)).toBeFocused();
  await expect(page.getByText('Step 5 of 5')).toBeVisible();
  for (let stops = 0; stops < 2; stops += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(title(page)).toHaveText('Check your email for the magic link');
  await expect(title(page)).toBeFocused();
  await expect(page.getByText('We sent a link to')).toContainText(owner_email);
  const mail = await node.inbox.next(owner_email);
  expect(mail.text).toContain(`/signup_confirm?token=${extractMailToken(mail)}`);
});
