import { newId } from '@steward/server/src/platform/database/ids.ts';
import { connection, provableDomain, provedDomain } from '@steward/server/testing/sso/sso.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { expectAccessibleAtThisSize as expectAccessible, SIZES } from '../screens/accessible.ts';
import { PATH } from './sso-screen.ts';

const PROVIDER = { issuer: 'https://id.steward.example', clientId: 'steward', secret: 'a secret' };
const GROUPS = { group_claim: 'groups', group_roles: { admins: 'team_admin', staff: 'team_user' } } as const;

for (const [size, viewport] of Object.entries(SIZES)) {
  test(`single sign-on and its domains are accessible on a ${size} screen`, async ({ page, node, team, trouble }) => {
    // The check calls a provider that doesn't exist, and the input is refused.
    trouble.expect(/status of 400/);
    await page.setViewportSize(viewport);
    await signIn(page, { node }, team.owner);
    await page.goto(PATH);
    await expect(page.getByLabel('Issuer')).toBeVisible();
    await expectAccessible(page, 'no single sign-on yet');
    await provedDomain(node, team.id);
    await provableDomain(node, team.id);
    await connection(node, team.id, PROVIDER, GROUPS);
    await page.reload();
    await expect(page.getByText('Not verified')).toBeVisible();
    await page.getByLabel('Add a domain').fill('gmail.com');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByText('This domain is shared by many organizations.')).toBeVisible();
    await page.getByRole('button', { name: 'Check configuration' }).click();
    await expect(page.getByLabel('Results of the check')).toContainText("The server can't reach");
    await expectAccessible(page, 'single sign-on that is on');
    await page.getByLabel('Client secret').fill(newId());
    await expect(page.getByRole('note')).toContainText('Saving this switches single sign-on off');
    await expectAccessible(page, 'another client secret');
    await page.getByRole('button', { name: 'Remove single sign-on' }).click();
    await expect(page.getByRole('dialog', { name: 'Remove single sign-on' })).toBeVisible();
    await expectAccessible(page, 'removing single sign-on');
  });
}
