import { startReferenceProvider } from '@steward/server/testing/sso/oidc-provider.ts';
import { connection, provedDomain } from '@steward/server/testing/sso/sso.ts';
import { signedIn } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { makeTeam } from '../browser/team-members.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { signInAtProvider } from './sso-screen.ts';

test('a sign-in that another site opened asks before it replaces the session', async ({
  page,
  node,
  team: own,
  trouble,
}) => {
  // The provider's pages use a font from here, and the first page there doesn't exist.
  trouble.expect(/fonts\.googleapis\.com|status of 404/);
  await using provider = await startReferenceProvider();
  const team = await makeTeam(node, 'Mallory and Sons');
  const domain = await provedDomain(node, team.id);
  const id = await connection(node, team.id, provider, { name: 'Company ID' });
  const address = `${node.url}/auth/oidc/${id}`;
  provider.addClient({ redirectUri: `${address}/callback`, logoutUri: `${address}/logout` });
  const vera = await signedIn(node, { team: own.id, kind: 'admin', first_name: 'Vera', last_name: 'Visitor' });
  await signIn(page, { node }, vera);

  const openFromElsewhere = async () => {
    await page.goto(`${provider.issuer}/elsewhere`);
    await page.evaluate((url) => location.assign(url), `${address}/start?return=/account`);
  };
  await openFromElsewhere();
  await signInAtProvider(page, `ada@${domain}`);
  await expect(page).toHaveURL(/\/continue_as\?id=[\w-]{22}$/);
  const question = page.url();
  await expect(page.getByRole('heading', { name: 'Continue as Ada Lovelace?' })).toBeFocused();
  await expect(page.getByText('Mallory and Sons')).toBeVisible();
  await expect(page.getByText(`You are signed in as Vera Visitor (${vera.email})`)).toBeVisible();
  await picture(page, 'continue-as');
  await expectAccessible(page, 'the question before a sign-in');
  await page.getByRole('link', { name: 'Stay signed in as Vera Visitor' }).click();
  await expect(page.getByRole('button', { name: /Vera Visitor.*account/ })).toBeVisible();

  await page.goto(question);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(`${node.url}/account`);
  await expect(page.getByRole('region', { name: 'Signed in with Company ID' })).toBeVisible();

  // The same account again, in the same team: no question, and the provider still knows the user.
  await openFromElsewhere();
  await expect(page.getByRole('region', { name: 'Signed in with Company ID' })).toBeVisible();
  await expect(page).toHaveURL(`${node.url}/account`);
});
