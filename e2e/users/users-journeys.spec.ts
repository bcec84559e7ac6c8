import type { Page } from '@playwright/test';
import { removeUser } from '@steward/contract/users/lifecycle';
import { newId } from '@steward/server/src/platform/database/ids.ts';
import { call } from '@steward/server/testing/app/call.ts';
import { extractMailToken } from '@steward/server/testing/peers/inbox.ts';
import { readArchive } from '@steward/server/testing/privacy/read-archive.ts';
import { channel, message } from '@steward/server/testing/workspace/content.ts';
import { addMembers, signedIn, user } from '@steward/server/testing/workspace/factories.ts';
import { download, expect, signIn, test, typePassword } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { fillDetails } from '../signup/signup-screen.ts';
import { lines, openLog } from './sign-ins/sign-ins-screen.ts';
import { chooseAction, people, personRow } from './users-screen.ts';

const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile Safari/604.1';
const LAPTOP = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Firefox/140.0';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const inDialog = (page: Page, name: string | RegExp) => page.getByRole('dialog').getByRole('button', { name });

test('an added person is invited by email and becomes a Team User, and twenty are invited with one paste', async ({
  page,
  node,
  team,
  another,
}) => {
  const email = `new.${newId()}@example.test`;
  await page.goto('/users/users');
  await page.getByRole('button', { name: 'Add User' }).click();
  await dialog(page, 'Add User').getByLabel('Email').fill(email.toUpperCase());
  await dialog(page, 'Add User').getByLabel('First name').fill('Nora');
  await dialog(page, 'Add User').getByLabel('Last name').fill('New');
  await picture(page, 'users-add');
  await inDialog(page, 'Add User').click();
  await expect(page.getByRole('status').getByText('Added Successfully')).toBeVisible();
  await expect(personRow(page, 'Nora New')).toContainText('Pending Invitee');

  const guest = await another();
  const password = 'lantern over the harbour';
  await guest.goto(`/signup_confirm?token=${extractMailToken(await node.inbox.next(email))}`);
  await expect(guest.getByLabel('First name')).toHaveValue('Nora');
  await fillDetails(guest, { last: 'Newman', password });
  await guest.getByRole('button', { name: 'Join team' }).click();
  await expect(guest).toHaveURL('/login');
  await typePassword(guest, { email, password });
  await expect(guest).toHaveURL('/permission_error');

  await page.reload();
  await expect(personRow(page, 'Nora Newman')).toContainText('Team User');

  const list = Array.from({ length: 20 }, (_, nth) => `New ${nth} <new.${nth}.${team.id}@example.test>`);
  await page.getByRole('button', { name: 'Add User' }).click();
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await page.evaluate((text) => navigator.clipboard.writeText(text), list.join('; '));
  await page.keyboard.press('ControlOrMeta+v');
  await expect(dialog(page, 'Add Users').getByRole('status')).toHaveText('20 addresses found.');
  await picture(page, 'users-add-many');
  await inDialog(page, 'Invite 20 people').click();
  await expect(page.getByText('20 invited')).toBeVisible();
  await expect(page.getByText('22 people')).toBeVisible();
  await expect(personRow(page, 'New 0')).toContainText('Pending Invitee');
});

