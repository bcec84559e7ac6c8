import { person, signedIn } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { setAccountKind } from '../browser/team-members.ts';
import { chooseAction, personRow } from './users-screen.ts';

const REVOKED = 'All sessions of User revoked successfully';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('the revoke dialog asks the specified question, names the person, and focuses Cancel', async ({
  page,
  node,
  team,
}) => {
  const max = await person(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  await page.goto('/users/users');
  await chooseAction(page, 'Max Member', 'Revoke all sessions');
  const dialog = page.getByRole('dialog', { name: 'Revoke all sessions' });
  await expect(dialog).toContainText('Are you sure You want to revoke all sessions of this User?');
  await expect(dialog).toContainText(`Max Member (${max.email})`);
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
});

test('a stray Enter does not confirm, Escape closes, and the focus returns to the menu', async ({
  page,
  node,
  team,
}) => {
  await person(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  const calls: string[] = [];
  page.on('request', (request) => request.url().includes('/revoke/all') && calls.push(request.url()));
  await page.goto('/users/users');
  const menu = page.getByRole('button', { name: 'Actions for Max Member' });
  for (const key of ['Enter', 'Escape']) {
    await chooseAction(page, 'Max Member', 'Revoke all sessions');
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press(key);
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(menu).toBeFocused();
  }
  expect(calls).toEqual([]);
});

test('a revoked person is signed out in another browser at the next click', async ({
  page,
  node,
  team,
  another,
  trouble,
}) => {
  trouble.expect(/status of 401/);
  const ada = await signedIn(node, { team: team.id, kind: 'admin', first_name: 'Ada', last_name: 'Admin' });
  const elsewhere = await another();
  await signIn(elsewhere, { node }, ada);
  await elsewhere.goto('/users/users');
  await expect(personRow(elsewhere, 'Olivia Owner')).toBeVisible();
  await page.goto('/users/users');
  await chooseAction(page, 'Ada Admin', 'Revoke all sessions');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke all sessions' }).click();
  await expect(page.getByRole('status').getByText(REVOKED)).toBeVisible();
  await elsewhere.getByRole('button', { name: 'Filters' }).click();
  await elsewhere.getByRole('checkbox', { name: 'Member' }).click();
  await expect(elsewhere).toHaveURL('/login');
  await expect(elsewhere.getByText('Your session has ended. Sign in again.')).toBeVisible();
  await page.reload();
  await expect(personRow(page, 'Ada Admin')).toBeVisible();
});

test('the reset email is sent after the specified question', async ({ page, node, team }) => {
  const max = await person(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  await page.goto('/users/users');
  await chooseAction(page, 'Max Member', 'Send password reset');
  const dialog = page.getByRole('dialog', { name: 'Send password reset' });
  await expect(dialog).toContainText('Are you sure You want to send Password reset email to this User?');
  expect(node.inbox.waiting(max.email)).toEqual([]);
  await dialog.getByRole('button', { name: 'Send email' }).click();
  await expect(page.getByRole('status').getByText('Password Reset Email sent successfully')).toBeVisible();
  expect((await node.inbox.next(max.email)).text).toContain('/reset_password?token=');
});

test('an alert closes after 4 seconds, stays while it is hovered, and can be dismissed', async ({
  page,
  node,
  team,
}) => {
  await person(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  await page.clock.install();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/users/users');
  const alert = page.getByText(REVOKED);
  const revoke = async () => {
    await chooseAction(page, 'Max Member', 'Revoke all sessions');
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke all sessions' }).click();
    await expect(alert).toBeVisible();
  };
  await revoke();
  await page.clock.runFor(3_999);
  await expect(alert).toBeVisible();
  await page.clock.runFor(1);
  await expect(alert).toHaveCount(0);
  await page.clock.resume();

  await revoke();
  await alert.hover();
  await page.clock.runFor(20_000);
  await expect(alert).toBeVisible();
  await page.mouse.move(0, 0);
  await page.clock.runFor(4_000);
  await expect(alert).toHaveCount(0);
  await page.clock.resume();

  await revoke();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(alert).toHaveCount(0);
});

test('a refusal is shown in a red alert with the specified title', async ({ page, node, team, trouble }) => {
  trouble.expect(/status of 403/);
  const max = await person(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  await page.goto('/users/users');
  await chooseAction(page, 'Max Member', 'Revoke all sessions');
  await setAccountKind(node, { teamId: team.id, personId: max.id, kind: 'zendesk' });
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke all sessions' }).click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('An Error Occurred!');
  await expect(alert).toContainText("Zendesk users can't sign in, so there are no actions.");
});

test('Zendesk users have no menu, and a hint says why', async ({ page, node, team }) => {
  await person(node, { team: team.id, kind: 'zendesk', first_name: 'Zoe', last_name: 'Desk' });
  await page.goto('/users/users');
  const row = personRow(page, 'Zoe Desk');
  await expect(row.getByRole('button')).toHaveCount(0);
  await row.getByRole('img', { name: /No actions/ }).hover();
  await expect(page.getByRole('tooltip')).toHaveText("Zendesk users can't sign in, so there are no actions.");
});

test('an unavailable action stays in the menu with its reason', async ({ page, node, team }) => {
  await person(node, { team: team.id, pending: true, first_name: 'Pia', last_name: 'Pending' });
  await page.goto('/users/users');
  await page.getByRole('button', { name: 'Actions for Pia Pending' }).click();
  const refused = page.getByRole('menuitem', { name: 'Revoke all sessions' });
  await expect(refused).toHaveAttribute('aria-disabled', 'true');
  await expect(refused).toContainText("hasn't accepted the invitation yet");
  await refused.click({ force: true });
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a session can be revoked by keyboard alone', async ({ page, node, team }) => {
  await person(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  await page.goto('/users/users');
  await page.getByRole('button', { name: 'Actions for Max Member' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText(REVOKED)).toBeVisible();
});
