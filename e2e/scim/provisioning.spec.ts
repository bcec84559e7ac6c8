import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { saveDeactivated } from '@steward/server/src/workspace/users/memberships.store.ts';
import { buildUser, scimToken, toPatch } from '@steward/server/testing/peers/scim.ts';
import { signedIn } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible } from '../screens/accessible.ts';

const PATH = '/dashboard/team_settings/provisioning';

/** The request is like one of an identity provider. */
async function send(url: string, token: string, request: string, body: unknown): Promise<number> {
  const [method = '', path = ''] = request.split(' ');
  const reply = await fetch(`${url}/scim/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify(body),
  });
  return reply.status;
}

test('an owner creates a token that is shown once, and sees what the provider does with it', async ({
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

  expect(await send(node.url, token, 'POST /Users', buildUser('grace@example.test', { password: 'hidden-word' }))).toBe(
    201,
  );
  expect(await send(node.url, token, 'POST /Users', buildUser('grace@example.test'))).toBe(409);
  const off = toPatch({ op: 'replace', value: { active: false } });
  expect(await send(node.url, token, `PATCH /Users/${member.id}`, off)).toBe(200);
  await page.reload();
  const calls = page.getByRole('table', { name: 'Provisioning calls' });
  await expect(calls.getByRole('row')).toHaveCount(4);
  await expect(calls.getByRole('row').nth(1)).toContainText(
    `Deactivated ${member.email}, and ended 1 session and 0 service tokens.`,
  );
  await expect(page.getByRole('region', { name: 'State of provisioning' })).toContainText('Some calls were refused');
  await picture(page, 'provisioning');
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
  await details.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page).toHaveURL(/\/dashboard\/audit_log\?action=scim$/);
  await expect(page.getByRole('row').filter({ hasText: 'Provisioning deactivated a user' })).toContainText('Okta');
});

test('removing a token says what stops, and stops it; one of a former owner is marked', async ({
  page,
  node,
  team,
}) => {
  const { token } = await scimToken(node, team.id, team.owner.id);
  const former = await signedIn(node, { team: team.id, kind: 'owner', first_name: 'Former', last_name: 'Owner' });
  await scimToken(node, team.id, former.id);
  await inTransaction(node.db, (trx) =>
    saveDeactivated(trx, { teamId: team.id, userId: former.id, deactivated: true }),
  );
  await signIn(page, { node }, team.owner);
  await page.goto(PATH);
  const rows = page.getByRole('table', { name: 'Provisioning tokens' }).getByRole('row');
  await expect(rows.filter({ hasText: 'Former Owner' })).toContainText('Stopped');
  await rows.filter({ hasText: 'Olivia Owner' }).getByRole('button', { name: 'Remove Directory' }).click();
  const question = page.getByRole('dialog', { name: 'Remove Token' });
  await expect(question).toContainText('will stop working immediately');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(rows).toHaveCount(2);
  expect(await send(node.url, token, 'POST /Users', {})).toBe(401);
});

test('an admin who isn’t an owner sees who can set it up', async ({ page, node, team }) => {
  await signIn(page, { node }, await signedIn(node, { team: team.id, kind: 'admin' }));
  await page.goto(PATH);
  await expect(page.getByRole('heading', { name: 'Only owners can set up provisioning' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add Token' })).toHaveCount(0);
});

test('axe finds nothing on provisioning and a call', async ({ page, node, team }) => {
  const { token } = await scimToken(node, team.id, team.owner.id);
  await send(node.url, token, 'POST /Users', buildUser('grace@example.test'));
  await send(node.url, token, 'POST /Users', buildUser('grace@example.test'));
  await signIn(page, { node }, team.owner);
  await page.goto(PATH);
  await expect(page.getByRole('table', { name: 'Provisioning calls' }).getByRole('row')).toHaveCount(3);
  await expectAccessible(page, 'provisioning');
  await page.getByRole('button', { name: 'Details of Add a user' }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'a call');
});
