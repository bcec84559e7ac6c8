import type { Page } from '@playwright/test';
import { signIn } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import {
  connectByForm,
  credentialsPath,
  expect,
  field,
  getZendeskId,
  INTEGRATIONS,
  test,
  tile,
  typeToken,
} from './helpdesk-screen.ts';

const CALLS = '**/api/v4/admin/teams/*/integrations';
const save = (page: Page) => page.getByRole('button', { name: 'Save' });
const alert = (page: Page) => page.getByRole('alert');
const watchChanges = (page: Page) => {
  const calls: { method: string; body: Record<string, unknown> }[] = [];
  page.on('request', (request) => {
    if (/\/integrations\/\w+$/.test(request.url()) && request.method() !== 'GET')
      calls.push({ method: request.method(), body: request.postDataJSON() });
  });
  return calls;
};

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('the tile opens the form, and once connected, the success message and the tile open the triggers', async ({
  page,
  team,
  helpdesk,
}) => {
  await page.goto(INTEGRATIONS);
  await expect(page.locator('[aria-current="page"]')).toHaveText(['Integrations']);
  for (const text of ['Not connected', 'zendesk', getZendeskId(team), 'No'])
    await expect(tile(page)).toContainText(text);
  await tile(page).click();
  await expect(page).toHaveURL(credentialsPath(team));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Connect Zendesk');
  await expect(page.locator('[aria-current="true"]')).toHaveText(['Integrations']);
  await typeToken(page, { domain: 'https://acme.zendesk.com/agent' });
  await expect(field(page, 'Domain')).toHaveValue('acme');
  await expect(page.getByText('.zendesk.com', { exact: true })).toBeVisible();
  await save(page).click();
  await expect(page.getByText('Settings Saved Successfully')).toBeVisible();
  await expect(page).toHaveURL(INTEGRATIONS);
  for (const text of ['Connected', 'Yes', 'None yet']) await expect(tile(page)).toContainText(text);
  await page.getByRole('button', { name: 'Set up triggers' }).click();
  await expect(page).toHaveURL('/dashboard/triggers');
  await expect(page.getByRole('heading', { name: 'Create Triggers' })).toBeVisible();
  await page.goBack();
  expect(helpdesk.account('acme').webhooks()).toHaveLength(1);
  await tile(page).getByRole('link', { name: 'Zendesk' }).press('Enter');
  await expect(page).toHaveURL('/dashboard/triggers');
  await page.goto(credentialsPath(team));
  await expect(page).toHaveURL('/dashboard/triggers');
});

test('required fields of the chosen way to sign in are checked before sending', async ({ page, team }) => {
  const calls = watchChanges(page);
  await page.goto(credentialsPath(team));
  await expect(page.getByRole('radio', { name: 'OAuth client' })).toBeChecked();
  await page.getByRole('radio', { name: 'API token or password' }).check();
  await save(page).click();
  for (const text of ['The domain is required.', 'The email is required.', 'The API token is required.'])
    await expect(page.getByText(text)).toBeVisible();
  await expect(field(page, 'Domain')).toBeFocused();
  await page.getByRole('switch', { name: 'Token authentication' }).press(' ');
  await save(page).click();
  await expect(page.getByText('The password is required.')).toBeVisible();
  await page.getByRole('radio', { name: 'OAuth client' }).check();
  await save(page).click();
  for (const text of ['The client id is required.', 'The client secret is required.'])
    await expect(page.getByText(text)).toBeVisible();
  await expect(field(page, 'Email')).toHaveCount(0);
  await field(page, 'Domain').fill('evil.example/');
  await save(page).click();
  await expect(page.getByText('This is not the name of a Zendesk account')).toBeVisible();
  expect(calls).toEqual([]);
});

test('a refusal says why and keeps the input, and the corrected form works', async ({
  page,
  team,
  trouble,
  helpdesk,
}) => {
  trouble.expect(/status of 400/);
  await page.goto(credentialsPath(team));
  await typeToken(page, { domain: 'nobody-has-this', token: 'wrong-token' });
  await save(page).click();
  await expect(alert(page)).toContainText('An Error Occurred!');
  await expect(alert(page)).toContainText('No Zendesk account exists at nobody-has-this.zendesk.com.');
  await field(page, 'Domain').fill('acme');
  await save(page).click();
  await expect(page.locator('form')).toContainText('Zendesk did not accept this email and token.');
  await picture(page, 'integrations-refused');
  await expect(field(page, 'API Token')).toHaveValue('wrong-token');
  await expect(field(page, 'Email')).toHaveValue('ada@acme.example');
  await expect(save(page)).toBeFocused();
  expect(helpdesk.account('acme').webhooks()).toEqual([]);
  await field(page, 'API Token').fill(' acme-token\n');
  await save(page).click();
  await expect(tile(page)).toContainText('Connected');
});

