import { totpFactor } from '@steward/server/testing/factors/factors.ts';
import { user } from '@steward/server/testing/workspace/factories.ts';
import { expect, test, typePassword } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';

test('the form is shown without the rest of the portal, refuses a wrong password, and returns to the page that was requested first', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/status of 4(?:01|29)/);
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

  await typePassword(page, { email: team.owner.email, password: 'not the password' });
  await expect(page.getByRole('alert')).toHaveText('Sign-in failed. Your password is incorrect');
  await picture(page, 'login-error');
  const limit = { name: 'session.refused', attempts: 100, seconds: 600 };
  for (let i = 0; i < 100; i += 1) await node.deps.throttle.allows(limit, '127.0.0.1');
  await typePassword(page, team.owner);
  await expect(page.getByRole('alert')).toHaveText('Too many attempts. Wait a few minutes and try again.');
  await picture(page, 'login-limited');
  await node.deps.throttle.clear(limit, '127.0.0.1');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/users/company_directory?search=kim');
  await expect(page.getByRole('heading', { name: 'Company Directory' })).toBeVisible();
});

test('a deactivated user learns after the second factor, or from single sign-on, why they can’t sign in, and whom to ask', async ({
  page,
  node,
  team,
  trouble,
}) => {
  const who = await user(node, { team: team.id, deactivated: true });
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

  await page.goto('/login?error=sso.deactivated&message=Call%20Mallory');
  const reason = page.getByText(/^Your account is deactivated/);
  await expect(reason).toHaveText('Your account is deactivated in this team. Ask one of its owners to reactivate it.');
  const message = 'Your account is deactivated in the team Acme. Ask an owner to reactivate it: ada@example.test.';
  const url = new URL(page.url()).origin;
  await page.context().addCookies([{ name: 'steward_refusal', value: encodeURIComponent(message), url }]);
  await page.reload();
  await expect(reason).toHaveText(message);
  await picture(page, 'login-sso-deactivated');
});
