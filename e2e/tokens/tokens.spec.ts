import { serviceToken } from '@steward/server/testing/workspace/content.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';

const PATH = '/dashboard/service_tokens';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('an empty list says what tokens are for', async ({ page, team }) => {
  await page.goto(PATH);
  await expect(page.getByRole('heading', { name: 'No service tokens yet' })).toBeVisible();
  await expect(page.getByText(`POST /api/v4/teams/${team.id}/content`)).toBeVisible();
  await expect(page.locator('[aria-current="page"]')).toHaveText(['Service Tokens']);
});

test('a token is shown once, can be copied, and lets a service in', async ({ page, context, node, team }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(PATH);
  await page.getByRole('button', { name: 'Add Token' }).click();
  const form = page.getByRole('dialog', { name: 'Add Token' });
  await form.getByRole('button', { name: 'Add Token' }).click();
  await expect(form.getByText('The name is required.')).toBeVisible();
  await form.getByLabel('Name').fill('Chat service');
  await form.getByRole('button', { name: 'Add Token' }).click();
  const shown = page.getByRole('dialog', { name: 'Copy the token now' });
  await expect(shown).toContainText('This is the token for Chat service. Copy it now');
  await picture(page, 'tokens-new');
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
  await expect(row.locator('[data-label="Last used"]')).toHaveText('Never');
  await expect(page.getByText(token)).toHaveCount(0);

  const sent = await fetch(`${node.url}/api/v4/teams/${team.id}/content`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    body: '{"kind":"note","external_id":"n1","created_at":1,"title":"A note"}\n',
  });
  expect(sent.status).toBe(200);
  await page.reload();
  await expect(row.locator('[data-label="Last used"] time')).toBeVisible();
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page).toHaveURL(/\/dashboard\/audit_log\?action=tokens$/);
  await expect(page.getByRole('row').filter({ hasText: 'Chat service' })).toHaveCount(1);
});

test('a token that the browser won’t copy is selected', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.goto(PATH);
  await page.getByRole('button', { name: 'Add Token' }).click();
  await page.getByLabel('Name').fill('Phone');
  await page.keyboard.press('Enter');
  const shown = page.getByRole('dialog', { name: 'Copy the token now' });
  await shown.getByRole('button', { name: 'Copy' }).click();
  await expect(shown.getByText(/The token is selected/)).toBeVisible();
  const selected = await shown
    .getByLabel('Token')
    .evaluate((field: HTMLInputElement) => (field.selectionEnd ?? 0) - (field.selectionStart ?? 0));
  expect(selected).toBeGreaterThan(20);
});

test('removing a token names the service that stops, and stops it', async ({ page, node, team }) => {
  const { token } = await serviceToken(node, team.id, { name: 'Phone system' });
  await serviceToken(node, team.id, { name: 'Chat service' });
  await page.goto(PATH);
  await page.getByRole('button', { name: 'Remove Phone system' }).click();
  const question = page.getByRole('dialog', { name: 'Remove Token' });
  await expect(question).toContainText('Phone system will lose access immediately.');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Deleted Successfully')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Phone system' })).toHaveCount(0);
  await expect(page.getByRole('row').filter({ hasText: 'Chat service' })).toHaveCount(1);
  const refused = await fetch(`${node.url}/api/v4/teams/${team.id}/content`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    body: '',
  });
  expect(refused.status).toBe(401);
});

test('a token that someone else removed disappears from the list when it is removed again', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/status of 404/);
  const { id } = await serviceToken(node, team.id, { name: 'Phone system' });
  await page.goto(PATH);
  await page.getByRole('button', { name: 'Remove Phone system' }).click();
  await node.db.deleteFrom('service_tokens').where('id', '=', id).execute();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('alert')).toContainText('Someone else already removed this token.');
  await expect(page.getByRole('heading', { name: 'No service tokens yet' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add Token' })).toBeFocused();
});
