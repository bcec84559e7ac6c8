import { extractMailToken } from '@steward/server/testing/peers/inbox.ts';
import { expect, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import {
  button,
  deleteSignUps,
  newAddress,
  openInvite,
  openReview,
  paste,
  readStorage,
  requestTeam,
  row,
  rows,
  rowTexts,
  title,
} from './signup-screen.ts';

const SEND = 'Confirm and send link';

test.beforeEach(deleteSignUps);
test.use({ timezoneId: 'America/Bogota' });

test('a visitor requests a team by keyboard alone, from the sign-in to the email', async ({ page, node }) => {
  const owner_email = newAddress();
  await page.goto('/login');
  await page.getByRole('link', { name: 'Create a team' }).click();
  await expect(page.getByText('Step 1 of 5')).toBeVisible();
  await expect(page.getByLabel('Company or team name')).toBeFocused();
  await page.keyboard.type('Northwind Studio');
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Bogota, America (UTC-05:00)');
  await picture(page, 'signup-team');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Step 2 of 5' })).toBeVisible();
  await expect(page.getByLabel('Owner email')).toBeFocused();
  await page.keyboard.type(owner_email);
  await page.keyboard.press('Enter');
  await expect(row(page, 1)).toBeFocused();
  await page.keyboard.type('kim@example.test');
  await page.keyboard.press('Enter');
  await expect(row(page, 2)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(row(page, 3)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(title(page)).toHaveText('Review');
  await expect(title(page)).toBeFocused();
  await expect(page.getByRole('definition')).toHaveText([
    'Northwind Studio',
    'Bogota, America (UTC-05:00)',
    owner_email,
    'kim@example.test',
  ]);
  await picture(page, 'signup-review');
  for (let stops = 0; stops < 5; stops += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(title(page)).toHaveText('Confirm invitees');
  await expect(title(page)).toBeFocused();
  await expect(page.getByText('Step 5 of 5')).toBeVisible();
  for (let stops = 0; stops < 2; stops += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(title(page)).toHaveText('Check your email for the magic link');
  await expect(title(page)).toBeFocused();
  await expect(page.getByText('We sent a link to')).toContainText(owner_email);
  const mail = await node.inbox.next(owner_email);
  expect(mail.text).toContain(`/signup_confirm?token=${extractMailToken(mail)}`);
});

test('Continue is disabled until the name and the address are valid, and says why', async ({ page }) => {
  await page.goto('/signup');
  await expect(button(page, 'Continue')).toBeDisabled();
  await page.getByLabel('Company or team name').fill('www.evil.example');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The name must not be a web address.')).toBeVisible();
  await page.getByLabel('Company or team name').fill('Northwind');
  await button(page, 'Continue').click();
  for (const wrong of ['', 'olivia', 'olivia@', 'olivia@example', 'ölivia@example.test']) {
    await page.getByLabel('Owner email').fill(wrong);
    await expect(button(page, 'Continue')).toBeDisabled();
  }
  await page.keyboard.press('Enter');
  await expect(page.getByText('This is not an email address.')).toBeVisible();
  await page.getByLabel('Owner email').fill(' Olivia@Example.test ');
  await expect(button(page, 'Continue')).toBeEnabled();
  await expect(page.getByText('This is not an email address.')).toHaveCount(0);
});

test('a pasted list fills the rows, each address once, and the surplus is reported', async ({ page }) => {
  await openInvite(page, { owner_email: newAddress() });
  await paste(
    row(page, 2),
    'Kim Lee <kim@example.test>; "Ray, Bob" <bob@example.test>,\r\nKIM@example.test ann@example.test',
  );
  expect(await rowTexts(page)).toEqual(['kim@example.test', 'bob@example.test', 'ann@example.test']);
  await expect(page.getByText('left out')).toHaveCount(0);
  await button(page, 'Add more').click();
  await expect(row(page, 4)).toBeFocused();
  await paste(row(page, 4), Array.from({ length: 10 }, (_, at) => `p${at}@example.test`).join('\n'));
  await expect(rows(page)).toHaveCount(10);
  await expect(
    page.getByRole('status').filter({ hasText: '3 addresses were left out. You can invite up to 10 people.' }),
  ).toBeVisible();
  await expect(button(page, 'Add more')).toHaveCount(0);
  await button(page, 'Remove p3@example.test').click();
  await expect(row(page, 7)).toBeFocused();
  await expect(row(page, 7)).toHaveValue('p4@example.test');
  await expect(button(page, 'Add more')).toBeVisible();
  await expect(page.getByText('left out')).toHaveCount(0);
});

test('a list typed into one row is split before continuing', async ({ page }) => {
  await openInvite(page, { owner_email: newAddress() });
  await row(page, 1).fill('kim@example.test, bob@example.test');
  await button(page, 'Continue').click();
  await expect(page.getByRole('definition').last()).toHaveText('kim@example.testbob@example.test');
});

test('each invalid row says why, and blocks the next step', async ({ page }) => {
  const owner_email = newAddress();
  await openInvite(page, { owner_email });
  await row(page, 1).fill('kim@example.test');
  await row(page, 2).fill('bob@');
  await expect(page.getByText('not an email address')).toHaveCount(0);
  await row(page, 3).fill('Kim@Example.test ');
  await button(page, 'Add more').click();
  await row(page, 4).fill(owner_email.toUpperCase());
  await button(page, 'Continue').click();
  await expect(row(page, 2)).toBeFocused();
  await expect(row(page, 2)).toHaveAccessibleDescription('This is not an email address.');
  await expect(row(page, 3)).toHaveAccessibleDescription('This address is already listed.');
  await expect(row(page, 4)).toHaveAccessibleDescription("This is your own address. You'll be in the team anyway.");
  await row(page, 2).fill('bob@example.test');
  await button(page, 'Remove Kim@Example.test').click();
  await button(page, `Remove ${owner_email.toUpperCase()}`).click();
  await expect(row(page, 2)).toBeFocused();
  await button(page, 'Continue').click();
  await expect(title(page)).toHaveText('Review');
});

test('every row can be removed, and then no one is invited', async ({ page }) => {
  await openInvite(page, { owner_email: newAddress() });
  for (let left = 3; left > 0; left -= 1) await button(page, 'Remove teammate 1').click();
  await expect(button(page, 'Add more')).toBeFocused();
  await button(page, 'Continue').click();
  await expect(page.getByRole('definition').last()).toHaveText('No one yet');
  await button(page, 'Continue').click();
  await expect(page.getByText('No one will be invited yet. You can invite people later.')).toBeVisible();
});

test('Back and the browser’s Back go one step back', async ({ page }) => {
  await openReview(page, { owner_email: newAddress(), invitees: ['kim@example.test'] });
  await button(page, 'Back').click();
  await expect(row(page, 1)).toHaveValue('kim@example.test');
  await page.goBack();
  await expect(page.getByLabel('Owner email')).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel('Company or team name')).toHaveValue('Northwind');
  await expect(button(page, 'Back')).toHaveCount(0);
  await page.goForward();
  await expect(page.getByText('Step 2 of 5')).toBeVisible();
});

test('the URL of a later step leads to the first open one', async ({ page }) => {
  await page.goto('/signup?step=review');
  await expect(page).toHaveURL('/signup');
  await expect(page.getByText('Step 1 of 5')).toBeVisible();
  await openInvite(page, { owner_email: newAddress() });
  await page.goto('/signup?step=done');
  await expect(page).toHaveURL('/signup?step=confirm');
  await page.goto('/signup?step=nonsense');
  await expect(page).toHaveURL('/signup');
  await page.goto('/signup?step=owner');
  await button(page, 'Back').click();
  await expect(page).toHaveURL('/signup');
});

test('a reload loses nothing, and no other tab knows it', async ({ page, context }) => {
  const owner_email = newAddress();
  await openInvite(page, { owner_email });
  await row(page, 2).fill('kim@exam');
  await page.reload();
  await expect(page.getByText('Step 3 of 5')).toBeVisible();
  await expect(row(page, 2)).toHaveValue('kim@exam');
  const kept = await readStorage(page);
  expect(kept.tab).toContain(owner_email);
  expect(kept.local + kept.history).not.toContain('example.test');
  const other = await context.newPage();
  await other.goto('/signup?step=invite');
  await expect(other.getByLabel('Company or team name')).toHaveValue('');
});

test('an edit leads from the review back to the review', async ({ page }) => {
  const owner_email = newAddress();
  await openReview(page, { owner_email, invitees: ['kim@example.test'] });
  await page.getByRole('link', { name: 'Edit Company or team name' }).click();
  await expect(page.getByLabel('Company or team name')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Southwind');
  await page.keyboard.press('Enter');
  await expect(title(page)).toHaveText('Review');
  await expect(page.getByRole('definition').first()).toHaveText('Southwind');
  await page.getByRole('link', { name: 'Edit Owner email' }).click();
  await page.getByLabel('Owner email').fill('kim@example.test');
  await button(page, 'Continue').click();
  await expect(title(page)).toHaveText('Invite teammates');
  await expect(page.getByText('This is your own address')).toBeVisible();
});

test('an invitee removed at the last step isn’t invited', async ({ page }) => {
  await openReview(page, { owner_email: newAddress(), invitees: ['kim@example.test', 'bob@example.test'] });
  await button(page, 'Continue').click();
  await expect(page.getByRole('list', { name: 'Invitees' }).getByRole('listitem')).toHaveCount(2);
  await button(page, 'Remove kim@example.test').click();
  await expect(page.getByText("We'll invite these people")).toBeFocused();
  const sent = page.waitForRequest('**/api/v4/signup');
  await button(page, SEND).click();
  expect((await sent).postDataJSON()).toMatchObject({ team_name: 'Northwind', invitees: ['bob@example.test'] });
});

test('a failure is shown in place, nothing is lost, and a retry works', async ({ page, node, trouble }) => {
  trouble.expect(/ERR_FAILED/);
  const owner_email = newAddress();
  await openReview(page, { owner_email });
  await button(page, 'Continue').click();
  await page.route('**/api/v4/signup', (route) => route.abort(), { times: 1 });
  await button(page, SEND).click();
  await expect(page.getByRole('alert')).toHaveText('API error');
  await page.reload();
  await button(page, SEND).click();
  await expect(title(page)).toHaveText('Check your email for the magic link');
  await node.inbox.next(owner_email);
});

test('a double click sends once, and the button shows that it is busy', async ({ page, node }) => {
  const owner_email = newAddress();
  await openReview(page, { owner_email });
  await button(page, 'Continue').click();
  const held = Promise.withResolvers<void>();
  let calls = 0;
  await page.route('**/api/v4/signup', async (route) => {
    calls += 1;
    await held.promise;
    await route.continue();
  });
  await button(page, SEND).dblclick();
  await expect(button(page, SEND)).toHaveAttribute('aria-busy', 'true');
  await page.keyboard.press('Enter');
  held.resolve();
  await expect(title(page)).toHaveText('Check your email for the magic link');
  await node.inbox.next(owner_email);
  expect(calls).toBe(1);
  expect(node.inbox.waiting(owner_email)).toEqual([]);
});

test('too many requests show the server’s message', async ({ page, node, trouble }) => {
  trouble.expect(/status of 429/);
  const sixth = newAddress();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await page.request.post('/api/v4/signup', { data: { team_name: 'Often', owner_email: newAddress() } });
  }
  await openReview(page, { owner_email: sixth });
  await button(page, 'Continue').click();
  await button(page, SEND).click();
  await expect(page.getByRole('alert')).toHaveText('Too many attempts. Wait a few minutes and try again.');
  expect(node.inbox.waiting(sixth)).toEqual([]);
});

test('the email can be resent after 30 seconds, also after a reload', async ({ page, node }) => {
  await page.clock.install();
  const owner_email = newAddress();
  await requestTeam(page, node, { owner_email });
  await expect(button(page, 'Send again')).toBeDisabled();
  await page.clock.runFor(10_000);
  await page.reload();
  await expect(title(page)).toHaveText('Check your email for the magic link');
  await expect(page.getByText(/available in \d+ s/)).toBeVisible();
  await page.clock.runFor(31_000);
  await expect(page.getByText(/available in/)).toHaveCount(0);
  await button(page, 'Send again').click();
  await expect(page.getByText('Sent again. The earlier link still works.')).toBeVisible();
  await expect(button(page, 'Send again')).toBeDisabled();
  await expect(button(page, 'Send again')).toBeFocused();
  await node.inbox.next(owner_email);
});

test('the address can be changed at the last step, and gets its own email', async ({ page, node }) => {
  await requestTeam(page, node, { owner_email: newAddress('wrong'), invitees: ['kim@example.test'] });
  const right = newAddress('right');
  await page.getByRole('link', { name: 'Use another address' }).click();
  await page.getByLabel('Owner email').fill(right);
  await button(page, 'Continue').click();
  await expect(title(page)).toHaveText('Confirm invitees');
  await expect(page.getByText('kim@example.test')).toBeVisible();
  await button(page, SEND).click();
  await expect(page.getByText('We sent a link to')).toContainText(right);
  await node.inbox.next(right);
});

test('starting over clears the input', async ({ page, node }) => {
  const owner_email = newAddress();
  await requestTeam(page, node, { owner_email });
  await button(page, 'Start over').click();
  await expect(page.getByLabel('Company or team name')).toHaveValue('');
  expect((await readStorage(page)).tab).not.toContain(owner_email);
  await page.goBack();
  await expect(page.getByText('Step 1 of 5')).toBeVisible();
});
