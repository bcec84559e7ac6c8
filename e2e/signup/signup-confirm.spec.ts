import type { Page } from '@playwright/test';
import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { addLink } from '@steward/server/src/workspace/access/sessions/links.store.ts';
import type { TestApp } from '@steward/server/testing/app/start-app.ts';
import { invite as inviteToTeam, user as person } from '@steward/server/testing/workspace/factories.ts';
import { expect, type Given, signIn, test, typePassword } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { makeTeam } from '../browser/team-members.ts';
import { button, finish, NEW_PASSWORD, newAddress, readStorage, requestTeam, title } from './signup-screen.ts';

const VERIFIED = 'Email Verified Successfully. You can now login into your Steward Admin account';
const COMPLETED = 'SignUp Completed Successfully. You can now login into your Steward Admin account';
const OVER =
  'Something went Wrong. Error: This link has expired or was already used. If you already finished, sign in; otherwise request a new one.';

/** The invitee hasn't accepted yet. The token is from the email. */
async function invite({ node, team }: Given): Promise<{ email: string; token: string }> {
  const invited = { team: team.id, pending: true, first_name: 'Ivy', last_name: 'Invited' };
  const { id: userId, email } = await person(node, invited);
  const token = await inTransaction(node.db, (trx) => addLink(trx, { kind: 'invite', userId, teamId: team.id }));
  return { email, token };
}

async function countTeams(node: TestApp, name: string): Promise<number> {
  return (await node.db.selectFrom('teams').select('id').where('display_name', '=', name).execute()).length;
}

function countCalls(page: Page, path: string): { count: number } {
  const seen = { count: 0 };
  page.on('request', (request) => {
    if (request.url().endsWith(path)) seen.count += 1;
  });
  return seen;
}

