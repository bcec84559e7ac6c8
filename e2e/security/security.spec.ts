import type { Page } from '@playwright/test';
import { listUsers } from '@steward/contract/users';
import { call } from '@steward/server/testing/app/call.ts';
import { demand } from '@steward/server/testing/sessions/sessions.ts';
import { team as createTeam, join, signedIn } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';

const PATH = '/dashboard/team_settings/security';
const form = (page: Page) => page.getByRole('form', { name: 'Sign-in Security' });

test('an owner requires a second factor of admins, who are refused from then on; another network or single sign-on closes the team', async ({
  page,
  node,
  team,
  trouble,
}) => {
  // The server refuses these calls as expected, because the owner needs a second factor too.
  trouble.expect(/status of (409|403)/);
  const admin = await signedIn(node, { team: team.id, kind: 'admin' });
  const list = () => call(node, listUsers, { as: admin, params: { teamId: team.id } });
  expect((await list()).status).toBe(200);
  await signIn(page, { node }, team.owner);
  await page.goto(PATH);
  await expect(page.locator('[aria-current="page"]')).toHaveText(['Sign-in Security']);
  await expect(form(page).getByRole('radio', { name: 'Not required' })).toBeChecked();
  await picture(page, 'security');
  await form(page).getByRole('textbox', { name: 'Minutes without activity' }).fill('4');
  await form(page).getByRole('textbox', { name: 'Allowed networks' }).fill('203.0.113.0/24\noffice');
  await form(page).getByRole('button', { name: 'Save' }).click();
  await expect(form(page).getByText('Enter a whole number from 5 to 1440, or leave it empty.')).toBeVisible();
  await expect(form(page).getByText('“office” isn’t an address or a network')).toBeVisible();
  await expect(form(page).getByRole('textbox', { name: 'Minutes without activity' })).toBeFocused();
  await form(page).getByRole('textbox', { name: 'Minutes without activity' }).fill('15');
  await form(page).getByRole('textbox', { name: 'Allowed networks' }).fill('203.0.113.0/24');
  await form(page).getByRole('button', { name: 'Save' }).click();
  await expect(form(page).getByText('you would be locked out. Add it first.')).toBeVisible();
  await picture(page, 'security-locked-out');
  await form(page).getByRole('button', { name: 'Add it' }).click();
  await form(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved Successfully')).toBeVisible();
  await expect(form(page).getByText('Unsaved changes')).toBeHidden();
  expect((await list()).status).toBe(200);
  await form(page).getByRole('radio', { name: 'Required for owners and admins' }).check();
  await form(page).getByRole('button', { name: 'Save' }).click();
  await expect(form(page).getByText('Unsaved changes')).toBeHidden();
  expect((await list()).body.id).toBe('mfa.enroll_required');

  const other = await createTeam(node, 'Second office');
  await join(node, other, team.owner.id, 'owner');
  await demand(node, team.id, { networks: ['203.0.113.0/24'] });
  await page.goto(PATH);
  await expect(page).toHaveURL('/team_closed');
  await expect(page.getByRole('heading', { name: "This team can't be opened from here" })).toBeVisible();
  await picture(page, 'team-closed-network');
  await demand(node, team.id, { networks: [], required_connection_id: 'c'.repeat(26) });
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'This team requires single sign-on' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Continue with single sign-on' })).toHaveAttribute(
    'href',
    `/auth/oidc/${'c'.repeat(26)}/start?return=${encodeURIComponent(`${PATH}?team=${team.id}`)}`,
  );
  await picture(page, 'team-closed-sso');
  await page.reload();
  await page.getByRole('button', { name: 'Open Second office instead' }).click();
  await expect(page.getByRole('link', { name: /^Second office/ })).toBeVisible();
  await expect(page).toHaveURL(`/?team=${other}`);
});
