import { signIn } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import {
  credentialsPath,
  expect,
  field,
  getZendeskId,
  INTEGRATIONS,
  test,
  tile,
  typeToken,
} from './helpdesk-screen.ts';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('Zendesk is connected from its tile after a refusal, no secret stays in the page, and the account can be replaced', async ({
  page,
  node,
  team,
  helpdesk,
  trouble,
}) => {
  trouble.expect(/status of 400/);
  const save = page.getByRole('button', { name: 'Save' });
  await page.goto(INTEGRATIONS);
  await expect(page.locator('[aria-current="page"]')).toHaveText(['Integrations']);
  for (const text of ['Not connected', 'zendesk', getZendeskId(team), 'No'])
    await expect(tile(page)).toContainText(text);
  await tile(page).click();
  await expect(page).toHaveURL(credentialsPath(team));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Connect Zendesk');
  await expect(page.locator('[aria-current="true"]')).toHaveText(['Integrations']);
  await typeToken(page, { domain: 'nobody-has-this', token: 'wrong-token' });
  await save.click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('An Error Occurred!');
  await expect(alert).toContainText('No Zendesk account exists at nobody-has-this.zendesk.com.');
  await field(page, 'Domain').fill('https://acme.zendesk.com/agent');
  await expect(field(page, 'Domain')).toHaveValue('acme');
  await expect(page.getByText('.zendesk.com', { exact: true })).toBeVisible();
  await save.click();
  await expect(page.locator('form')).toContainText('Zendesk did not accept this email and token.');
  await picture(page, 'integrations-refused');
  await expect(field(page, 'API Token')).toHaveValue('wrong-token');
  await expect(field(page, 'Email')).toHaveValue('ada@acme.example');
  await expect(save).toBeFocused();
  expect(helpdesk.account('acme').webhooks()).toEqual([]);

  const canary = 'acme+odd:token';
  await field(page, 'API Token').fill(` ${canary}\n`);
  await save.click();
  await expect(page.getByText('Settings Saved Successfully')).toBeVisible();
  await expect(page).toHaveURL(INTEGRATIONS);
  for (const text of ['Connected', 'Yes', 'None yet']) await expect(tile(page)).toContainText(text);
  const left = await page.evaluate(() =>
    JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      history.state,
      location.href,
      document.cookie,
      document.documentElement.outerHTML,
    ]),
  );
  expect(left).not.toContain(canary);
  const stores = await page.evaluate(() => indexedDB.databases());
  expect(stores).toEqual([]);
  expect(node.log.join('\n')).not.toContain(canary);
  await page.getByRole('button', { name: 'Set up triggers' }).click();
  await expect(page).toHaveURL('/dashboard/triggers');
  await expect(page.getByRole('heading', { name: 'Create Triggers' })).toBeVisible();
  await page.goBack();
  await tile(page).getByRole('link', { name: 'Zendesk' }).press('Enter');
  await expect(page).toHaveURL('/dashboard/triggers');
  await page.goto(credentialsPath(team));
  await expect(page).toHaveURL('/dashboard/triggers');
  await expect(page.getByText(canary)).toHaveCount(0);

  await page.getByRole('button', { name: 'UPDATE CREDENTIAL' }).click();
  const dialog = page.getByRole('dialog', { name: 'UPDATE INTEGRATION CREDENTIALS' });
  helpdesk.fault({ account: 'acme', status: 401, times: 20 });
  await typeToken(dialog, { domain: 'globex', email: 'ada@globex.example', token: 'globex-token' });
  await dialog.getByRole('button', { name: 'Update' }).click();
  await expect(dialog).toContainText("Some items couldn't be removed from acme.zendesk.com.");
  await expect(dialog.getByRole('button', { name: 'Done' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toHaveCount(0);
  expect(helpdesk.account('globex').webhooks()).toHaveLength(1);
});
