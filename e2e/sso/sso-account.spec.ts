import { startReferenceProvider } from '@steward/server/testing/sso/oidc-provider.ts';
import { connection, provedDomain } from '@steward/server/testing/sso/sso.ts';
import { join, signedIn } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { makeTeam } from '../browser/team-members.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { signInAtProvider } from './sso-screen.ts';

test('an admin, whom an address alone doesn’t link, links single sign-on under My account, and can’t change an account that is in other teams', async ({
  page,
  node,
  team,
  trouble,
}) => {
  // The provider's pages use a font from here.
  trouble.expect(/fonts\.googleapis\.com|status of 500/);
  await using provider = await startReferenceProvider();
  await provedDomain(node, team.id, 'company.example');
  const id = await connection(node, team.id, provider, { name: 'Company ID' });
  const address = `${node.url}/auth/oidc/${id}`;
  provider.addClient({ redirectUri: `${address}/callback`, logoutUri: `${address}/logout` });
  const ada = await signedIn(node, { team: team.id, kind: 'admin', first_name: 'Ada', last_name: 'Lovelace' });
  await signIn(page, { node }, ada);
  const calls = '**/api/v4/users/me/sso';
  const failure = { status_code: 500, message: 'Something failed.', id: 'internal' };
  await page.route(calls, (route) => route.fulfill({ status: 500, json: failure }));
  await page.goto(`${node.url}/account`);
  const section = page.getByRole('region', { name: 'Single sign-on' });
  await expect(section.getByRole('alert')).toContainText("Couldn't load this: Something failed.");
  await section.scrollIntoViewIfNeeded();
  await picture(page, 'account-sso-links-failed');
  await page.unroute(calls);
  await section.getByRole('button', { name: 'Retry' }).click();
  await expect(section.getByRole('button', { name: 'Link Company ID of Northwind' })).toBeVisible();
  await section.scrollIntoViewIfNeeded();
  await picture(page, 'account-sso-link');
  await expectAccessible(page, 'single sign-on that can be linked');
  await section.getByRole('button', { name: 'Link Company ID of Northwind' }).click();
  await signInAtProvider(page, 'ada.lovelace@company.example');
  await expect(page.getByRole('heading', { name: 'Signed in with Company ID' })).toBeVisible();
  await expect(page).toHaveURL(`${node.url}/account`);

  await join(node, (await makeTeam(node, 'Another')).id, ada.id);
  await page.reload();
  const own = page.getByRole('region', { name: 'Signed in with Company ID' });
  await expect(own).toContainText('nothing about it can be changed from here');
  await expect(page.getByRole('region', { name: /Profile|Sessions|Teams|Password/ })).toHaveCount(0);
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await picture(page, 'account-sso-teams');
  await expectAccessible(page, 'an account in other teams');
  await own.getByRole('link', { name: 'sign out' }).click();
  await expect(page.getByText('still signed in at Company ID')).toBeVisible();
});