test('a new owner follows the link, enters name and password, and gets into the new team', async ({ page, node }) => {
  const owner_email = newAddress();
  const token = await requestTeam(page, node, { owner_email, team_name: 'Brand New', invitees: ['kim@example.test'] });
  const checks = countCalls(page, '/signup_check');
  const held = Promise.withResolvers<void>();
  await page.route('**/api/v4/signup_check', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`/signup_confirm?token=${token}`);
  await expect(page.getByText('Please Wait. Authenticating...')).toBeVisible();
  held.resolve();
  await expect(page.getByLabel('First name')).toBeFocused();
  await expect(page.getByText('is confirmed')).toContainText(owner_email);
  await expect(page.getByText('is confirmed')).toContainText('Brand New');
  await picture(page, 'signup-details');
  expect(checks.count).toBe(1);
  await finish(page);
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('status')).toHaveText([COMPLETED, '']);
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

test('the token is kept in this tab only, until it is used', async ({ page, node, context }) => {
  const owner_email = newAddress();
  const token = await requestTeam(page, node, { owner_email });
  const referrers: Promise<string | null>[] = [];
  page.on('request', (request) => {
    if (!request.isNavigationRequest()) referrers.push(request.headerValue('referer').catch(() => null));
  });
  await page.goto(`/signup_confirm?token=${token}`);
  await expect(page.getByLabel('First name')).toBeVisible();
  await expect(page).toHaveURL('/signup_confirm');
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
  await other.goto('/signup_confirm');
  await other.waitForLoadState('networkidle');
  expect((await other.locator('#root').innerText()).trim()).toBe('');

  await finish(page);
  await expect(page).toHaveURL('/login');
  const { tab, local } = await readStorage(page);
  for (const secret of [token, owner_email, NEW_PASSWORD]) expect(tab + local).not.toContain(secret);
});

test('a reload checks the link again and doesn’t lock anyone out', async ({ page, node }) => {
  const token = await requestTeam(page, node, { owner_email: newAddress() });
  const checks = countCalls(page, '/signup_check');
  await page.goto(`/signup_confirm?token=${token}`);
  await expect(page.getByLabel('First name')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('First name')).toBeVisible();
  expect(checks.count).toBe(2);
  await finish(page);
  await expect(page).toHaveURL('/login');
});

test('an owner with an account is told what the sign-in creates, signs in, and finds the new team', async ({
  page,
  node,
  team,
}) => {
  const invitees = ['kim@example.test', 'lee@example.test'];
  const token = await requestTeam(page, node, { owner_email: team.owner.email, team_name: 'Second Team', invitees });
  await page.goto(`/signup_confirm?token=${token}`);
  await expect(page).toHaveURL('/login');
  await expect(page.getByText(VERIFIED)).toBeVisible();
  const next = page.getByText(/^To create the team Second Team and invite 2 people, sign in as/);
  await expect(next).toContainText(team.owner.email);
  await picture(page, 'login-verified');
  expect((await readStorage(page)).tab).not.toContain(token);
  expect(await countTeams(node, 'Second Team')).toBe(0);
  await page.reload();
  await expect(next).toBeVisible();
  await typePassword(page, team.owner);
  const dialog = page.getByRole('dialog', { name: 'SWITCH TEAM' });
  await expect(dialog.getByRole('button', { name: /Second Team/ })).toBeVisible();
  await node.inbox.next('lee@example.test');
  await page.goto(`/signup_confirm?token=${token}`);
  await expect(page.getByText(VERIFIED)).toBeVisible();
  await expect(page.getByText('To create the team')).toHaveCount(0);
});

test('an owner who is already signed in signs in again, and finds the new team', async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
  const token = await requestTeam(page, node, { owner_email: team.owner.email, team_name: 'Third Team' });
  await page.goto(`/signup_confirm?token=${token}`);
  await expect(page.getByText('You are already logged in.')).toBeVisible();
  await expect(page.getByText(VERIFIED)).toBeVisible();
  await expect(page.getByText(/^To create the team Third Team, sign in as/)).toBeVisible();
  await picture(page, 'login-verified-signed-in');
  expect(await countTeams(node, 'Third Team')).toBe(0);
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await expect(page.getByText(/^To create the team Third Team, sign in as/)).toBeVisible();
  await typePassword(page, team.owner);
  await expect(
    page.getByRole('dialog', { name: 'SWITCH TEAM' }).getByRole('button', { name: /Third Team/ }),
  ).toBeVisible();
});

test('an invitation in the session of someone else names both, and goes on with the invited address after the switch', async ({
  page,
  node,
  team,
}) => {
  const { email, token } = await invite({ node, team });
  const reader = await makeTeam(node, 'Elsewhere');
  await signIn(page, { node }, reader.owner);
  await page.goto(`/signup_confirm?token=${token}`);
  await expect(title(page)).toBeFocused();
  await expect(title(page)).toHaveText('This link is for another account');
  const main = page.getByRole('main');
  await expect(main).toContainText(`It invites ${email} to the team Northwind.`);
  await expect(main).toContainText(`You are signed in as Olivia Owner (${reader.owner.email}).`);
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0);
  await picture(page, 'invitation-other-account');
  await page.getByRole('button', { name: 'Sign out and continue' }).click();
  await expect(title(page)).toHaveText('Join Northwind');
  await finish(page, { first: 'Ivy', last: 'Invited' });
  await typePassword(page, { email, password: NEW_PASSWORD });
  await expect(page).toHaveURL('/permission_error');
});

test('an invitation of an account in the session of someone else leads through the sign-in to the answer', async ({
  page,
  node,
  team,
}) => {
  const [reader, guest] = [await makeTeam(node, 'Elsewhere'), await makeTeam(node, 'Home')];
  const userId = await inviteToTeam(node, { teamId: team.id, email: guest.owner.email });
  const token = await inTransaction(node.db, (trx) => addLink(trx, { kind: 'invite', userId, teamId: team.id }));
  await signIn(page, { node }, reader.owner);
  await page.goto(`/signup_confirm?token=${token}`);
  await expect(page.getByRole('main')).toContainText(`It invites ${guest.owner.email} to the team Northwind.`);
  await page.getByRole('button', { name: 'Sign out and continue' }).click();
  await expect(page.getByText('Sign in to answer the invitation to Northwind.')).toBeVisible();
  await typePassword(page, guest.owner);
  await expect(page).toHaveURL('/account');
  await expect(page.getByRole('main')).toContainText('Northwind');
});

