import type { Page } from '@playwright/test';
import { removeUser } from '@steward/contract/users/lifecycle';
import { eraseUser } from '@steward/contract/users/privacy';
import { call } from '@steward/server/testing/app/call.ts';
import { addSession } from '@steward/server/testing/sessions/sessions.ts';
import { type TestUser, user } from '@steward/server/testing/workspace/factories.ts';
import { expect, type Given, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { addSignIns, lines, openLog } from './sign-ins/sign-ins-screen.ts';
import { chooseAction, failInvitation, people } from './users-screen.ts';

const OUTCOMES = ['ok', 'bad_password', 'throttled', 'second_factor', 'deactivated', 'sso_refused'] as const;
const LAPTOP = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Firefox/140.0';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

const max = ({ node, team }: Given) => user(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
const rows = (page: Page) => page.getByRole('dialog').getByRole('listitem');
const inDialog = (page: Page, name: string | RegExp) => page.getByRole('dialog').getByRole('button', { name });

async function begin({ node }: Given, who: TestUser, address: string): Promise<void> {
  await addSession(node, { userId: who.id, deviceId: '', userAgent: LAPTOP, address });
}

async function checkSignIns(page: Page, { node, team }: Given): Promise<void> {
  await addSignIns(
    { node, team },
    OUTCOMES.map((outcome) => ({ who: team.owner.id, outcome })),
  );
  await openLog(page, `?user=${team.owner.id}`);
  await expect(lines(page)).toHaveCount(OUTCOMES.length);
  await page.getByRole('button', { name: 'User: Olivia Owner' }).click();
  await expect(page.getByRole('option', { name: 'Olivia Owner' })).toBeVisible();
  await expectAccessible(page, 'choosing a user in the log');
}

async function checkSessions(page: Page, { node, team }: Given): Promise<void> {
  const who = await max({ node, team });
  for (const address of ['192.0.2.7', '2001:db8::7']) await begin({ node, team }, who, address);
  await page.goto('/users/users');
  await chooseAction(page, 'Max Member', 'Revoke all sessions');
  await inDialog(page, /^Sign out Firefox on Windows, 192/).click();
  await expect(rows(page).getByText('Signed out')).toHaveCount(1);
  await expectAccessible(page, 'sessions');
  await inDialog(page, 'Revoke all sessions').click();
  await expect(page.getByRole('list', { name: 'Revoked sessions' })).toBeVisible();
  await expectAccessible(page, 'receipt');
  await page.keyboard.press('Escape');
  await chooseAction(page, 'Max Member', 'Revoke all sessions');
  await expect(page.getByRole('dialog')).toContainText('No active sessions');
  await expectAccessible(page, 'no active sessions');
}

async function checkInvitations(page: Page, { node, team }: Given): Promise<void> {
  const pia = await user(node, { team: team.id, pending: true, first_name: 'Pia', last_name: 'Pending' });
  await failInvitation({ node, team }, pia);
  await page.goto('/users/users');
  await expect(people(page)).toHaveCount(3);
  await expectAccessible(page, 'undelivered');
  for (const action of ['Resend invitation', 'Cancel invitation']) {
    await chooseAction(page, 'Pia Pending', action);
    await expect(page.getByRole('dialog', { name: action })).toContainText('Pia Pending');
    await expectAccessible(page, action);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await page.getByRole('button', { name: 'Show undelivered invitations' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expectAccessible(page, 'the undelivered');
}

async function checkPrivacy(page: Page, { node, team }: Given): Promise<void> {
  for (const first_name of ['Max', 'Mia']) {
    const gone = await user(node, { team: team.id, first_name, last_name: 'Member' });
    const params = { teamId: team.id, userId: gone.id };
    await call(node, removeUser, { as: team.owner, params });
    if (first_name === 'Mia') await call(node, eraseUser, { as: team.owner, params, body: { confirm: gone.email } });
  }
  await page.goto('/users/privacy_requests');
  await page.getByRole('button', { name: 'Export data of Max Member' }).click();
  await expect(page.getByRole('dialog').getByLabel('Reason')).toBeFocused();
  await expectAccessible(page, 'export');
  await picture(page, 'privacy-export');
  await page.getByRole('dialog').getByLabel('Reason').fill('A request');
  await inDialog(page, 'Start export').click();
  await expect(page.getByRole('table', { name: 'Exports' }).getByRole('link')).toBeVisible();
  await expect(page.getByText('The export of Max Member has started')).toHaveCount(0);
  await expectAccessible(page, 'privacy requests');
  await picture(page, 'privacy-requests');
  await page.getByRole('button', { name: 'Erase Max Member' }).click();
  await expect(page.getByRole('dialog', { name: 'Erase user' })).toBeVisible();
  await expectAccessible(page, 'erase');
}

test('axe finds nothing on the sign-in log, sessions, invitations and privacy requests, in each state', async ({
  page,
  node,
  team,
}) => {
  for (const check of [checkSignIns, checkSessions, checkInvitations, checkPrivacy]) await check(page, { node, team });
});