test("a password works where Zendesk still accepts one, and the form says that most accounts don't", async ({
  page,
  team,
  trouble,
}) => {
  trouble.expect(/status of 400/);
  await page.goto(credentialsPath(team));
  await page.getByRole('radio', { name: 'API token or password' }).check();
  await field(page, 'Domain').fill('acme');
  await field(page, 'Email').fill('ada@acme.example');
  const token = page.getByRole('switch', { name: 'Token authentication' });
  await expect(token).toBeChecked();
  await expect(page.getByText('Enable', { exact: true })).toBeVisible();
  await expect(page.getByText('Existing tokens stop working on April 30, 2027')).toBeVisible();
  await token.click();
  await expect(page.getByText('Disable', { exact: true })).toBeVisible();
  await expect(field(page, 'API Token')).toHaveCount(0);
  await expect(page.getByText('Zendesk retired password sign-in in January 2026')).toBeVisible();
  await expect(page.getByRole('link', { name: 'About token authentication' })).toHaveAttribute('href', /zendesk\.com/);
  await field(page, 'Password').fill('acme-password');
  await page.keyboard.press('Enter');
  await expect(alert(page)).toContainText('Zendesk did not accept this email and password.');
  await field(page, 'Domain').fill('globex');
  await field(page, 'Email').fill('ada@globex.example');
  await field(page, 'Password').fill('globex-password');
  await page.keyboard.press('Enter');
  await expect(tile(page)).toContainText('Connected');
});

test('an OAuth client is preselected and connects without an email', async ({ page, team }) => {
  const calls = watchChanges(page);
  await page.goto(credentialsPath(team));
  await field(page, 'Domain').fill('acme');
  await field(page, 'Client ID').fill('steward');
  await field(page, 'Client Secret').fill('acme-secret');
  await save(page).click();
  await expect(tile(page)).toContainText('Connected');
  const body = { domain: 'acme', username: '', authentication: 3, client_id: 'steward', client_secret: 'acme-secret' };
  expect(calls).toEqual([{ method: 'POST', body }]);
});

test('while credentials are verified the button says so, and a second press sends nothing', async ({ page, team }) => {
  const calls = watchChanges(page);
  let goOn = () => {};
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route(`${CALLS}/*`, async (route) => {
    if (route.request().method() === 'POST') await gate;
    await route.continue();
  });
  await page.goto(credentialsPath(team));
  await typeToken(page);
  await save(page).dblclick();
  await expect(save(page)).toHaveAttribute('aria-busy', 'true');
  await expect(page.getByText('Verifying with Zendesk.')).toBeVisible();
  await field(page, 'Email').press('Enter');
  goOn();
  await expect(tile(page)).toContainText('Connected');
  expect(calls).toHaveLength(1);
});

test('leaving with unsaved input asks for confirmation', async ({ page, team }) => {
  await page.goto(credentialsPath(team));
  await field(page, 'Domain').fill('acme');
  await page.getByRole('link', { name: 'Cancel' }).click();
  const question = page.getByRole('dialog', { name: 'Discard changes' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(field(page, 'Domain')).toHaveValue('acme');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL(INTEGRATIONS);
});

test('no secret stays in the page, its history or its storage', async ({ page, node, team }) => {
  const canary = 'acme+odd:token';
  await page.goto(credentialsPath(team));
  await typeToken(page, { token: canary });
  await save(page).click();
  await expect(tile(page)).toContainText('Connected');
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
  await page.goBack();
  await expect(page).toHaveURL(/triggers|settings/);
  await expect(page.getByText(canary)).toHaveCount(0);
});

test('an empty list and a failed list show a notice', async ({ page, trouble }) => {
  await page.route(CALLS, (route) => route.fulfill({ json: { records: [] } }));
  await page.goto(INTEGRATIONS);
  await expect(page.getByRole('heading', { name: 'No list found' })).toBeVisible();
  trouble.expect(/status of 500/);
  const failure = { status_code: 500, id: 'server.error', message: 'Something broke.', request_id: 'r1' };
  await page.route(CALLS, (route) => route.fulfill({ status: 500, json: failure }));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'An Error Occurred!' })).toBeVisible();
  await page.unroute(CALLS);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(tile(page)).toContainText('Not connected');
});

