import type { Page } from '@playwright/test';
import { addMembers, invite, person, signedIn } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { seedEntries } from '../directory/directory-screen.ts';
import { choice, openPalette } from '../palette/palette-screen.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { personRow } from './users-screen.ts';

const panel = (page: Page, name = 'Marie Curie') => page.getByRole('dialog', { name });
const nameLink = (page: Page, name = 'Marie Curie') => page.getByRole('link', { name });

const MARIE = { first_name: 'Marie', last_name: 'Curie' };

test('a click opens the panel of a user; Escape and Back close it and return the focus', async ({
  page,
  node,
  team,
}) => {
  const marie = await signedIn(node, { team: team.id, ...MARIE });
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users?member=1');
  // A click anywhere in the row, beside its menu, opens the panel.
  await personRow(page, 'Marie Curie').click({ position: { x: 500, y: 24 } });
  await expect(panel(page)).toContainText(marie.email);
  await expect(page).toHaveURL(`/users/users/${marie.id}?member=1`);
  await expect(page).toHaveTitle('Marie Curie · Manage Users · Steward');
  await page.keyboard.press('Escape');
  await expect(panel(page)).toHaveCount(0);
  await expect(page).toHaveURL('/users/users?member=1');
  await expect(nameLink(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel(page)).toBeVisible();
  await page.goBack();
  await expect(panel(page)).toHaveCount(0);
  await expect(nameLink(page)).toBeFocused();
  await expect(page).toHaveURL('/users/users?member=1');
  await page.goForward();
  await expect(panel(page)).toBeVisible();
  await page.getByRole('button', { name: 'Close panel' }).click();
  await expect(panel(page)).toHaveCount(0);
  await expect(page).toHaveURL('/users/users?member=1');
});

test('a link opens the panel over the list, and an unknown user is explained', async ({
  page,
  node,
  team,
  trouble,
}) => {
  const marie = await person(node, { team: team.id, ...MARIE });
  await signIn(page, { node }, team.owner);
  await page.goto(`/users/users/${marie.id}`);
  await expect(panel(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/users/users');
  await expect(nameLink(page)).toBeFocused();
  trouble.expect(/status of 404/);
  await page.goto(`/users/users/${'a'.repeat(26)}`);
  await expect(page.getByRole('heading', { name: 'User not found' })).toBeVisible();
  await page.getByRole('button', { name: 'Close panel' }).click();
  await expect(personRow(page, 'Marie Curie')).toBeVisible();
});

test('the panel shows sessions, history and the directory entry', async ({ page, node, team }) => {
  const marie = await signedIn(node, { team: team.id, ...MARIE });
  await seedEntries({ node, team }, { name: 'Radium Institute', email: marie.email });
  await signIn(page, { node }, team.owner);
  await page.goto(`/users/users/${marie.id}`);
  const sessions = panel(page).getByRole('region', { name: '1 active session' });
  await expect(sessions).toContainText('Firefox on Linux');
  await expect(panel(page).getByRole('region', { name: 'Sign-ins' })).toContainText('No sign-ins recorded.');
  await expect(panel(page).getByRole('region', { name: 'History' })).toContainText('No changes recorded.');
  await expectAccessible(page, 'panel');
  await picture(page, 'users-panel');
  await sessions.getByRole('button', { name: /^Sign out/ }).click();
  await expect(panel(page)).toContainText('Firefox on Linux, 192.0.2.7: signed out.');
  await page.reload();
  await expect(panel(page).getByRole('region', { name: 'History' })).toContainText('Signed a user out of one device');
  await panel(page).getByRole('link', { name: 'Show directory entry' }).click();
  await expect(page).toHaveURL(/company_directory\?search=/);
  await expect(page.getByText('Radium Institute')).toBeVisible();
});

test('actions of the row are buttons of the panel, and their dialogs leave the panel open', async ({
  page,
  node,
  team,
}) => {
  const marie = await person(node, { team: team.id, ...MARIE });
  await signIn(page, { node }, team.owner);
  await page.goto(`/users/users/${marie.id}`);
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  await expect(page.getByRole('dialog', { name: 'Edit User' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Edit User' })).toHaveCount(0);
  await expect(panel(page)).toBeVisible();
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('radio', { name: 'Team Admin' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(panel(page)).toContainText('Team Admin');
  await expect(panel(page).getByRole('region', { name: 'History' })).toContainText('Edited a user');
});

test('an invitation is resent and canceled in the panel', async ({ page, node, team, trouble }) => {
  trouble.expect(/status of 404/);
  const id = await invite(node, {
    teamId: team.id,
    email: 'pia@example.test',
    first_name: 'Pia',
    last_name: 'Pending',
  });
  await signIn(page, { node }, team.owner);
  await page.goto(`/users/users/${id}`);
  const pia = panel(page, 'Pia Pending');
  await expect(pia.getByRole('region', { name: 'Invitation' })).toBeVisible();
  await expect(pia).not.toContainText('Sign-ins');
  await picture(page, 'users-panel-invited');
  await pia.getByRole('button', { name: 'Resend invitation' }).click();
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(pia.getByRole('region', { name: 'History' })).toContainText('Resent an invitation');
  await pia.getByRole('button', { name: 'Cancel invitation' }).click();
  await page
    .getByRole('dialog', { name: 'Cancel invitation' })
    .getByRole('button', { name: 'Cancel invitation' })
    .click();
  await expect(page.getByRole('heading', { name: 'User not found' })).toBeVisible();
});

test('the address is copied', async ({ page, node, team, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, { node }, team.owner);
  await page.goto(`/users/users/${team.owner.id}`);
  await page.getByRole('button', { name: 'Copy email address' }).click();
  await expect(page.getByText('Email address copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(team.owner.email);
});

test('the palette opens the panel of a person', async ({ page, node, team }) => {
  const marie = await person(node, { team: team.id, ...MARIE });
  await signIn(page, { node }, team.owner);
  await page.goto('/');
  await openPalette(page, 'curie');
  await choice(page, /Marie Curie/).click();
  await expect(page).toHaveURL(`/users/users/${marie.id}`);
  await expect(panel(page)).toBeVisible();
  await openPalette(page, 'olivia');
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeVisible();
});

test('the list behind the panel keeps its place', async ({ page, node, team }) => {
  await addMembers(node, team.id, 150);
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(page.getByText('100 of 151 people')).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, 2_400));
  await nameLink(page, 'Person 0050').click();
  await expect(panel(page, 'Person 0050')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(nameLink(page, 'Person 0050')).toBeFocused();
  await expect(personRow(page, 'Person 0050')).toBeInViewport();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(2_400);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('the panel fills the screen', async ({ page, node, team }) => {
    const marie = await person(node, { team: team.id, ...MARIE });
    await signIn(page, { node }, team.owner);
    await page.goto('/users/users');
    await personRow(page, 'Marie Curie').tap();
    await expect(panel(page)).toContainText(marie.email);
    expect((await panel(page).boundingBox())?.width).toBe(390);
    await page.getByRole('button', { name: 'Close panel' }).tap();
    await expect(panel(page)).toHaveCount(0);
  });
});

test.describe('in Windows High Contrast', () => {
  test.use({ forcedColors: 'active' });

  test('the panel stays accessible', async ({ page, node, team }) => {
    await signIn(page, { node }, team.owner);
    await page.goto(`/users/users/${team.owner.id}`);
    await expect(panel(page, 'Olivia Owner')).toBeVisible();
    await expectAccessible(page, 'panel with forced colors');
  });
});
