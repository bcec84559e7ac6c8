import { serviceToken } from '@steward/server/testing/workspace/content.ts';
import { signedIn } from '@steward/server/testing/workspace/factories.ts';
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
  for (const kind of ['Messages', 'Files', 'Calls', 'Call recordings', 'Voicemails', 'Communications'])
    await form.getByRole('checkbox', { name: kind, exact: true }).uncheck();
  await expect(form.getByRole('checkbox', { name: 'Speaks for users' })).not.toBeChecked();
  await form.getByLabel('Expires').selectOption('In 90 days');
  await picture(page, 'tokens-add');
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
  await expect(row.locator('[data-label="Imports"]')).toHaveText('Notes, Tasks, Meetings, Meeting recordings');
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

test('a token without a kind is not created', async ({ page }) => {
  await page.goto(PATH);
  await page.getByRole('button', { name: 'Add Token' }).click();
  const form = page.getByRole('dialog', { name: 'Add Token' });
  await form.getByLabel('Name').fill('Chat service');
  for (const box of await form.getByRole('group', { name: 'Imports' }).getByRole('checkbox').all()) await box.uncheck();
  await form.getByRole('button', { name: 'Add Token' }).click();
  await expect(form.getByText('Choose at least one kind of content.')).toBeVisible();
});

test('a token that expires soon is marked, and can be replaced without a gap', async ({ page, node, team }) => {
  const expiresAt = Date.now() + 10 * 86_400_000;
  const old = await serviceToken(node, team.id, {
    ...{ name: 'Phone system', kinds: ['call', 'voicemail'], expiresAt, createdBy: team.owner.id },
  });
  await serviceToken(node, team.id, { name: 'Chat service' });
  await page.goto(PATH);
  const rows = page.getByRole('row').filter({ hasText: 'Phone system' });
  await expect(rows).toContainText('Expires soon');
  await expect(rows.locator('[data-label="Imports"]')).toContainText('Calls, Voicemails');
  await expect(page.getByRole('row').filter({ hasText: 'Chat service' })).not.toContainText('Expires soon');
  await picture(page, 'tokens-soon');
  await page.getByRole('button', { name: 'Replace Phone system' }).click();
  const form = page.getByRole('dialog', { name: 'Replace Token' });
  await expect(form).toContainText('The current token works for 24 hours more.');
  await expect(form.getByRole('checkbox', { name: 'Calls', exact: true })).toBeChecked();
  await expect(form.getByRole('checkbox', { name: 'Messages', exact: true })).not.toBeChecked();
  await form.getByRole('button', { name: 'Replace Token' }).click();
  await page.getByRole('dialog', { name: 'Copy the token now' }).getByRole('button', { name: 'Done' }).click();
  await expect(rows).toHaveCount(2);
  const stored = await node.db.selectFrom('service_tokens').select(['source_id', 'expires_at']).execute();
  expect(stored.filter(({ source_id }) => source_id === old.sourceId)).toHaveLength(2);
  expect(stored.filter(({ expires_at }) => Number(expires_at) < Date.now() + 25 * 3_600_000)).toHaveLength(1);
});

test('an owner lets admins create tokens, and revokes that', async ({ page, node, team }) => {
  await serviceToken(node, team.id, { name: 'Phone system' });
  await page.goto(PATH);
  const allow = page.getByRole('switch', { name: 'Admins can create tokens' });
  await expect(allow).not.toBeChecked();
  for (const may of [true, false]) {
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
    // setChecked would require the new state in the same moment, but it is rendered shortly after the click.
    await allow.click();
    await expect(allow).toBeChecked({ checked: may });
    expect((await saved).status()).toBe(200);
    const { admins_may_create_tokens } = await node.db
      .selectFrom('teams')
      .select('admins_may_create_tokens')
      .where('id', '=', team.id)
      .executeTakeFirstOrThrow();
    expect(admins_may_create_tokens).toBe(may);
  }
});

test('an admin sees the list, and creates tokens only if an owner allows it', async ({ page, node, team }) => {
  await serviceToken(node, team.id, { name: 'Phone system' });
  const admin = await signedIn(node, { team: team.id, kind: 'admin', first_name: 'Anna', last_name: 'Admin' });
  await signIn(page, { node }, admin);
  await page.goto(PATH);
  await expect(page.getByRole('row').filter({ hasText: 'Phone system' })).toBeVisible();
  await expect(page.getByText('Only owners can create tokens for them.')).toBeVisible();
  for (const name of ['Add Token', 'Remove Phone system', 'Replace Phone system'])
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  await expect(page.getByRole('switch')).toHaveCount(0);
  await node.db.updateTable('teams').set({ admins_may_create_tokens: true }).where('id', '=', team.id).execute();
  await page.reload();
  for (const name of ['Add Token', 'Remove Phone system', 'Replace Phone system'])
    await expect(page.getByRole('button', { name })).toBeVisible();
});
