import { buildUser, scim, toPatch } from '@steward/server/testing/peers/scim.ts';
import { signedIn } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible } from '../screens/accessible.ts';

const PATH = '/dashboard/team_settings/provisioning';

test('an owner creates a token that is shown once, sees what the provider does with it, and removes it', async ({
  page,
  context,
  node,
  team,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const member = await signedIn(node, { team: team.id });
  await signIn(page, { node }, team.owner);
  await page.goto(PATH);
  await expect(page.getByRole('heading', { name: 'No tokens yet' })).toBeVisible();
  await expect(page.locator('[aria-current="page"]')).toHaveText(['Provisioning']);
  await picture(page, 'provisioning-empty');
  await page.getByRole('button', { name: 'Add Token' }).click();
  const form = page.getByRole('dialog', { name: 'Add Token' });
  await form.getByRole('button', { name: 'Add Token' }).click();
  await expect(form.getByText('The name is required.')).toBeVisible();
  await form.getByLabel('Name').fill('Okta');
  await form.getByRole('button', { name: 'Add Token' }).click();
  const shown = page.getByRole('dialog', { name: 'Copy the token now' });
  await picture(page, 'provisioning-token');
  await page.keyboard.press('Escape');
  const token = await shown.getByLabel('Token', { exact: true }).inputValue();
  await shown.getByRole('button', { name: 'Copy Token' }).click();
  await expect(shown.getByText('Copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
  await expect(shown.getByLabel('Base URL', { exact: true })).toHaveValue(/\/scim\/v2$/);
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: 'Add Token' })).toBeFocused();
  await expect(page.getByText('Nothing was sent yet')).toBeVisible();

  const send = async (request: string, body: object) => (await scim(node, { token }, request, { body })).status;
  expect(await send('POST /Users', buildUser('grace@example.test', { password: 'hidden-word' }))).toBe(201);
  expect(await send('POST /Users', buildUser('grace@example.test'))).toBe(409);
  const off = toPatch({ op: 'replace', value: { active: false } });
  expect(await send(`PATCH /Users/${member.id}`, off)).toBe(200);
  await page.reload();
  const calls = page.getByRole('table', { name: 'Provisioning calls' });
  await expect(calls.getByRole('row')).toHaveCount(4);
  await expect(calls.getByRole('row').nth(1)).toContainText(
    `Deactivated ${member.email}, and ended 1 session and 0 service tokens.`,
  );
  await expect(page.getByRole('region', { name: 'State of provisioning' })).toContainText('Some calls were refused');
  await picture(page, 'provisioning');
  await expectAccessible(page, 'provisioning');
  await page.getByLabel('Show calls').selectOption('Refused');
  await expect(calls.getByRole('row')).toHaveCount(2);
  await page.getByLabel('Show calls').selectOption('All');
  await calls.getByRole('button', { name: 'Details of Add a user' }).last().click();
  const details = page.getByRole('dialog', { name: 'Add a user' });
  await expect(details).toContainText('Invited grace@example.test');
  await expect(details.getByRole('region', { name: 'Body, without passwords' })).toContainText(
    '"password": "[removed]"',
  );
  await picture(page, 'provisioning-call');
  await expectAccessible(page, 'a call');
  await details.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page).toHaveURL(/\/dashboard\/audit_log\?action=scim$/);
  await expect(page.getByRole('row').filter({ hasText: 'Provisioning deactivated a user' })).toContainText('Okta');

  await page.goBack();
  await page.getByRole('button', { name: 'Remove Okta' }).click();
  await page.getByRole('dialog', { name: 'Remove Token' }).getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('button', { name: 'Remove Okta' })).toHaveCount(0);
  expect(await send('POST /Users', {})).toBe(401);
});