test('sessions end one by one, all together and with a deactivation, which can be undone', async ({
  page,
  node,
  team,
  another,
  trouble,
}) => {
  trouble.expect(/status of 401/);
  const ada = await user(node, { team: team.id, kind: 'admin', first_name: 'Ada', last_name: 'Admin' });
  const [laptop, phone] = [await another({ userAgent: LAPTOP }), await another({ userAgent: PHONE })];
  const enter = async (browser: Page) => {
    await browser.goto('/login');
    await typePassword(browser, ada);
    await expect(personRow(browser, 'Olivia Owner')).toBeVisible();
  };
  for (const browser of [laptop, phone]) await enter(browser);
  await page.goto('/users/users');
  await chooseAction(page, 'Ada Admin', 'Revoke all sessions');
  await expect(dialog(page, 'Revoke all sessions').getByRole('listitem')).toHaveCount(2);
  await picture(page, 'users-sessions');
  await inDialog(page, /^Sign out Firefox on Windows/).click();
  await expect(dialog(page, 'Revoke all sessions').getByRole('heading', { name: '1 active session' })).toBeVisible();
  await laptop.reload();
  await expect(laptop).toHaveURL(/\/login/);
  expect((await phone.request.get('/api/v4/users/me')).status()).toBe(200);

  await inDialog(page, 'Revoke all sessions').click();
  await expect(page.getByRole('list', { name: 'Revoked sessions' }).getByRole('listitem')).toHaveCount(2);
  await picture(page, 'users-sessions-ended');
  await page.keyboard.press('Enter');
  // Without a reload, the next click of the signed-out user ends at the sign-in form.
  await phone.getByRole('button', { name: 'Filters' }).click();
  await phone.getByRole('checkbox', { name: 'Member' }).click();
  await expect(phone).toHaveURL('/login');
  await expect(phone.getByText('Your session has ended. Sign in again.')).toBeVisible();

  await enter(laptop);
  await chooseAction(page, 'Ada Admin', 'Deactivate');
  await expect(dialog(page, 'Deactivate user')).toContainText('1 session will end.');
  await picture(page, 'deactivate');
  await inDialog(page, 'Deactivate').click();
  await expect(personRow(page, 'Ada Admin')).toHaveCount(0);
  await laptop.getByRole('link', { name: 'Company Directory' }).click();
  await expect(laptop).toHaveURL(/\/login/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(personRow(page, 'Ada Admin')).toContainText('Team Admin');
  await openLog(page, `?user=${ada.id}`);
  await expect(lines(page)).toHaveCount(3);
  await picture(page, 'users-sign-ins');
});

test('chosen users, and then all others that match, are changed together', async ({ page, node, team }) => {
  for (const first_name of ['Ada', 'Ben', 'Cleo']) await user(node, { team: team.id, first_name, last_name: 'Member' });
  await user(node, { team: team.id, kind: 'zendesk', first_name: 'Zoe', last_name: 'Desk' });
  await addMembers(node, team.id, 120);
  await page.goto('/users/users');
  const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
  const bar = page.getByRole('region', { name: 'Selected users' });
  const choose = async (action: string) => {
    await bar.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  await box('Ada Member').check();
  await box('Cleo Member').click({ modifiers: ['Shift'] });
  await expect(bar).toContainText('3 users selected');
  await picture(page, 'users-bulk-bar');
  await choose('Deactivate');
  await expect(dialog(page, 'Deactivate')).toContainText('Deactivate 3 users?');
  await picture(page, 'users-bulk-dialog');
  await inDialog(page, 'Deactivate').click();
  await expect(page.getByText('3 users were deactivated.')).toBeVisible();
  await expect(personRow(page, 'Ada Member')).toBeHidden();
  await page.goto('/users/users?member=1');
  await page.getByRole('checkbox', { name: 'Select all loaded users' }).check();
  await bar.getByRole('button', { name: 'Select all 120 that match' }).click();
  await box('Person 0001').uncheck();
  await choose('Make admin');
  await inDialog(page, 'Make admin').click();
  await expect(page.getByText('119 users are now admins.')).toBeVisible();
  await expect(people(page)).toHaveText([/Person 0001/]);
});

test('an owner exports and erases a user who left, and everyone exports their own data', async ({
  page,
  node,
  team,
}) => {
  test.slow();
  const max = await user(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  const place = await channel(node, team.id, { type: 'D', members: [max.id] });
  await message(node, team.id, { channel: place, userId: max.id, text: 'Written by Max' });
  await page.goto('/users/users');
  await chooseAction(page, 'Max Member', 'Export data');
  await dialog(page, 'Export data').getByLabel('Reason').fill('Request of the user');
  await inDialog(page, 'Start export').click();
  await page.getByRole('status').getByRole('button', { name: 'Privacy Requests' }).click();
  const link = page.getByRole('table', { name: 'Exports' }).getByRole('link', { name: /^Download the export of Max/ });
  const files = await readArchive((await download(page, link)).bytes);
  expect(String(files.get('messages.json'))).toContain('Written by Max');

  await call(node, removeUser, { as: team.owner, params: { teamId: team.id, userId: max.id } });
  await page.reload();
  await page.getByRole('button', { name: 'Erase Max Member' }).click();
  await dialog(page, 'Erase user').getByLabel('Email address').fill(max.email);
  await picture(page, 'privacy-erase');
  await inDialog(page, 'Erase for good').click();
  await expect(page.getByText(/The user was erased and is now called Deleted user [0-9A-F]{4}/)).toBeVisible();
  await expect(page.getByRole('table', { name: 'Erased users' }).getByRole('row').last()).toContainText('Complete');
  await page.getByRole('link', { name: 'History' }).click();
  // The previous screen has a cell with the same name.
  const log = page.getByRole('table', { name: 'Audit log' });
  await expect(log.getByRole('cell', { name: /^Deleted user [0-9A-F]{4}/ }).first()).toBeVisible();
  await expect(page.getByText('Max Member')).toHaveCount(0);

  const mia = await signedIn(node, { team: team.id, first_name: 'Mia', last_name: 'Member' });
  await signIn(page, { node }, mia);
  await page.goto('/account');
  const section = page.getByRole('region', { name: 'Your data' });
  await section.getByRole('button', { name: 'Export your data' }).click();
  const own = await readArchive((await download(page, section.getByRole('link', { name: /^Download/ }))).bytes);
  expect(String(own.get('profile.json'))).toContain(mia.email);
  await picture(page, 'privacy-own');
});
