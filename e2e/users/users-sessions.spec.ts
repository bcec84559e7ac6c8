import type { Page } from '@playwright/test';
import { addSession } from '@steward/server/testing/sessions/sessions.ts';
import {
  person,
  signedIn,
  signIn as startSession,
  type TestPerson,
} from '@steward/server/testing/workspace/factories.ts';
import { expect, type Given, signIn, test, typePassword } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { signOutEverywhere } from '../browser/team-members.ts';
import { expectAccessible, SIZES } from '../screens/accessible.ts';
import { chooseAction, holdCalls, personRow } from './users-screen.ts';

const REVOKED = 'All sessions of User revoked successfully';
const QUESTION = 'Are you sure You want to revoke all sessions of this User?';
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile Safari/604.1';
const LAPTOP = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Firefox/140.0';

const revokeDialog = (page: Page) => page.getByRole('dialog', { name: 'Revoke all sessions' });
const rows = (page: Page) => page.getByRole('dialog').getByRole('listitem');
const getDialogButton = (page: Page, name: string | RegExp) => page.getByRole('dialog').getByRole('button', { name });

async function begin({ node }: Given, who: TestPerson, userAgent: string, address: string): Promise<void> {
  await addSession(node, { personId: who.id, deviceId: '', userAgent, address });
}

async function max(given: Given): Promise<TestPerson> {
  return person(given.node, { team: given.team.id, first_name: 'Max', last_name: 'Member' });
}

async function onTwoDevices(given: Given): Promise<TestPerson> {
  const who = await max(given);
  await begin(given, who, LAPTOP, '192.0.2.7');
  // If both were used within the same millisecond, their order would be undefined.
  await given.node.db
    .updateTable('sessions')
    .set({ active_at: new Date(Date.now() - 1_000) })
    .where('person_id', '=', who.id)
    .execute();
  await begin(given, who, PHONE, '2001:db8::7');
  return who;
}

async function openRevoke(page: Page): Promise<void> {
  await page.goto('/users/users');
  await chooseAction(page, 'Max Member', 'Revoke all sessions');
  await expect(revokeDialog(page)).toContainText(QUESTION);
}

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('the dialog lists the active sessions and when each was last used', async ({ page, node, team }) => {
  const who = await onTwoDevices({ node, team });
  await node.db
    .updateTable('sessions')
    .set({ active_at: new Date(Date.now() - 12 * 60_000 - 1_000) })
    .where('person_id', '=', who.id)
    .where('user_agent', '=', LAPTOP)
    .execute();
  await openRevoke(page);
  await expect(revokeDialog(page).getByRole('heading', { name: '2 active sessions' })).toBeVisible();
  await expect(rows(page)).toHaveText([
    /^Safari on iOS2001:db8::7 Last active just now/,
    /^Firefox on Windows192\.0\.2\.7 Last active 12 minutes ago/,
  ]);
  await expect(rows(page).locator('time').first()).toHaveAttribute('title', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  await picture(page, 'users-sessions');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
});

test('signing out one session leaves the other signed in', async ({ page, node, team, another, trouble }) => {
  trouble.expect(/status of 401/);
  const ada = await person(node, { team: team.id, kind: 'admin', first_name: 'Ada', last_name: 'Admin' });
  const browsers = [await another({ userAgent: LAPTOP }), await another({ userAgent: PHONE })] as const;
  for (const browser of browsers) {
    await browser.goto('/login');
    await typePassword(browser, ada);
    await expect(personRow(browser, 'Olivia Owner')).toBeVisible();
  }
  await page.goto('/users/users');
  await chooseAction(page, 'Ada Admin', 'Revoke all sessions');
  await getDialogButton(page, /^Sign out Firefox on Windows/).click();
  await expect(rows(page).filter({ hasText: 'Firefox on Windows' })).toContainText('Signed out');
  await expect(revokeDialog(page).getByRole('heading', { name: '1 active session' })).toBeVisible();
  await expect(revokeDialog(page).getByRole('status')).toContainText(/^Firefox on Windows, .+: signed out\.$/);
  await expect(getDialogButton(page, /^Sign out Safari on iOS/)).toBeFocused();
  for (const browser of browsers) await browser.reload();
  await expect(browsers[0]).toHaveURL(/\/login/);
  await expect(personRow(browsers[1], 'Olivia Owner')).toBeVisible();
});

test('revoking all shows a receipt that lists each, and the specified alert', async ({ page, node, team }) => {
  const who = await onTwoDevices({ node, team });
  await begin({ node, team }, who, LAPTOP, '198.51.100.4');
  await openRevoke(page);
  await getDialogButton(page, 'Sign out Firefox on Windows, 198.51.100.4').click();
  await expect(rows(page).getByText('Signed out')).toHaveCount(1);
  await getDialogButton(page, 'Revoke all sessions').click();
  await expect(page.getByRole('status').getByText(REVOKED)).toBeVisible();
  await expect(revokeDialog(page)).toContainText(`Max Member (${who.email}) was signed out of 3 devices:`);
  await picture(page, 'users-sessions-ended');
  await expect(page.getByRole('list', { name: 'Revoked sessions' }).getByRole('listitem')).toHaveText([
    'Safari on iOS2001:db8::7 Signed out',
    'Firefox on Windows192.0.2.7 Signed out',
    'Firefox on Windows198.51.100.4 Signed out',
  ]);
  await expect(revokeDialog(page).getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Actions for Max Member' })).toBeFocused();
  await chooseAction(page, 'Max Member', 'Revoke all sessions');
  await expect(revokeDialog(page).getByRole('heading', { name: 'No active sessions' })).toBeVisible();
});

test('a session that someone else has ended is shown as ended', async ({ page, node, team, trouble }) => {
  trouble.expect(/status of 404/);
  const who = await onTwoDevices({ node, team });
  await openRevoke(page);
  await expect(rows(page)).toHaveCount(2);
  await signOutEverywhere(node, who.id);
  await getDialogButton(page, /^Sign out Safari/).click();
  await expect(rows(page).filter({ hasText: 'Safari' })).toContainText('Signed out');
});

test('a refused sign-out is explained in the dialog, and the session stays', async ({ page, node, team, trouble }) => {
  trouble.expect(/status of 503/);
  await onTwoDevices({ node, team });
  await page.route('**/sessions/revoke', (route) =>
    route.fulfill({
      status: 503,
      json: { status_code: 503, message: 'Please try again.', id: 'server.unavailable', request_id: 'r' },
    }),
  );
  await openRevoke(page);
  await getDialogButton(page, /^Sign out Safari/).click();
  await expect(revokeDialog(page).getByRole('status')).toHaveText("Couldn't sign out this session: Please try again.");
  await expect(getDialogButton(page, /^Sign out Safari/)).toBeEnabled();
});

test('a slow list keeps its place, and a failed one can be retried', async ({ page, node, team, trouble }) => {
  trouble.expect(/ERR_FAILED/);
  await onTwoDevices({ node, team });
  await page.route('**/sessions', (route) => route.abort());
  await openRevoke(page);
  await expect(revokeDialog(page)).toContainText("Couldn't load active sessions: API error");
  await expect(getDialogButton(page, 'Revoke all sessions')).toBeEnabled();
  await page.unroute('**/sessions');
  await getDialogButton(page, 'Retry').click();
  await expect(rows(page)).toHaveCount(2);
  await page.keyboard.press('Escape');
  await page.route('**/sessions', (route) => route.abort());
  await chooseAction(page, 'Max Member', 'Revoke all sessions');
  await expect(revokeDialog(page), 'not what was true a while ago').toContainText("Couldn't load active sessions");
  await page.unroute('**/sessions');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const release = await holdCalls(page, '**/sessions');
  await chooseAction(page, 'Max Member', 'Revoke all sessions');
  await expect(revokeDialog(page)).toContainText(QUESTION);
  await expect(rows(page)).toHaveCount(0);
  release();
  await expect(rows(page)).toHaveCount(2);
});

test('one’s own sessions have their own dialog: the current one is marked and can’t be signed out', async ({
  page,
  node,
  team,
}) => {
  await startSession(node, team.owner);
  await page.goto('/users/users');
  await chooseAction(page, 'Olivia Owner', 'Your sessions');
  const dialog = page.getByRole('dialog', { name: 'Your sessions' });
  await expect(dialog).not.toContainText('Are you sure');
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).filter({ hasText: 'This device' }).getByRole('button')).toHaveCount(0);
  await dialog.getByRole('button', { name: /^Sign out / }).click();
  await expect(rows(page).getByText('Signed out')).toHaveCount(1);
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused();
  await page.reload();
  await expect(personRow(page, 'Olivia Owner')).toBeVisible();
});

