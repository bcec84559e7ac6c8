import { offerSetUp } from '@steward/server/src/features/signup/set-up.actions.ts';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import { team as createTeam } from '@steward/server/testing/workspace/factories.ts';
import { expect, LOCAL, PORTAL, test as shared, typePassword } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible, SIZES } from '../screens/accessible.ts';
import { findLayoutProblems } from '../screens/layout-problems.ts';
import { button, NEW_PASSWORD, newAddress, readStorage, title } from './signup-screen.ts';

const COMPLETED = 'SignUp Completed Successfully. You can now login into your Steward Admin account';

/** The server has no team, and sign-up is closed. Each test has its own. */
const test = shared.extend<{ empty: TestApp; link: string }>({
  // The page is closed before its server, so that none of its requests fails at the end.
  page: async ({ empty: _, page }, use) => use(page),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what is needed from here
  empty: async ({}, use) => {
    const env = { ...LOCAL, SIGNUP: 'off' };
    const node = await startApp({ listen: true, pool: 4, portalDirectory: PORTAL, env });
    await use(node);
    await node[Symbol.asyncDispose]();
  },
  link: async ({ empty }, use) => use(`${empty.url}${await offerSetUp(empty.deps)}`),
});

test('the operator creates the first team with the printed link, by keyboard alone, and signs in', async ({
  page,
  empty,
  link,
}) => {
  const email = newAddress();
  await page.goto(link);
  await expect(title(page)).toHaveText('Set up Steward');
  await expect(page.getByLabel('Company or team name')).toBeFocused();
  const token = link.slice(link.indexOf('=') + 1);
  await expect(page).toHaveURL(`${empty.url}/setup`);
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
  await expect(page).toHaveURL(`${empty.url}/login`);
  await expect(page.getByRole('status').first()).toHaveText(COMPLETED);
  expect((await readStorage(page)).tab).not.toContain(token);
  await typePassword(page, { email, password: NEW_PASSWORD });
  await expect(page.getByRole('banner')).toContainText('Northwind');
});

test('wrong input is named at its field, and nothing is sent', async ({ page, link }) => {
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.method()} ${request.url()}`));
  await page.goto(link);
  await button(page, 'Create team').click();
  for (const text of ['Name is required.', 'Email is required.', 'First name is required.', 'Password is required.'])
    await expect(page.getByText(text, { exact: true })).toBeVisible();
  await expect(page.getByLabel('Company or team name')).toBeFocused();
  await page.getByLabel('Your email').fill('kim');
  await button(page, 'Create team').click();
  await expect(page.getByText('This is not an email address.')).toBeVisible();
  expect(sent.filter((line) => line.startsWith('POST'))).toEqual([]);
});

test('a link that has ended is refused, and no longer kept', async ({ page, empty, link, trouble }) => {
  trouble.expect(/status of 400/);
  await page.goto(link);
  await createTeam(empty);
  await page.getByLabel('Company or team name').fill('Northwind');
  await page.getByLabel('Your email').fill(newAddress());
  await page.getByLabel('First name').fill('Nora');
  await page.getByLabel('Last name').fill('New');
  await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel('Re-enter password').fill(NEW_PASSWORD);
  await button(page, 'Create team').click();
  await expect(page.getByRole('alert')).toContainText(
    'This set-up link was used, has expired or is not the newest one.',
  );
  await picture(page, 'setup-refused');
  await page.reload();
  await expect(page.getByText('This page needs the set-up link')).toBeVisible();
  await expect(title(page)).toBeFocused();
  await picture(page, 'setup-without-link');
});

test('the wizard says that sign-up is closed, and shows no field', async ({ page, empty }) => {
  await page.goto(`${empty.url}/signup?step=review`);
  await expect(title(page)).toHaveText('Sign-up is closed');
  await expect(title(page)).toBeFocused();
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await expect(page).toHaveTitle('Sign-up is closed · Steward');
  await picture(page, 'signup-closed');
  await page.goto(`${empty.url}/login`);
  await expect(page.getByRole('link', { name: 'Forgot Password' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Create a team' })).toHaveCount(0);
});

test('the wizard says that only certain domains may sign up, and shows the refusal', async ({
  page,
  empty,
  trouble,
}) => {
  trouble.expect(/status of 403/);
  empty.deps.env.signUp = { mode: 'domains', domains: ['a.example'] };
  await page.goto(`${empty.url}/signup`);
  await page.getByLabel('Company or team name').fill('Northwind');
  await button(page, 'Continue').click();
  await expect(page.getByText('Only addresses of certain domains can sign up on this server.')).toBeVisible();
  await picture(page, 'signup-domains');
  await page.getByLabel('Owner email').fill('kim@b.example');
  for (let step = 2; step < 5; step += 1) await button(page, 'Continue').click();
  await button(page, 'Confirm and send link').click();
  await expect(page.getByRole('alert')).toContainText('Only addresses of certain domains can sign up a team');
});

for (const [size, viewport] of Object.entries({ ...SIZES, narrow: { width: 360, height: 740 } })) {
  test.describe(size, () => {
    test.use({ viewport });

    test('in both themes, axe and the layout check find nothing', async ({ page, empty, link }) => {
      await page.goto(link);
      await button(page, 'Create team').click();
      await expect(page.getByText('Name is required.', { exact: true })).toBeVisible();
      expect(await findLayoutProblems(page)).toEqual([]);
      await expectAccessible(page, 'set-up, wrong');
      await page.goto(`${empty.url}/signup`);
      await expect(title(page)).toHaveText('Sign-up is closed');
      expect(await findLayoutProblems(page)).toEqual([]);
      await expectAccessible(page, 'sign-up, closed');
    });
  });
}