test('a sign-up link of an account in the session of someone else creates nothing until its owner signs in', async ({
  page,
  node,
  team,
}) => {
  const reader = await makeTeam(node, 'Elsewhere');
  const token = await requestTeam(page, node, { owner_email: team.owner.email, team_name: 'Fourth Team' });
  await signIn(page, { node }, reader.owner);
  await page.goto(`/signup_confirm?token=${token}`);
  await expect(page.getByRole('main')).toContainText(`It is for ${team.owner.email} and the new team Fourth Team.`);
  await page.getByRole('button', { name: 'Sign out and continue' }).click();
  await expect(page.getByText(VERIFIED)).toBeVisible();
  await typePassword(page, team.owner);
  const dialog = page.getByRole('dialog', { name: 'SWITCH TEAM' });
  await expect(dialog.getByRole('button', { name: /Fourth Team/ })).toBeVisible();
});

test('an older invitation link shows the name filled in, and works', async ({ page, node, team }) => {
  const { email, token } = await invite({ node, team });
  await page.goto(`/reset_password?token=${token}&invitation=1`);
  await expect(page).toHaveURL('/signup_confirm');
  await expect(title(page)).toHaveText('Join Northwind');
  await expect(page.getByText("You're invited to the team")).toContainText(email);
  await expect(page.getByLabel('First name')).toHaveValue('Ivy');
  await expect(page.getByLabel('Last name')).toHaveValue('Invited');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await finish(page, { first: 'Ivy', last: 'Invited' });
  await expect(page.getByText(COMPLETED)).toBeVisible();
  await typePassword(page, { email, password: NEW_PASSWORD });
  await expect(page).toHaveURL('/permission_error');
});

test('all four fields are required, and unequal passwords are never sent', async ({ page, node, team }) => {
  const { token } = await invite({ node, team });
  const calls = countCalls(page, '/signup_final');
  await page.goto(`/signup_confirm?token=${token}`);
  await page.getByLabel('First name').fill(' ');
  await page.getByLabel('Last name').fill('');
  await button(page, 'Join team').click();
  await expect(page.getByLabel('First name')).toBeFocused();
  await expect(page.getByLabel('First name')).toHaveAccessibleDescription('First name is required.');
  await expect(page.getByLabel('Last name')).toHaveAccessibleDescription('Last name is required.');
  await expect(page.getByText('Password is required.')).toBeVisible();
  await expect(page.getByText('Please enter the password again.')).toBeVisible();
  await finish(page, { again: `${NEW_PASSWORD} ` });
  await expect(page.getByLabel('Re-enter password')).toBeFocused();
  expect(await page.getByText('Passwords must be matching.').evaluate((line) => line.textContent)).toBe(
    'Passwords must be matching. ',
  );
  expect(calls.count).toBe(0);
});

test('a password that the server refuses has its error beside the field, and the next one is accepted', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/status of 400/);
  const { token } = await invite({ node, team });
  await page.goto(`/signup_confirm?token=${token}`);
  for (const field of ['Password', 'Re-enter password']) {
    await page.getByLabel(field, { exact: true }).fill('password123');
  }
  await button(page, 'Join team').click();
  await expect(page.getByText('This password is too common. Choose another one.')).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await finish(page);
  await expect(page.getByText(COMPLETED)).toBeVisible();
});

