import type { Page } from '@playwright/test';
import { paste, row } from '@steward/e2e/signup/signup-screen.ts';
import type { Screen } from './screen.ts';

const OWNER = 'olivia@northwind.example';
const PEOPLE = ['kim.lee@northwind.example', 'bob@northwind.example', 'ann@northwind.example'];

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

async function owner(page: Page): Promise<void> {
  await page.goto('/signup');
  await page.getByLabel('Company or team name').fill('Northwind Studio');
  await press(page, 'Continue');
  await page.getByLabel('Owner email').waitFor();
}

async function invite(page: Page, pasted?: string): Promise<void> {
  await owner(page);
  await page.getByLabel('Owner email').fill(OWNER);
  await press(page, 'Continue');
  await row(page, 1).waitFor();
  if (pasted !== undefined) await paste(row(page, 1), pasted);
}

async function review(page: Page): Promise<void> {
  await invite(page, PEOPLE.join(', '));
  await press(page, 'Continue');
  await heading(page, 'Review');
}

async function confirm(page: Page): Promise<void> {
  await review(page);
  await press(page, 'Continue');
  await heading(page, 'Confirm invitees');
}

async function send(page: Page, answer: { status?: number; json: object }): Promise<void> {
  await confirm(page);
  await page.route('**/api/v4/signup', (route) => route.fulfill(answer));
  await press(page, 'Confirm and send link');
}

const LINK = { mode: '2', email: OWNER, team_name: 'Northwind Studio', invited: false, first: '', last: '' };

/** A mailed link whose check answers this; nothing that was made up reaches the server. */
async function follow(page: Page, answer: { status?: number; json: object }): Promise<void> {
  await page.route('**/api/v4/signup_check', (route) => route.fulfill(answer));
  await page.route('**/api/v4/signup_final', (route) => route.fulfill({ json: { status_code: 200 } }));
  await page.goto('/signup_confirm?token=shown-in-a-picture');
}

async function finish(page: Page, again = 'a quiet river'): Promise<void> {
  await follow(page, { json: LINK });
  await page.getByLabel('First name').fill('Olivia');
  await page.getByLabel('Last name').fill('Owner');
  await page.getByLabel('Password', { exact: true }).fill('a quiet river');
  await page.getByLabel('Re-enter password').fill(again);
  await press(page, 'Create team');
}

const signedOut = (name: string, show: Screen['show']): Screen => ({ name, signedOut: true, show });

/** The wizard, the screen of a mailed link, and what the sign-in says afterwards. */
export const SIGNUP_SCREENS: readonly Screen[] = [
  signedOut('signup-team', async (page) => {
    await page.goto('/signup');
    await heading(page, 'Name your team');
  }),
  signedOut('signup-owner', owner),
  signedOut('signup-owner-wrong', async (page) => {
    await owner(page);
    await page.getByLabel('Owner email').fill('olivia@northwind');
    await page.keyboard.press('Enter');
    await page.getByText('not an email address').waitFor();
  }),
  signedOut('signup-invite', (page) => invite(page)),
  signedOut('signup-invite-wrong', async (page) => {
    await invite(page, `${PEOPLE[0]}, bob@northwind, ${OWNER}`);
    await page.getByText('your own address').waitFor();
  }),
  signedOut('signup-invite-full', async (page) => {
    await invite(page, Array.from({ length: 13 }, (_, at) => `person${at + 1}@northwind.example`).join('\n'));
    await page.getByText('left out').waitFor();
  }),
  signedOut('signup-review', review),
  signedOut('signup-confirm', confirm),
  signedOut('signup-confirm-nobody', async (page) => {
    await invite(page);
    await press(page, 'Continue');
    await press(page, 'Continue');
    await page.getByText('Nobody is invited now').waitFor();
  }),
  signedOut('signup-confirm-refused', async (page) => {
    const message = 'Too many tries. Please wait a few minutes and try again.';
    await send(page, { status: 429, json: { status_code: 429, message, id: 'rate.limited', request_id: 'x' } });
    await page.getByRole('alert').waitFor();
  }),
  signedOut('signup-done', async (page) => {
    await send(page, { json: { status_code: 200 } });
    await heading(page, 'Check your email for the magic link');
  }),
  signedOut('signup-link-waiting', async (page) => {
    await page.route('**/api/v4/signup_check', () => new Promise(() => undefined));
    await page.goto('/signup_confirm?token=shown-in-a-picture');
    await page.getByText('Please Wait.').waitFor();
  }),
  signedOut('signup-final', async (page) => {
    await follow(page, { json: LINK });
    await page.getByLabel('First name').waitFor();
  }),
  signedOut('signup-final-unequal', async (page) => {
    await finish(page, 'a quiet rover');
    await page.getByText('Passwords must be matching.').waitFor();
  }),
  signedOut('signup-invited', async (page) => {
    const invited = { email: PEOPLE[0], invited: true, first: 'Kim', last: 'Lee' };
    await follow(page, { json: { ...LINK, ...invited } });
    await heading(page, 'Join Northwind Studio');
  }),
  signedOut('signup-link-refused', async (page) => {
    const message =
      'This link does not work any more. If you finished with it already, please sign in. Otherwise ask for a new one.';
    await follow(page, {
      status: 400,
      json: { status_code: 400, message, id: 'signup.link_invalid', request_id: 'x' },
    });
    await page.getByText('Something went Wrong').waitFor();
  }),
  signedOut('signup-link-unreachable', async (page) => {
    await page.route('**/api/v4/signup_check', (route) => route.abort());
    await page.goto('/signup_confirm?token=shown-in-a-picture');
    await page.getByRole('button', { name: 'Retry' }).waitFor();
  }),
  signedOut('login-signed-up', async (page) => {
    await finish(page);
    await page.getByText('SignUp Completed Successfully').waitFor();
  }),
  signedOut('signup-ended', async (page) => {
    await finish(page);
    await page.getByText('SignUp Completed Successfully').waitFor();
    await page.goBack();
    await heading(page, 'All done');
  }),
  {
    name: 'login-already-verified',
    show: async (page) => {
      await follow(page, { json: { ...LINK, mode: '1' } });
      await page.getByText('You are already logged in.').waitFor();
    },
  },
];
