import type { Page } from '@playwright/test';
import { saveNoteRetention } from '@steward/contract/retention';
import { call } from '@steward/server/testing/app/call.ts';
import { invite, person, signedIn } from '@steward/server/testing/workspace/factories.ts';
import { expect, type Given, signIn, test } from '../browser/fixtures.ts';
import { choice, palette, paletteField } from '../palette/palette-screen.ts';
import { personRow } from './users-screen.ts';

// Each chore of an admin starts on Home and has a maximum number of clicks. Typing and pasting don't count as clicks.

declare global {
  interface Window {
    clicks: number;
  }
}

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test.beforeEach(async ({ page, node, team }) => {
  await page.addInitScript(() => {
    window.clicks = 0;
    // A click that a key causes has no detail, and doesn't count.
    document.addEventListener(
      'click',
      ({ isTrusted, detail }) => {
        if (isTrusted && detail > 0) window.clicks += 1;
      },
      true,
    );
  });
  await signIn(page, { node }, team.owner);
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Go to' })).toBeVisible();
});

async function expectClicks(page: Page, most: number): Promise<void> {
  const clicks = await page.evaluate(() => window.clicks);
  expect(clicks, 'nothing is counted twice or by a reload').toBeGreaterThan(0);
  expect(clicks).toBeLessThanOrEqual(most);
}

/** Finds a user by name and chooses what to do. */
async function find(page: Page, name: string, action: string): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Search/ })
    .click();
  await paletteField(page).fill(name);
  await choice(page, action).click();
  await expect(palette(page)).toBeHidden();
}

async function confirm(page: Page, button: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
}

const addAda = ({ node, team }: Given, more: object = {}) =>
  person(node, { team: team.id, first_name: 'Ada', last_name: 'Lovelace', ...more });

const ON_A_USER = [
  {
    chore: 'sign someone out of all devices',
    action: 'Revoke all sessions',
    done: 'All sessions of User revoked successfully',
  },
  { chore: 'make someone an admin', action: 'Make admin', done: 'Ada Lovelace is now an admin' },
  { chore: 'make someone an owner', action: 'Make owner', done: 'Ada Lovelace is now an owner' },
  { chore: 'deactivate someone', action: 'Deactivate', done: 'Ada Lovelace was deactivated' },
  {
    chore: 'remove someone who left',
    action: 'Remove from team',
    button: 'Remove',
    done: 'Ada Lovelace was removed from the team',
  },
  {
    chore: 'send a password reset',
    action: 'Send password reset',
    button: 'Send email',
    done: 'Password Reset Email sent successfully',
  },
];

for (const { chore, action, button = action, done } of ON_A_USER)
  test(`three clicks: ${chore}`, async ({ page, node, team }) => {
    await addAda({ node, team });
    await find(page, 'ada love', action);
    await confirm(page, button);
    await expect(page.getByText(done)).toBeVisible();
    await expectClicks(page, 3);
  });

test('three clicks: send an invitation again', async ({ page, node, team }) => {
  const email = `pia.${team.id}@example.test`;
  await invite(node, { teamId: team.id, email });
  await find(page, email, 'Resend invitation');
  await confirm(page, 'Send again');
  await expect(page.getByText('Invitation sent again')).toBeVisible();
  await expectClicks(page, 3);
});

test('two clicks and a paste: invite twenty people', async ({ page, team }) => {
  const list = Array.from({ length: 20 }, (_, nth) => `new.${nth}.${team.id}@example.test`);
  await page.evaluate((text) => navigator.clipboard.writeText(text), list.join(', '));
  await page.getByRole('main').getByRole('link', { name: 'Add User' }).click();
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Email' })).toBeFocused();
  await page.keyboard.press('ControlOrMeta+v');
  await confirm(page, 'Invite 20 people');
  await expect(page.getByText('20 invited')).toBeVisible();
  await expectClicks(page, 2);
});

test('two clicks: see who changed a retention rule', async ({ page, node, team }) => {
  const body = { archived_notes: { value: 1, duration: { count: 1, period: 'y' } } };
  const anna = await signedIn(node, { team: team.id, kind: 'admin', first_name: 'Anna', last_name: 'Admin' });
  await call(node, saveNoteRetention, { as: anna, params: { teamId: team.id }, body });
  await page.getByRole('region', { name: 'Go to' }).getByRole('link', { name: 'Retention' }).click();
  await page.getByRole('main').getByRole('link', { name: 'History', exact: true }).click();
  await expect(page.getByRole('table', { name: 'Audit log' }).locator('[data-row]').first()).toContainText(
    'Anna Admin',
  );
  await expectClicks(page, 2);
});

test('two clicks: see when someone signed in', async ({ page, node, team }) => {
  const ada = await addAda({ node, team });
  await find(page, 'ada love', 'Sign-ins');
  await expect(page).toHaveURL(`/users/sign_ins?user=${ada.id}`);
  await expectClicks(page, 2);
});

test('two clicks: see the details of a user', async ({ page, node, team }) => {
  await addAda({ node, team });
  await find(page, 'ada love', 'Ada Lovelace');
  await expect(page.getByRole('dialog', { name: 'Ada Lovelace' })).toContainText('Last active');
  await expectClicks(page, 2);
});

test('six clicks: deactivate everyone who was inactive for 90 days', async ({ page, node, team }) => {
  await addAda({ node, team });
  await page.getByRole('region', { name: 'Go to' }).getByRole('link', { name: 'Manage Users' }).click();
  await page.getByRole('button', { name: /^Filters/ }).click();
  await page.getByLabel('Inactive for').selectOption('90 days');
  await expect(personRow(page, 'Ada Lovelace')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all loaded users' }).click();
  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Deactivate' }).click();
  await confirm(page, 'Deactivate');
  await expect(page.getByText(/1 user was deactivated/)).toBeVisible();
  await expectClicks(page, 6);
});
