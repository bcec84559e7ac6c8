import { totpFactor } from '@steward/server/testing/factors/factors.ts';
import { team as anotherTeam, join, user as person, signedIn } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test, typePassword } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';

const REFUSED = /status of 401/;

test('a wrong password shows the returned error and the specified line, and keeps the email', async ({
  page,
  team,
  trouble,
}) => {
  trouble.expect(REFUSED);
  await page.goto('/login');
  await typePassword(page, { email: team.owner.email, password: 'not the password' });
  await expect(page.getByRole('alert')).toHaveText('Sign-in failed. Your password is incorrect');
  await picture(page, 'login-error');
  await expect(page.getByLabel('Email')).toHaveValue(team.owner.email);
  await expect(page).toHaveURL('/login');
});

test('the form is shown without the rest of the portal, which loads when something is typed', async ({
  page,
  team,
}) => {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url());
  });
  await page.goto('/users/company_directory?search=kim', { waitUntil: 'networkidle' });
  await expect(page).toHaveURL('/login');
  await expect(page.getByLabel('Email')).toBeFocused();
  const first = scripts.length;
  expect(first).toBeLessThanOrEqual(3);
  await page.getByLabel('Email').pressSequentially(team.owner.email.slice(0, 3));
  await expect.poll(() => scripts.length).toBeGreaterThan(first);
  await typePassword(page, team.owner);
  await expect(page).toHaveURL('/users/company_directory?search=kim');
  await expect(page.getByRole('heading', { name: 'Company Directory' })).toBeVisible();
});

test('the links of the form lead to their screens and back', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Create a team' }).click();
  await expect(page.getByRole('heading', { name: 'Name your team' })).toBeVisible();
  await page.goBack();
  await page.getByRole('link', { name: 'Forgot Password' }).click();
  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByLabel('Email')).toBeFocused();
});

test('an unknown address is refused with the same message', async ({ page, trouble }) => {
  trouble.expect(REFUSED);
  await page.goto('/login');
  await typePassword(page, { email: 'unknown@example.test', password: 'not the password' });
  await expect(page.getByRole('alert')).toHaveText('Sign-in failed. Your password is incorrect');
});

test('a network with too many attempts gets that reason only, and can try again', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/status of 429/);
  const limit = { name: 'session.refused', attempts: 100, seconds: 600 };
  for (let i = 0; i < 100; i += 1) await node.deps.throttle.allows(limit, '127.0.0.1');
  await page.goto('/login');
  await typePassword(page, team.owner);
  await expect(page.getByRole('alert')).toHaveText('Too many attempts. Wait a few minutes and try again.');
  await picture(page, 'login-limited');
  await node.deps.throttle.clear(limit, '127.0.0.1');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/users/users');
});

test('the button shows that the request is running, and can’t be pressed twice', async ({ page, team }) => {
  let calls = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/users/login', async (route) => {
    calls += 1;
    await held;
    await route.continue();
  });
  await page.goto('/login');
  await typePassword(page, team.owner);
  const button = page.getByRole('button', { name: 'Sign in' });
  await expect(button).toBeDisabled();
  await button.click({ force: true });
  release();
  await expect(page).toHaveURL('/users/users');
  expect(calls).toBe(1);
});