test('a tile shows its health, the last delivery and the last error', async ({ page, team }) => {
  const at = Date.UTC(2026, 2, 2, 9, 41);
  const warnings = ["Zendesk couldn't be reached at the last check."];
  const known = { id: getZendeskId(team), code: 'zendesk', name: 'Zendesk', enabled: true, warnings };
  const error = { last_error: 'The channel ops is archived.', last_error_at: at, refused_at: null };
  for (const [health, word] of [
    ['warning', 'Needs attention'],
    ['failing', 'Connection error'],
  ] as const) {
    const record = { ...known, health, last_delivery_at: at - 60_000, ...error };
    await page.route(CALLS, (route) => route.fulfill({ json: { records: [record] } }));
    await page.goto(INTEGRATIONS);
    await expect(tile(page)).toContainText(word);
    await expect(tile(page)).toContainText('The channel ops is archived.');
    await expect(tile(page)).toContainText(warnings.join());
    await expect(tile(page).locator('time')).toHaveText(['Mar 2, 2026, 10:40 AM', 'Mar 2, 2026, 10:41 AM']);
  }
});

test('warnings from connecting stay until dismissed', async ({ page, team }) => {
  const warnings = ["Some items couldn't be removed from old.zendesk.com."];
  await page.route(`${CALLS}/*`, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    return route.fulfill({ json: { status_code: 200, warnings } });
  });
  await page.goto(credentialsPath(team));
  await typeToken(page);
  await save(page).click();
  const notice = page.getByRole('region', { name: 'Needs attention' });
  await expect(notice).toContainText(warnings[0] ?? '');
  await page.reload();
  await expect(notice).toBeVisible();
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toHaveCount(0);
});

test("a form whose settings can't be fetched opens empty, and an unknown path shows a notice", async ({
  page,
  team,
  trouble,
}) => {
  trouble.expect(/status of 500/);
  const failure = { status_code: 500, id: 'server.error', message: 'Something broke.', request_id: 'r1' };
  await page.route(`${CALLS}/*`, (route) => route.fulfill({ status: 500, json: failure }));
  await page.goto(credentialsPath(team));
  await expect(field(page, 'Domain')).toHaveValue('');
  await expect(alert(page)).toHaveCount(0);
  await page.goto('/dashboard/settings/nosuchid');
  await expect(page.getByRole('heading', { name: 'No such integration' })).toBeVisible();
});

test('the dialog replaces the credentials of a connected integration', async ({ page, team, trouble }) => {
  trouble.expect(/status of 400/);
  await connectByForm(page, team);
  const calls = watchChanges(page);
  await tile(page).click();
  await page.getByRole('button', { name: 'UPDATE CREDENTIAL' }).click();
  const dialog = page.getByRole('dialog', { name: 'UPDATE INTEGRATION CREDENTIALS' });
  await expect(field(dialog, 'Domain')).toHaveValue('acme');
  await expect(field(dialog, 'Email')).toHaveValue('ada@acme.example');
  await expect(field(dialog, 'API Token')).toHaveValue('');
  await dialog.getByRole('button', { name: 'Update' }).click();
  await expect(dialog.getByText('The API token is required.')).toBeVisible();
  expect(calls).toEqual([]);
  await field(dialog, 'API Token').fill('wrong-token');
  await dialog.getByRole('button', { name: 'Update' }).click();
  await expect(dialog).toContainText('Zendesk did not accept this email and token.');
  await field(dialog, 'API Token').fill('acme-token');
  await dialog.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Updated Successfully')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'UPDATE CREDENTIAL' })).toBeFocused();
  const body = { integration: getZendeskId(team), domain: 'acme', username: 'ada@acme.example', authentication: 2 };
  expect(calls.at(-1)).toEqual({ method: 'PUT', body: { ...body, token: 'acme-token' } });
});

test('the dialog stays open with warnings about the previous account', async ({ page, team, helpdesk }) => {
  await connectByForm(page, team);
  await tile(page).click();
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
