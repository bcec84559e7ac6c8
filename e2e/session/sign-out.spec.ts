import type { Page, Response } from '@playwright/test';
import { signedIn } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { makeTeam, setAccountKind, signOutEverywhere } from '../browser/team-members.ts';

async function chooseSignOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /, account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/login');
}

const isPoll = (response: Response) => response.url().endsWith('/users/status/ids');

/** The poll runs 30 seconds after the page has handled the response of the last one, which the test can't see. */
async function waitForPoll(page: Page, isAwaited = isPoll): Promise<void> {
  let isAnswered = false;
  const answered = page.waitForResponse(isAwaited).then(() => {
    isAnswered = true;
  });
  await expect
    .poll(async () => {
      await page.clock.fastForward(30_000);
      return isAnswered;
    })
    .toBe(true);
  await answered;
}

/** The first poll also fetches the teams. */
async function pollTeams(page: Page): Promise<void> {
  await waitForPoll(page, (response) => response.url().endsWith('/teams/members'));
}

test('signing out clears cookies and storage, and Back shows nothing', async ({ page, node, team, trouble }) => {
  trouble.expect(/status of 401/);
  await signIn(page, { node }, team.owner);
  await page.goto('/');
  await page.getByRole('link', { name: 'Manage Users' }).first().click();
  await expect(page.getByRole('row', { name: /Olivia Owner/ })).toBeVisible();
  await chooseSignOut(page);
  expect(await page.context().cookies()).toEqual([]);
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  for (const secret of [team.id, team.owner.id, team.owner.email, 'Olivia', team.owner.token]) {
    expect(kept).not.toContain(secret);
  }
  await page.goBack();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Olivia')).toHaveCount(0);
  const answer = await page.request.get('/api/v4/users/me', { headers: { cookie: team.owner.cookie } });
  expect(answer.status()).toBe(401);
});

test('signing out in one tab signs out the other tab', async ({ page, context, node, team }) => {
  await signIn(page, { node }, team.owner);
  const second = await context.newPage();
  await page.goto('/users/users');
  await second.goto('/users/users');
  await expect(second.getByRole('row', { name: /Olivia Owner/ })).toBeVisible();
  await chooseSignOut(page);
  await expect(second).toHaveURL('/login');
  await expect(second.getByText('Olivia')).toHaveCount(0);
});

test('while nothing changes, a poll is one call', async ({ page, node, team }) => {
  await page.clock.install();
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(page.getByRole('row', { name: /Olivia Owner/ })).toBeVisible();
  await pollTeams(page);
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await waitForPoll(page);
  await waitForPoll(page);
  expect(new Set(calls)).toEqual(new Set(['/api/v4/users/status/ids']));
});

test('an admin who loses the role is moved away by the next poll', async ({ page, node, team }) => {
  const admin = await signedIn(node, { team: team.id, kind: 'admin' });
  await page.clock.install();
  await signIn(page, { node }, admin);
  await page.goto('/users/users');
  await expect(page.getByRole('row', { name: /Olivia Owner/ })).toBeVisible();
  await pollTeams(page);
  await setAccountKind(node, { teamId: team.id, userId: admin.id, kind: 'member' });
  await waitForPoll(page);
  await expect(page).toHaveURL('/permission_error');
  await expect(page.getByText('Olivia')).toHaveCount(0);
  expect(await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))).toEqual({});
});

test('a session that ended elsewhere ends here with the next poll', async ({ page, node, team, trouble }) => {
  trouble.expect(/status of 401/);
  await page.clock.install();
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users?search=olivia');
  await expect(page.getByRole('row', { name: /Olivia Owner/ })).toBeVisible();
  await signOutEverywhere(node, team.owner.id);
  await waitForPoll(page);
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('status')).toContainText(['Your session has ended. Sign in again.']);
  const names = (await page.context().cookies()).map(({ name }) => name);
  expect(names).not.toContain('steward_user');
});

test('a session that ended elsewhere ends here with the next click', async ({ page, node, team, trouble }) => {
  trouble.expect(/status of 401/);
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(page.getByRole('row', { name: /Olivia Owner/ })).toBeVisible();
  await signOutEverywhere(node, team.owner.id);
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('checkbox', { name: 'Member' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Olivia')).toHaveCount(0);
});

test('a foreign team in the browser storage opens nothing', async ({ page, node, team }) => {
  const foreign = await makeTeam(node, 'Foreign');
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(page.getByRole('row', { name: /Olivia Owner/ })).toBeVisible();
  await page.evaluate((id) => localStorage.setItem('steward.team', id), foreign.id);
  await page.reload();
  await expect(page.getByRole('alert')).toContainText("You're no longer an admin or owner of your previous team.");
  await expect(page.getByRole('banner')).toContainText('Northwind');
  await expect(page.getByText(foreign.owner.email)).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('steward.team'))).toBe(team.id);
});
