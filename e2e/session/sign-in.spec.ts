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
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/users/company_directory?search=kim');
  await expect(page.getByRole('heading', { name: 'Company Directory' })).toBeVisible();
});
