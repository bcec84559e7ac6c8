import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { saveTeamSecurity } from '@steward/server/src/workspace/access/team-security.store.ts';
import { ageAuthentication, toCode, totpFactor } from '@steward/server/testing/factors/factors.ts';
import { signedIn } from '@steward/server/testing/workspace/factories.ts';
import { setRule } from '@steward/server/testing/workspace/retention.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { seedAgedRecords } from '../retention/retention-screen.ts';
import { expectAccessible } from '../screens/accessible.ts';

const REFUSED = /status of (?:400|401|403)/;

test('Run now asks for a confirmation after a while, and continues with the requested run', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(REFUSED);
  await signIn(page, { node }, team.owner);
  await setRule(node, team.id, 'files', { value: 1, duration: { count: 90, period: 'd' } });
  await seedAgedRecords({ node, team }, 'files', [1, 100]);
  await page.goto('/dashboard/team_settings/retention');
  await ageAuthentication(node, team.owner.id);
  await page.getByRole('button', { name: 'Run now' }).click();
  const question = page.getByRole('dialog', { name: 'Run now' });
  const run = () => question.getByRole('button', { name: 'Delete now' }).click();
  await run();
  const stepUp = page.getByRole('dialog', { name: "Confirm that it's you" });
  await expect(stepUp.getByLabel('Password', { exact: true })).toBeFocused();
  await picture(page, 'step-up');
  await expectAccessible(page, 'confirming who it is');
  await stepUp.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText("Confirm that it's you, and try again.").first()).toBeVisible();

  if (!(await question.isVisible())) await page.getByRole('button', { name: 'Run now' }).click();
  await run();
  await stepUp.getByLabel('Password', { exact: true }).fill('wrong');
  await page.keyboard.press('Enter');
  await expect(stepUp.getByText('The current password is wrong.')).toBeVisible();
  await stepUp.getByLabel('Password', { exact: true }).fill(team.owner.password);
  await page.keyboard.press('Enter');
  await expect(stepUp).toBeHidden();
  await expect(page.getByText('The run has started.')).toBeVisible();
});

test('a session of single sign-on is confirmed at the identity provider, in a tab that notifies this one', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(REFUSED);
  const sso = { method: 'sso' as const, team_id: team.id, connection_id: 'c'.repeat(26) };
  await node.db.updateTable('sessions').set(sso).where('person_id', '=', team.owner.id).execute();
  const connection = { team_id: team.id, id: sso.connection_id, name: 'Company ID', issuer: 'x', client_id: 'x' };
  await node.db.insertInto('sso_connections').values(connection).execute();
  await setRule(node, team.id, 'files', { value: 1, duration: { count: 90, period: 'd' } });
  await seedAgedRecords({ node, team }, 'files', [1, 100]);
  await signIn(page, { node }, team.owner);
  await page.goto('/dashboard/team_settings/retention');
  await ageAuthentication(node, team.owner.id);
  await page.getByRole('button', { name: 'Run now' }).click();
  await page.getByRole('dialog', { name: 'Run now' }).getByRole('button', { name: 'Delete now' }).click();
  const stepUp = page.getByRole('dialog', { name: "Confirm that it's you" });
  const link = stepUp.getByRole('link', { name: 'Continue with Company ID' });
  await expect(link).toHaveAttribute(
    'href',
    `/auth/oidc/${'c'.repeat(26)}/start?reauth=1&return=%2Fidentity_confirmed`,
  );
  await expect(link).toHaveAttribute('target', '_blank');
  await picture(page, 'step-up-sso');
  await expectAccessible(page, 'confirming at the identity provider');

  const now = new Date();
  await node.db.updateTable('sessions').set({ auth_at: now }).where('person_id', '=', team.owner.id).execute();
  const provider = await page.context().newPage();
  await provider.goto('/identity_confirmed');
  await expect(provider.getByRole('heading', { name: "You're confirmed" })).toBeVisible();
  await expect(page.getByText('The run has started.')).toBeVisible();
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'Signed in with Company ID' })).toBeVisible();
});

test('a team that requires a second factor says so, leads to the account and back', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(REFUSED);
  await inTransaction(node.db, (trx) => saveTeamSecurity(trx, team.id, { require_mfa: 'admins' }));
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(page).toHaveURL('/second_factor');
  await expect(page.getByRole('heading', { name: 'This team requires a second factor' })).toBeVisible();
  await picture(page, 'second-factor-required');
  await expectAccessible(page, 'a required second factor');
  await page.getByRole('link', { name: 'Set up a second factor' }).click();
  await page.getByRole('button', { name: 'Set up: Authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '');
  await dialog.getByLabel(/Enter the code/).fill(toCode(secret));
  await dialog.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('button', { name: "I've saved them" }).click();
  await page.getByRole('link', { name: 'Go back to your team' }).click();
  await expect(page).toHaveURL('/users/users');
  await expect(page.getByRole('heading', { name: 'Manage Users' })).toBeVisible();
});

test('a session from before the factor opens that team once it is confirmed', async ({ page, node, team, trouble }) => {
  trouble.expect(REFUSED);
  const { recoveryCodes } = await totpFactor(node, team.owner.id);
  await node.db.updateTable('sessions').set({ mfa_at: null }).where('person_id', '=', team.owner.id).execute();
  await inTransaction(node.db, (trx) => saveTeamSecurity(trx, team.id, { require_mfa: 'everyone' }));
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await page.getByRole('button', { name: 'Confirm' }).click();
  const stepUp = page.getByRole('dialog', { name: "Confirm that it's you" });
  await stepUp.getByLabel('Password', { exact: true }).fill(team.owner.password);
  await stepUp.getByLabel('Code').fill(recoveryCodes[0] ?? '');
  await stepUp.getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL('/users/users');
});

test('an owner removes the second factors of a member who lost them', async ({ page, node, team }) => {
  const member = await signedIn(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  await totpFactor(node, member.id);
  await signIn(page, { node }, team.owner);
  await page.goto(`/users/users/${member.id}`);
  const panel = page.getByRole('dialog', { name: 'Max Member' });
  await expect(panel.getByText('Second factor', { exact: true })).toBeVisible();
  await picture(page, 'user-second-factor');
  await panel.getByRole('button', { name: 'Remove second factors' }).click();
  const question = page.getByRole('dialog', { name: 'Remove second factors' });
  await picture(page, 'user-remove-second-factors');
  await question.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('Second factors of Max Member were removed')).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Remove second factors' })).toBeHidden();
});
