import { offerSetUp } from '@steward/server/src/features/signup/set-up.actions.ts';
import type { TestApp } from '@steward/server/testing/app/start-app.ts';
import { expect, test as shared, startPortal, typePassword } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { findLayoutProblems } from '../screens/layout-problems.ts';
import { button, finish, NEW_PASSWORD, newAddress, readStorage, title } from './signup-screen.ts';

const COMPLETED = 'SignUp Completed Successfully. You can now login into your Steward Admin account';

/** The server has no team, and sign-up is closed. Each test has its own. */
const test = shared.extend<{ empty: TestApp; link: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what is needed from here
  empty: async ({}, use) => {
    await using node = await startPortal({ SIGNUP: 'off' });
    await use(node);
  },
  // The page needs this, so it is closed before its server, and none of its requests fails at the end.
  baseURL: async ({ empty }, use) => use(empty.url),
  link: async ({ empty }, use) => use(`${empty.url}${await offerSetUp(empty.deps)}`),
});

test('the operator creates the first team with the printed link, by keyboard alone, which ends the link', async ({
  page,
  link,
  trouble,
}) => {
  trouble.expect(/status of 400/);
  const email = newAddress();
  await page.goto(link);
  await expect(title(page)).toHaveText('Set up Steward');
  await expect(page.getByLabel('Company or team name')).toBeFocused();
  const token = link.slice(link.indexOf('=') + 1);
  await expect(page).toHaveURL('/setup');
  expect(await readStorage(page)).toMatchObject({ tab: expect.stringContaining(token) });
  const { local, history } = await readStorage(page);
  expect(local + history).not.toContain(token);
  await picture(page, 'setup');
  for (const [at, text] of ['Northwind', email, 'Nora', 'New', NEW_PASSWORD, NEW_PASSWORD].entries()) {
    await page.keyboard.type(text);
    // The time zone, and the button that shows the password, are between.
    if (at === 0 || at === 4) await page.keyboard.press('Tab');
    if (at < 5) await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('status').first()).toHaveText(COMPLETED);
  expect((await readStorage(page)).tab).not.toContain(token);
  await typePassword(page, { email, password: NEW_PASSWORD });
  await expect(page.getByRole('banner')).toContainText('Northwind');
  await page.goto('/logout');
  await page.goto(link);
  for (const [label, text] of Object.entries({ 'Company or team name': 'Second', 'Your email': newAddress() }))
    await page.getByLabel(label).fill(text);
  await finish(page);
  await expect(page.getByRole('alert')).toContainText(
    'This set-up link was used, has expired or is not the newest one.',
  );
  await picture(page, 'setup-refused');
  await page.reload();
  await expect(page.getByText('This page needs the set-up link')).toBeVisible();
  await expect(title(page)).toBeFocused();
  await picture(page, 'setup-without-link');
});

test('set-up and a closed or limited sign-up have no layout problems, and axe finds nothing', async ({
  page,
  empty,
  link,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const looksRight = async (screen: string) => {
    expect(await findLayoutProblems(page)).toEqual([]);
    await expectAccessible(page, screen);
  };
  await page.goto(link);
  await button(page, 'Create team').click();
  await expect(page.getByText('Name is required.', { exact: true })).toBeVisible();
  await looksRight('set-up, wrong');
  await page.goto('/signup');
  await expect(title(page)).toHaveText('Sign-up is closed');
  await looksRight('sign-up, closed');
  await picture(page, 'signup-closed');
  empty.deps.env.signUp = { mode: 'domains', domains: ['a.example'] };
  await page.goto('/signup');
  await page.getByLabel('Company or team name').fill('Northwind');
  await button(page, 'Continue').click();
  await expect(page.getByText('Only addresses of certain domains can sign up on this server.')).toBeVisible();
  await looksRight('sign-up, limited');
  await picture(page, 'signup-domains');
});