test('a form that is submitted twice finishes once', async ({ page, node, team }) => {
  const { token } = await invite({ node, team });
  const calls = countCalls(page, '/signup_final');
  await page.goto(`/signup_confirm?token=${token}`);
  for (const field of ['Password', 'Re-enter password']) {
    await page.getByLabel(field, { exact: true }).fill(NEW_PASSWORD);
  }
  // Both are sent before the button shows that it is busy.
  await page.locator('form').evaluate((form: HTMLFormElement) => {
    form.requestSubmit();
    form.requestSubmit();
  });
  await expect(page.getByText(COMPLETED)).toBeVisible();
  expect(calls.count).toBe(1);
});

test('a link that has been used says so, and where to sign in', async ({ page, node, team, another, trouble }) => {
  trouble.expect(/status of 400/);
  const { token } = await invite({ node, team });
  await page.goto(`/signup_confirm?token=${token}`);
  await expect(page.getByLabel('First name')).toBeVisible();
  const elsewhere = await another();
  await elsewhere.goto(`/signup_confirm?token=${token}`);
  await finish(elsewhere);
  await expect(elsewhere.getByText(COMPLETED)).toBeVisible();
  await finish(page);
  await expect(page.getByRole('alert')).toContainText('This link has expired or was already used.');
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
  await page.goto(`/signup_confirm?token=${token}`);
  await expect(page.getByRole('alert')).toHaveText(OVER);
});

test('a link that was refused is forgotten, and without one nothing is shown', async ({ page, trouble }) => {
  trouble.expect(/status of 400/);
  const token = 'a'.repeat(43);
  await page.goto(`/signup_confirm?token=${token}`);
  await expect(page.getByRole('alert')).toHaveText(OVER);
  await expect(button(page, 'Retry')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
  expect((await readStorage(page)).tab).not.toContain(token);
  await page.reload();
  await page.waitForLoadState('networkidle');
  expect((await page.locator('#root').innerText()).trim()).toBe('');
});

test('without a connection the link is kept, and a retry works', async ({ page, node, team, trouble }) => {
  trouble.expect(/ERR_FAILED/);
  const { token } = await invite({ node, team });
  await page.route('**/api/v4/signup_check', (route) => route.abort());
  await page.goto(`/signup_confirm?token=${token}`);
  await expect(page.getByRole('alert')).toHaveText('Something went Wrong. Error: API error');
  await page.unrouteAll();
  await button(page, 'Retry').click();
  await expect(page.getByLabel('First name')).toBeVisible();
});

test('an unknown mode isn’t a dead end', async ({ page }) => {
  await page.route('**/api/v4/signup_check', (route) => route.fulfill({ json: { mode: '3' } }));
  await page.goto('/signup_confirm?token=whatever');
  await expect(
    page.getByText('Something went wrong. Please try again later or contact site administrator.'),
  ).toBeVisible();
});

test('signing out clears unused links and an unfinished team', async ({ page, node, team }) => {
  const { token } = await invite({ node, team });
  const link = { kind: 'reset', userId: team.owner.id, teamId: null } as const;
  const reset = await inTransaction(node.db, (trx) => addLink(trx, link));
  await signIn(page, { node }, team.owner);
  await page.goto(`/signup_confirm?token=${token}`);
  await expect(title(page)).toHaveText('This link is for another account');
  await page.goto(`/reset_password?token=${reset}`);
  await expect(page.getByLabel('New password', { exact: true })).toBeVisible();
  await page.goto('/signup');
  await page.getByLabel('Company or team name').fill('Never Asked For');
  for (const kept of [token, reset, 'Never Asked For'])
    await expect.poll(async () => (await readStorage(page)).tab).toContain(kept);
  await page.goto('/logout');
  await expect(page).toHaveURL('/login');
  const after = await readStorage(page);
  expect(after.tab + after.local).toBe('{}{}');
});

test('an address without a token shows nothing, and neither does one with an empty token', async ({ page }) => {
  for (const path of ['/signup_confirm', '/signup_confirm?token=']) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    await expect(page).toHaveURL('/signup_confirm');
    expect((await page.locator('#root').innerText()).trim()).toBe('');
  }
});
