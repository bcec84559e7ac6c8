import { signIn } from '../browser/fixtures.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { connectByForm, credentialsPath, expect, test, tile } from './helpdesk-screen.ts';

test('axe finds nothing on the tiles, the credential form with every way to sign in, warnings and the dialog', async ({
  page,
  node,
  team,
}) => {
  await signIn(page, { node }, team.owner);
  await page.goto(credentialsPath(team));
  await page.getByRole('radio', { name: 'API token or password' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The API token is required.')).toBeVisible();
  await expectAccessible(page, 'token');
  await page.getByRole('switch').click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The password is required.')).toBeVisible();
  await expectAccessible(page, 'password');
  await page.getByRole('radio', { name: 'OAuth client' }).check();
  await expectAccessible(page, 'client');
  await connectByForm(page, team);
  for (const health of ['warning', 'failing']) {
    const at = Date.UTC(2026, 2, 2, 9, 41);
    const error = { last_error: 'The channel ops is archived.', last_error_at: at, refused_at: null };
    const warnings = ["Zendesk couldn't be reached at the last check."];
    const known = {
      id: 'i',
      code: 'zendesk',
      name: 'Zendesk',
      enabled: true,
      health,
      last_delivery_at: at,
      warnings,
    };
    await page.route('**/api/v4/admin/teams/*/integrations', (route) =>
      route.fulfill({ json: { records: [{ ...known, ...error }] } }),
    );
    await page.reload();
    await expect(tile(page)).toContainText('The channel ops is archived.');
    await expectAccessible(page, health);
  }
  await page.unroute('**/api/v4/admin/teams/*/integrations');
  await page.reload();
  await tile(page).click();
  await page.getByRole('button', { name: 'UPDATE CREDENTIAL' }).click();
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'API Token' })).toBeVisible();
  await expectAccessible(page, 'dialog');
});
