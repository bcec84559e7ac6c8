import { authenticated } from '@steward/server/testing/sessions/sessions.ts';
import { startReferenceProvider } from '@steward/server/testing/sso/oidc-provider.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { checkConfiguration, enterEmail, enterProvider, PATH, proveDomain, signInAtProvider } from './sso-screen.ts';

test('an owner sets up single sign-on, tests it and switches it on; a new user then signs in with it, and is unlinked', async ({
  page,
  node,
  team,
  another,
  trouble,
}) => {
  await using provider = await startReferenceProvider();
  // Expected errors are a shared domain, a missing record, a font of the provider, and a session that ended.
  trouble.expect(/\/domains(?:\/\w+\/verify)?\)$|fonts\.googleapis\.com|status of 401/);
  await signIn(page, { node }, team.owner);
  await page.goto(node.url + PATH);
  await expect(page.locator('[aria-current="page"]')).toHaveText(['Single Sign-On']);
  await picture(page, 'sso-empty');

  await page.getByLabel('Add a domain').fill('gmail.com');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText('This domain is shared by many organizations.')).toBeVisible();
  const domain = await proveDomain(page, async (row) => {
    await row.getByRole('button', { name: 'Verify' }).click();
    await expect(row.getByRole('alert')).toContainText("The DNS record wasn't found yet");
    await picture(page, 'sso-domain');
    await expectAccessible(page, 'a domain that is not verified');
  });
  await expect(page.getByRole('textbox', { name: 'Record value' })).toBeHidden();

  await enterProvider(page, provider, 'Company ID');
  await checkConfiguration(page);
  await picture(page, 'sso-checked');

  await page.getByRole('link', { name: 'Test sign-in' }).click();
  await signInAtProvider(page, `owner@${domain}`);
  await expect(page).toHaveURL(node.url + PATH);
  await expect(page.getByText('Tested successfully')).toBeVisible();
  await authenticated(node, team.owner, 11);
  await page.getByRole('link', { name: 'Test sign-in' }).click();
  await expect(page.getByRole('heading', { name: 'Single sign-on' })).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('You signed in too long ago for a test.');
  await expect(page.getByText('You are already logged in.')).toHaveCount(0);
  await picture(page, 'sso-test-too-old');
  await expectAccessible(page, 'a test sign-in that was refused');
  const now = new Date();
  await node.db.updateTable('sessions').set({ auth_at: now }).where('person_id', '=', team.owner.id).execute();
  await page.goto(node.url + PATH);
  await page.getByRole('switch', { name: 'Add new users at their first sign-in' }).click();
  await page.getByRole('switch', { name: 'Users can sign in by single sign-on' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved Successfully')).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Require single sign-on' })).toBeDisabled();
  await picture(page, 'sso-on');
  await expectAccessible(page, 'single sign-on that is on');
  await page.getByLabel('Client secret').fill('another secret');
  await expect(page.getByRole('note')).toContainText('Saving this switches single sign-on off');
  await expectAccessible(page, 'another client secret');
  await page.getByRole('button', { name: 'Remove single sign-on' }).click();
  await expect(page.getByRole('dialog', { name: 'Remove single sign-on' })).toBeVisible();
  await expectAccessible(page, 'removing single sign-on');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Reset', exact: true }).click();

  const visitor = await another();
  await visitor.goto(`${node.url}/login?error=sso.unreachable`);
  await expect(visitor.getByRole('alert')).toContainText("Your identity provider can't be reached.");
  await expect(visitor.getByLabel('Password', { exact: true })).toBeHidden();
  await picture(visitor, 'login-sso-failed');
  await visitor.goto(`${node.url}/login`);
  await picture(visitor, 'login-email');
  await enterEmail(visitor, `ada@${domain}`);
  await signInAtProvider(visitor, `ada@${domain}`);
  // A member can't manage a team.
  await expect(visitor).toHaveURL(`${node.url}/permission_error`);
  await visitor.getByRole('link', { name: 'My account' }).click();
  await expect(visitor.getByLabel('First name')).toHaveValue('Ada');
  await expect(visitor.getByRole('region', { name: 'Signed in with Company ID' })).toContainText('Password');
  await expect(visitor.getByLabel('Current password')).toBeHidden();
  await picture(visitor, 'account-sso');
  await expectAccessible(visitor, 'the account in a session of single sign-on');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Manage Users' }).click();
  await page.getByText('Ada Lovelace').first().click();
  const panel = page.getByRole('dialog', { name: 'Ada Lovelace' });
  await expect(panel).toContainText('Company ID');
  await picture(page, 'user-sso');
  await panel.getByRole('button', { name: 'Remove link' }).click();
  const question = page.getByRole('dialog', { name: 'Remove link to single sign-on' });
  await picture(page, 'user-sso-unlink');
  await expectAccessible(page, 'removing a link to single sign-on');
  await question.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('The link of Ada Lovelace was removed')).toBeVisible();
  await expect(panel.getByText('Company ID')).toBeHidden();
  await visitor.reload();
  await expect(visitor).toHaveURL(`${node.url}/login`);
});
