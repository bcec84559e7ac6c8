import { ingest } from '@steward/server/testing/workspace/content.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible } from '../screens/accessible.ts';

const PATH = '/dashboard/service_tokens';

test('a token is shown once, can be copied, lets a service in, and stops when it is removed', async ({
  page,
  context,
  node,
  team,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, { node }, team.owner);
  await page.goto(PATH);
  await expect(page.getByRole('heading', { name: 'No service tokens yet' })).toBeVisible();
  await page.getByRole('button', { name: 'Add Token' }).click();
  const form = page.getByRole('dialog', { name: 'Add Token' });
  await form.getByLabel('Name').fill('Chat service');
  for (const kind of ['Messages', 'Files', 'Calls', 'Call recordings', 'Voicemails', 'Communications'])
    await form.getByRole('checkbox', { name: kind, exact: true }).uncheck();
  await expect(form.getByRole('checkbox', { name: 'Speaks for users' })).not.toBeChecked();
  await form.getByLabel('Expires').selectOption('In 90 days');
  await picture(page, 'tokens-add');
  await form.getByRole('button', { name: 'Add Token' }).click();
  const shown = page.getByRole('dialog', { name: 'Copy the token now' });
  await expect(shown).toContainText('This is the token for Chat service. Copy it now');
  await picture(page, 'tokens-new');
  await expectAccessible(page, 'a new token');
  const token = await shown.getByLabel('Token').inputValue();
  await page.keyboard.press('Escape');
  await expect(shown).toBeVisible();
  await shown.getByRole('button', { name: 'Copy' }).click();
  await expect(shown.getByText('Copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(shown).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add Token' })).toBeFocused();
  const row = page.getByRole('row').filter({ hasText: 'Chat service' });
  await expect(row).toContainText('Olivia Owner');
  await expect(row.locator('[data-label="Imports"]')).toHaveText('Notes, Tasks, Meetings, Meeting recordings');
  await expect(row.locator('[data-label="Last used"]')).toHaveText('Never');
  await expect(page.getByText(token)).toHaveCount(0);

  const service = { teamId: team.id, headers: { authorization: `Bearer ${token}` } };
  const note = { kind: 'note', external_id: 'n1', created_at: 1, title: 'A note' };
  const send = async () => (await ingest(node, service, [note])).status;
  expect(await send()).toBe(200);
  await page.reload();
  await expect(row.locator('[data-label="Last used"] time')).toBeVisible();
  await expectAccessible(page, 'tokens');
  await page.getByRole('button', { name: 'Remove Chat service' }).click();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessible(page, 'removing a token');
  await page.getByRole('dialog', { name: 'Remove Token' }).getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Deleted Successfully')).toBeVisible();
  expect(await send()).toBe(401);
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page).toHaveURL(/\/dashboard\/audit_log\?action=tokens$/);
  await expect(page.getByRole('row').filter({ hasText: 'Chat service' })).toHaveCount(2);
});
