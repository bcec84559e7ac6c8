import type { TestApp } from '@steward/server/testing/app/start-app.ts';
import { extractMailToken } from '@steward/server/testing/peers/inbox.ts';
import { sendSignUp } from '@steward/server/testing/workspace/signup.ts';
import { expect, test, typePassword } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import {
  button,
  deleteSignUps,
  finish,
  NEW_PASSWORD,
  newAddress,
  openInvite,
  readStorage,
  row,
  title,
} from './signup-screen.ts';

const VERIFIED = 'Email Verified Successfully. You can now login into your Steward Admin account';
const COMPLETED = 'SignUp Completed Successfully. You can now login into your Steward Admin account';

async function countTeams(node: TestApp, name: string): Promise<number> {
  return (await node.db.selectFrom('teams').select('id').where('display_name', '=', name).execute()).length;
}

test('a new owner follows the link, whose token stays in this tab, and gets into the new team', async ({
  page,
  node,
  context,
}) => {
  const owner_email = newAddress();
  await deleteSignUps({ node });
  await openInvite(page, { owner_email, team_name: 'Brand New' });
  await row(page, 1).fill('kim@example.test');
  await button(page, 'Continue').click();
  await expect(title(page)).toHaveText('Review');
  await button(page, 'Continue').click();
  await button(page, 'Confirm and send link').click();
  await expect(title(page)).toHaveText('Check your email for the magic link');
  const token = extractMailToken(await node.inbox.next(owner_email));
  const referrers: Promise<string | null>[] = [];
  let checks = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/signup_check')) checks += 1;
    if (!request.isNavigationRequest()) referrers.push(request.headerValue('referer').catch(() => null));
  });
  await page.goto(`/signup_confirm?token=${token}`);
  await expect(page.getByLabel('First name')).toBeFocused();
  await expect(page).toHaveURL('/signup_confirm');
  await picture(page, 'signup-details');
  expect(checks).toBe(1);
  const during = await readStorage(page);
  expect(during.local + during.history).not.toContain(token);
  expect(during.tab).toContain(token);
  expect((await Promise.all(referrers)).filter((referrer) => referrer?.includes(token))).toEqual([]);
  expect(referrers.length).toBeGreaterThan(0);
  expect(node.log.filter((line) => line.includes(token))).toEqual([]);
  await page.goBack();
  await expect(page).toHaveURL('/signup?step=done');
  await page.goForward();
  await expect(page).toHaveURL('/signup_confirm');
  const other = await context.newPage();
  for (const path of ['/signup_confirm', '/signup?step=done']) {
    await other.goto(path);
    await other.waitForLoadState('networkidle');
    expect((await readStorage(other)).tab).not.toMatch(/example\.test|token/);
  }

  await finish(page);
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('status')).toHaveText([COMPLETED, '']);
  const { tab, local } = await readStorage(page);
  for (const secret of [token, owner_email, NEW_PASSWORD]) expect(tab + local).not.toContain(secret);
  await node.inbox.next('kim@example.test');
  await page.goBack();
  await expect(page).toHaveURL('/signup_confirm');
  await expect(page.getByText(COMPLETED)).toBeVisible();
  await page.reload();
  await page.getByRole('link', { name: 'OK' }).click();
  await expect(page).toHaveURL('/login');
  await typePassword(page, { email: owner_email, password: NEW_PASSWORD });
  await expect(page).toHaveURL('/users/users');
  await expect(page.getByRole('banner')).toContainText('Brand New');
  await expect(page.getByRole('row', { name: /Nora New/ })).toBeVisible();
});

test('an owner with an account signs in, also in an open session, and finds the new team', async ({
  page,
  node,
  team,
}) => {
  const owner_email = team.owner.email;
  const requestTeam = async (team_name: string, invitees: string[]) => {
    expect((await sendSignUp(node, { owner_email, team_name, invitees })).status).toBe(200);
    return extractMailToken(await node.inbox.next(owner_email));
  };
  const token = await requestTeam('Second Team', ['kim@example.test', 'lee@example.test']);
  await page.goto(`/signup_confirm?token=${token}`);
  await expect(page).toHaveURL('/login');
  await expect(page.getByText(VERIFIED)).toBeVisible();
  const next = page.getByText(/^To create the team Second Team and invite 2 people, sign in as/);
  await picture(page, 'login-verified');
  expect(await countTeams(node, 'Second Team')).toBe(0);
  await page.reload();
  await expect(next).toBeVisible();
  await typePassword(page, team.owner);
  const dialog = page.getByRole('dialog', { name: 'SWITCH TEAM' });
  await expect(dialog.getByRole('button', { name: /Second Team/ })).toBeVisible();
  await node.inbox.next('lee@example.test');

  const third = await requestTeam('Third Team', []);
  await page.goto(`/signup_confirm?token=${third}`);
  await expect(page.getByText('You are already logged in.')).toBeVisible();
  await expect(page.getByText(/^To create the team Third Team, sign in as/)).toBeVisible();
  await picture(page, 'login-verified-signed-in');
  expect(await countTeams(node, 'Third Team')).toBe(0);
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await expect(page.getByText(/^To create the team Third Team, sign in as/)).toBeVisible();
  await typePassword(page, team.owner);
  await expect(dialog.getByRole('button', { name: /Third Team/ })).toBeVisible();
});