test('a correct password leads to Manage Users', async ({ page, team }) => {
  await page.goto('/login');
  await typePassword(page, team.owner);
  await expect(page).toHaveURL('/users/users');
  await expect(page.getByRole('heading', { name: 'Manage Users' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('sign-in returns to the page that was requested first', async ({ page, team }) => {
  await page.goto('/users/users?search=olivia&member=1');
  await expect(page).toHaveURL('/login');
  await typePassword(page, team.owner);
  await expect(page).toHaveURL(/\/users\/users\?.*search=olivia/);
  await expect(page.getByRole('searchbox', { name: 'Search people' })).toHaveValue('olivia');
});

for (const from of [
  '//evil.example/x',
  'https://evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
]) {
  test(`a stored origin of ${JSON.stringify(from)} does not lead out of the portal`, async ({ page, team }) => {
    await page.goto('/login');
    await page.evaluate((stored) => history.replaceState({ ...history.state, from: stored }, ''), from);
    await page.reload();
    await typePassword(page, team.owner);
    await expect(page).toHaveURL('/users/users');
  });
}

test('an admin of several teams chooses one, and sees only those', async ({ page, node, team }) => {
  const [south, elsewhere] = [await anotherTeam(node, 'Southwind'), await anotherTeam(node, 'Elsewhere')];
  await join(node, south, team.owner.id, 'admin');
  await join(node, elsewhere, team.owner.id, 'member');
  await page.goto('/login');
  await typePassword(page, team.owner);
  const dialog = page.getByRole('dialog', { name: 'SWITCH TEAM' });
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole('listitem')).toHaveText([/Northwind/, /Southwind/]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(`/users/users?team=${team.id}`);
});

test('a member of no managed team is refused and leaves nothing in the browser', async ({ page, node, team }) => {
  const member = await person(node, { team: team.id });
  await page.goto('/login');
  await typePassword(page, member);
  await expect(page).toHaveURL('/permission_error');
  await expect(page.getByRole('main')).toContainText(
    "You don't have sufficient permission to access Steward admin portal. Please consult with your team Owner",
  );
  expect(await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))).toEqual({});
});

test('a member who already has a session is refused on every protected address', async ({ page, node, team }) => {
  await signIn(page, { node }, await signedIn(node, { team: team.id }));
  await page.goto('/users/users');
  await expect(page).toHaveURL('/permission_error');
  await expect(page.getByText('Northwind')).toHaveCount(0);
});

test('the sign-in page says when the user is already signed in', async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
  await page.goto('/login');
  await expect(page.getByText('You are already logged in.')).toBeVisible();
  await picture(page, 'login-already');
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0);
});

test('a reload signs in by cookie and shows Loading... until the server responds', async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/users/cookie_login', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/users/users');
  await expect(page.getByText('Loading...')).toBeVisible();
  release();
  await expect(page.getByRole('heading', { name: 'Manage Users' })).toBeVisible();
  await expect(page.getByText('Loading...')).toHaveCount(0);
});

test('a screen requests the session, the teams and its list only once', async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
  const sent: string[] = [];
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname;
    if (/cookie_login$|\/teams(\/members)?$|\/admin\/teams\/[^/]+\/users$/.test(path)) sent.push(path);
  });
  await page.goto('/users/users');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  expect(sent.length).toBe(4);
  expect(new Set(sent).size).toBe(4);
  sent.length = 0;
  await page.goto('/forgot_password');
  await expect(page.getByRole('heading')).toBeVisible();
  expect(sent).toEqual([]);
});

test('the user-id cookie alone doesn’t sign in', async ({ page, node, team, trouble }) => {
  trouble.expect(REFUSED);
  await page.context().addCookies([{ url: node.url, name: 'steward_user', value: team.owner.id }]);
  await page.goto('/users/users');
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('alert')).toHaveText('unexpected json returned');
  expect(await page.context().cookies()).toEqual([]);
});

test('an unreachable server doesn’t end the session', async ({ page, node, team, trouble }) => {
  trouble.expect(/ERR_CONNECTION_REFUSED/);
  await signIn(page, { node }, team.owner);
  await page.route('**/users/cookie_login', (route) => route.abort('connectionrefused'));
  await page.goto('/users/users');
  await expect(page.getByRole('heading', { name: 'An Error Occurred!' })).toBeVisible();
  await page.unroute('**/users/cookie_login');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'Manage Users' })).toBeVisible();
});

test('a deactivated user learns after the second factor why they can’t sign in, and whom to ask', async ({
  page,
  node,
  team,
  trouble,
}) => {
  const who = await person(node, { team: team.id, deactivated: true });
  const { recoveryCodes } = await totpFactor(node, who.id);
  trouble.expect(/status of 40[13]/);
  await page.goto('/login');
  await typePassword(page, { email: who.email, password: 'not the password' });
  await expect(page.getByRole('alert')).toHaveText('Sign-in failed. Your password is incorrect');
  await typePassword(page, who);
  await page.getByLabel('Code').fill(recoveryCodes[0] ?? '');
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByRole('heading', { name: "You can't sign in at the moment" })).toBeFocused();
  await expect(page.getByText(`Ask an owner to reactivate it: ${team.owner.email}.`)).toBeVisible();
  await expect(page.getByText('password is incorrect')).toHaveCount(0);
  await picture(page, 'login-deactivated');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Back to sign in' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Email')).toHaveValue(who.email);
});

test('a user whom single sign-on finds deactivated sees whom to ask, but not from a link', async ({
  page,
  context,
}) => {
  await page.goto('/login?error=sso.deactivated&message=Call%20Mallory');
  const reason = page.getByText(/^Your account is deactivated/);
  await expect(reason).toHaveText('Your account is deactivated in this team. Ask one of its owners to reactivate it.');
  const message = 'Your account is deactivated in the team Acme. Ask an owner to reactivate it: ada@example.test.';
  const url = new URL(page.url()).origin;
  await context.addCookies([{ name: 'steward_refusal', value: encodeURIComponent(message), url }]);
  await page.reload();
  await expect(reason).toHaveText(message);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await picture(page, 'login-sso-deactivated');
});
