import { extractMailToken } from '@steward/server/testing/peers/inbox.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { fillDetails, newAddress } from '../signup/signup-screen.ts';
import { personRow } from './users-screen.ts';

const PATH = '/users/invitation_links';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('an owner hands out a link in three clicks, a guest joins by it and the email, and it is revoked', async ({
  page,
  another,
  node,
  team,
  trouble,
}) => {
  test.slow();
  trouble.expect(/status of 400/);
  await page.goto('/');
  await page.getByRole('navigation').getByRole('link', { name: 'Invitation Links' }).click();
  await expect(page.getByRole('heading', { name: 'No invitation links' })).toBeVisible();
  await picture(page, 'invitation-links-empty');
  await page.getByRole('button', { name: 'Create Link' }).click();
  const form = page.getByRole('dialog', { name: 'Create Link' });
  await form.getByLabel('Name').fill('Spring workshop');
  await form.getByLabel('Email domains').fill('example.test');
  await picture(page, 'invitation-links-create');
  await expectAccessible(page, 'creating a link');
  await form.getByRole('button', { name: 'Create Link' }).click();
  const shown = page.getByRole('dialog', { name: 'Copy the link now' });
  await expect(shown.getByRole('img', { name: 'QR code of the link' })).toBeVisible();
  await picture(page, 'invitation-links-new');
  await expectAccessible(page, 'a new link');
  const { pathname, search } = new URL(await shown.getByRole('textbox', { name: 'Link' }).inputValue());
  await shown.getByRole('button', { name: 'Done' }).click();

  const guest = await another();
  await guest.goto(pathname + search);
  await expect(guest).toHaveURL('/join');
  await expect(guest.getByRole('heading', { name: `Join ${team.name}` })).toBeVisible();
  await picture(guest, 'join');
  await expectAccessible(guest, 'joining by a link');
  const email = newAddress('guest');
  await guest.getByLabel('Email').fill(email);
  await guest.getByRole('button', { name: 'Send invitation' }).click();
  await expect(guest.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await picture(guest, 'join-sent');
  const token = extractMailToken(await node.inbox.next(email));
  await guest.goto(`/signup_confirm?token=${token}`);
  await fillDetails(guest, { first: 'Gita', last: 'Guest', password: 'nine umbrellas in the hall' });
  await guest.getByRole('button', { name: 'Join team' }).click();
  await expect(guest.getByText('SignUp Completed Successfully.')).toBeVisible();

  await page.reload();
  const row = page.getByRole('row').filter({ hasText: 'Spring workshop' });
  await expect(row.locator('[data-label="Joined"]')).toHaveText('1 of 25');
  await picture(page, 'invitation-links');
  await expectAccessible(page, 'invitation links');
  await page.getByRole('navigation').getByRole('link', { name: 'Manage Users' }).click();
  await personRow(page, email).getByText('Gita Guest').click();
  const panel = page.getByRole('dialog', { name: 'Gita Guest' });
  await expect(panel.getByRole('link', { name: 'Spring workshop' })).toBeVisible();
  await picture(page, 'invitation-links-panel');

  await panel.getByRole('link', { name: 'Spring workshop' }).click();
  await expect(page).toHaveURL(PATH);
  await page.getByRole('button', { name: 'Revoke Spring workshop' }).click();
  const question = page.getByRole('dialog', { name: 'Revoke Link' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await picture(page, 'invitation-links-revoke');
  await question.getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('Link revoked')).toBeVisible();
  await expect(row.locator('[data-label="State"]')).toHaveText('Revoked');
  await guest.goto(pathname + search);
  await expect(guest.getByRole('alert')).toContainText('This invitation link no longer works.');
  await picture(guest, 'join-ended');
  await page.getByRole('link', { name: 'History' }).click();
  for (const text of ['Created an invitation link', 'Joined by an invitation link', 'Revoked an invitation link'])
    await expect(page.getByRole('row').filter({ hasText: text })).toBeVisible();
});
