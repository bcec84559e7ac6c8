import type { Page } from '@playwright/test';
import { authenticated } from '@steward/server/testing/sessions/sessions.ts';
import { type ReferenceProvider, startReferenceProvider } from '@steward/server/testing/sso/oidc-provider.ts';
import { connection, provedDomain } from '@steward/server/testing/sso/sso.ts';
import { TIME_SCALE } from '@steward/server/testing/system/time-scale.ts';
import { expect, type Given, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { getSetting, limit, saveButton, saveQuestion } from '../retention/retention-screen.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { enterEmail, signInAtProvider } from './sso-screen.ts';

/** Expected errors are a font of the provider's pages, and refusals during the test. */
const EXPECTED = /fonts\.googleapis\.com|status of 403/;

/** Returns the email address of the new admin. */
async function enter(page: Page, { node, team }: Given, provider: ReferenceProvider): Promise<string> {
  const domain = await provedDomain(node, team.id);
  const id = await connection(node, team.id, provider, { name: 'Company ID', default_role: 'team_admin' });
  const address = `${node.url}/auth/oidc/${id}`;
  provider.addClient({ redirectUri: `${address}/callback`, logoutUri: `${address}/logout` });
  const email = `ada@${domain}`;
  await page.goto(`${node.url}/login`);
  await enterEmail(page, email);
  await signInAtProvider(page, email);
  await expect(page.getByRole('heading', { name: 'Manage Users' })).toBeVisible();
  return email;
}

test('a change by a session of single sign-on is confirmed at the provider, and saved with the input', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(EXPECTED);
  await using provider = await startReferenceProvider();
  const email = await enter(page, { node, team }, provider);
  const ada = await node.db.selectFrom('people').select('id').where('email', '=', email).executeTakeFirstOrThrow();
  await page.goto(`${node.url}/dashboard/team_settings/notes_retention`);
  const notes = getSetting(page, 'Archived notes');
  await limit(notes, '90');
  await authenticated(node, ada, 11);
  await saveButton(page).click();
  await saveQuestion(page).getByRole('button', { name: 'Save the rule' }).click();
  const dialog = page.getByRole('dialog', { name: "Confirm that it's you" });
  const leave = async () => {
    const opened = page.waitForEvent('popup');
    await dialog.getByRole('link', { name: 'Continue with Company ID' }).click();
    return opened;
  };

  await expect(dialog.getByRole('link', { name: 'Continue with Company ID' })).toBeVisible();
  await picture(page, 'step-up-sso');
  await expectAccessible(page, 'confirming at the identity provider');
  await test.step('another user of the provider confirms nothing', async () => {
    const tab = await leave();
    await signInAtProvider(tab, `grace@${email.split('@')[1]}`);
    await expect(tab.getByRole('heading', { name: "You weren't confirmed" })).toBeVisible();
    await expect(tab.getByRole('alert')).toContainText('as a different user');
    await picture(tab, 'step-up-sso-failed');
    await expectAccessible(tab, 'a confirmation that failed');
    await tab.close();
    await expect(dialog.getByRole('status')).toHaveText('Waiting for the other tab…');
    await picture(page, 'step-up-sso-waiting');
    await expectAccessible(page, 'waiting for the identity provider');
  });
  await test.step('canceled, the form still has what was typed', async () => {
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(notes.getByLabel('Count')).toHaveValue('90');
    await expect(saveQuestion(page)).toBeHidden();
    await saveButton(page).click();
    await saveQuestion(page).getByRole('button', { name: 'Save the rule' }).click();
  });
  await test.step('the same user confirms it, and the change is made', async () => {
    const tab = await leave();
    const closed = tab.waitForEvent('close', { timeout: 10_000 * TIME_SCALE });
    // The provider no longer has a session of this user, because the other user has signed in since.
    await signInAtProvider(tab, email);
    await closed;
    await expect(page.getByText('Saved Successfully')).toBeVisible();
    await expect(notes.getByLabel('Count')).toHaveValue('90');
    await expect(saveButton(page)).toBeDisabled();
  });
  await test.step('after signing out, the page says that the provider still knows them', async () => {
    await page.goto(`${node.url}/logout`);
    await expect(page.getByText('still signed in at Company ID')).toBeVisible();
    await picture(page, 'login-sso-signed-out');
    await page.reload();
    await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
  });
});
