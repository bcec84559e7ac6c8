import { newId } from '@steward/server/src/platform/database/ids.ts';
import { startReferenceProvider } from '@steward/server/testing/sso/oidc-provider.ts';
import { connection } from '@steward/server/testing/sso/sso.ts';
import { signedIn } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { makeTeam } from '../browser/team-members.ts';
import { addDevice, addPasskey } from '../factors/passkey-device.ts';
import { expectAccessible } from '../screens/accessible.ts';
import {
  checkConfiguration,
  enterEmail,
  enterProvider,
  PATH,
  proveDomain,
  signInAtProvider,
  test,
} from './sso-screen.ts';

test('an owner sets up single sign-on, tests it and switches it on; a new user then signs in with it', async ({
  page,
  server: node,
  another,
  trouble,
}) => {
  await using provider = await startReferenceProvider();
  // Expected errors are a shared domain, a missing record, a font of the provider, and a session that ended.
  trouble.expect(/\/domains(?:\/\w+\/verify)?\)$|fonts\.googleapis\.com|status of 401/);
  const team = await makeTeam(node);
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
  });
  await expect(page.getByRole('textbox', { name: 'Record value' })).toBeHidden();

  await enterProvider(page, provider, 'Company ID');
  await checkConfiguration(page);
  await picture(page, 'sso-checked');

  await page.getByRole('link', { name: 'Test sign-in' }).click();
  await signInAtProvider(page, `owner@${domain}`);
  await expect(page).toHaveURL(node.url + PATH);
  await expect(page.getByText('Tested successfully')).toBeVisible();
  await page.getByRole('switch', { name: 'Add new users at their first sign-in' }).click();
  await page.getByRole('switch', { name: 'Users can sign in by single sign-on' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved Successfully')).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Require single sign-on' })).toBeDisabled();
  await picture(page, 'sso-on');

  const visitor = await another();
  await visitor.goto(`${node.url}/login`);
  await picture(visitor, 'login-email');
  await enterEmail(visitor, `ada@${domain}`);
  await signInAtProvider(visitor, `ada@${domain}`);
  // A member can't manage a team.
  await expect(visitor).toHaveURL(`${node.url}/permission_error`);
  await visitor.goto(`${node.url}/account`);
  await expect(visitor.getByLabel('First name')).toHaveValue('Ada');
  await expect(visitor.getByRole('region', { name: 'Signed in with Company ID' })).toContainText('Password');
  await expect(visitor.getByLabel('Current password')).toBeHidden();
  await picture(visitor, 'account-sso');
  await expectAccessible(visitor, 'the account in a session of single sign-on');
  await page.goto(`${node.url}/users/users?search=ada`);
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

test('the email field offers passkeys where a team uses single sign-on', async ({ page, server: node }) => {
  const team = await makeTeam(node);
  await connection(node, team.id, { issuer: 'https://127.0.0.1', clientId: 'a', secret: 'b' });
  await signIn(page, { node }, team.owner);
  const device = await addDevice(page);
  await page.goto(`${node.url}/account`);
  await addPasskey(page, 'My laptop');
  await page.goto(`${node.url}/logout`);
  await expect(page).toHaveURL(`${node.url}/login`);
  const email = page.getByLabel('Email');
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
  await expect(email).toHaveAttribute('autocomplete', 'username webauthn');
  await email.click();
  await expect(page).toHaveURL(`${node.url}/users/users`);
  await device.setUnlocks(false);
});

test('the sign-in page asks for the email first only where a team uses single sign-on, and says why it failed', async ({
  page,
  server: node,
}) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(`${node.url}/login`);
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  expect(requests.filter((url) => url.includes('/api/'))).toEqual([]);
  const team = await makeTeam(node);
  await node.db
    .insertInto('sso_connections')
    .values({ team_id: team.id, id: newId(), name: 'x', issuer: 'x', client_id: 'x', enabled: true })
    .execute();
  await page.goto(`${node.url}/login?error=sso.unreachable`);
  await expect(page.getByRole('alert')).toContainText("Your identity provider can't be reached.");
  await expect(page.getByLabel('Password', { exact: true })).toBeHidden();
  await picture(page, 'login-sso-failed');
  await page.getByLabel('Email').fill(team.owner.email);
  await page.getByRole('button', { name: 'Sign in with your password instead' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(team.owner.email);
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.goto(`${node.url}/login?error=sso.refused<script>`);
  await expect(page.getByRole('alert')).toHaveText("Single sign-on didn't work. Try again.");
  await page.getByLabel('Email').fill(team.owner.email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Password', { exact: true }).fill(team.owner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Manage Users' })).toBeVisible();
});

test('an owner whose sign-in is too old for a test sees only that message', async ({ page, node, team }) => {
  const provider = { issuer: 'https://id.steward.example', clientId: 'steward', secret: 'a secret' };
  const id = await connection(node, team.id, provider, { name: 'Company ID', enabled: false });
  await node.db
    .updateTable('sessions')
    .set({ auth_at: new Date(0) })
    .where('person_id', '=', team.owner.id)
    .execute();
  await signIn(page, { node }, team.owner);
  await page.goto(`/auth/oidc/${id}/start?return=${encodeURIComponent(PATH)}`);
  await expect(page.getByRole('heading', { name: 'Single sign-on' })).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('You signed in too long ago for a test.');
  await expect(page.getByText('You are already logged in.')).toHaveCount(0);
  await picture(page, 'sso-test-too-old');
  await expectAccessible(page, 'a test sign-in that was refused');
  await expect(page.getByRole('link', { name: 'Sign out' })).toBeVisible();
});

test('an admin who isn’t an owner sees who can set it up', async ({ page, node, team }) => {
  await signIn(page, { node }, await signedIn(node, { team: team.id, kind: 'admin' }));
  await page.goto(PATH);
  await expect(page.getByRole('heading', { name: 'Only owners can set up single sign-on' })).toBeVisible();
});