test('twenty sessions scroll inside the dialog, and every button stays in view on a phone', async ({
  page,
  node,
  team,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  const who = await max({ node, team });
  for (let at = 0; at < 20; at += 1) await begin({ node, team }, who, LAPTOP, `2001:db8:85a3:8d3:1319:8a2e:370:${at}`);
  await openRevoke(page);
  await expect(rows(page)).toHaveCount(20);
  for (const name of ['Cancel', 'Revoke all sessions'])
    await expect(getDialogButton(page, name)).toBeInViewport({ ratio: 1 });
  await getDialogButton(page, /:0$/).scrollIntoViewIfNeeded();
  await getDialogButton(page, /:0$/).click();
  await expect(rows(page).getByText('Signed out')).toHaveCount(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

for (const [name, viewport] of Object.entries(SIZES)) {
  test.describe(`on a ${name} screen`, () => {
    test.use({ viewport });

    test('axe finds nothing on the sessions, their receipt, and the user’s own', async ({ page, node, team }) => {
      await onTwoDevices({ node, team });
      await signedIn(node, { team: team.id });
      await openRevoke(page);
      await getDialogButton(page, /^Sign out Safari/).click();
      await expect(rows(page).getByText('Signed out')).toHaveCount(1);
      await expectAccessible(page, 'sessions');
      await getDialogButton(page, 'Revoke all sessions').click();
      await expect(page.getByRole('list', { name: 'Revoked sessions' })).toBeVisible();
      await expectAccessible(page, 'receipt');
      await page.keyboard.press('Escape');
      await chooseAction(page, 'Max Member', 'Revoke all sessions');
      await expect(revokeDialog(page)).toContainText('No active sessions');
      await expectAccessible(page, 'no active sessions');
      await page.keyboard.press('Escape');
      await chooseAction(page, 'Olivia Owner', 'Your sessions');
      await expect(rows(page)).toHaveCount(1);
      await expectAccessible(page, 'own sessions');
    });
  });
}
