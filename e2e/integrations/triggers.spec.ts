import { TIME_SCALE } from '@steward/server/testing/system/time-scale.ts';
import { listChannelTexts } from '@steward/server/testing/workspace/integrations.ts';
import { expect, signIn } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { channelField, chip, option } from '../channels/channels-screen.ts';
import { test } from './helpdesk-screen.ts';
import {
  connected,
  deliveries,
  editor,
  makeChannel,
  openTriggers,
  previewed,
  problems,
  saveArchived,
  saved,
  TRIGGERS,
  ticket,
} from './triggers-screen.ts';

const SAVE = { name: 'SAVE', exact: true } as const;
const DISABLE = { name: 'DISABLE', exact: true } as const;

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('triggers are saved, and a ticket is posted and logged', async ({ page, node, team, helpdesk }) => {
  await connected({ node, team });
  const ops = await makeChannel({ node, team }, 'ops');
  await openTriggers(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Triggers');
  await expect(page.getByRole('heading', { name: 'Create Triggers' })).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Ticket Created' })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Ticket Updated' })).not.toBeChecked();
  await expect(page.getByText('No deliveries yet')).toBeVisible();
  await channelField(page).click();
  await option(page, 'ops').click();
  await page.keyboard.press('Escape');
  await editor(page).fill('{ "text": "New: {{ticket.title}}" }');
  await expect(previewed(page)).toHaveText('New: The printer on floor two is out of paper');
  await page.getByRole('button', SAVE).click();
  await expect(page.getByText('Updated Successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Trigger detail' })).toBeVisible();
  expect(
    helpdesk
      .account('acme')
      .triggers()
      .filter(({ raw_title }) => raw_title.includes('Northwind')),
  ).toHaveLength(1);
  await ticket({ node, helpdesk }, 'No paper');
  expect(await listChannelTexts(node, ops)).toEqual(['New: No paper']);
  // The log refreshes automatically.
  await expect(deliveries(page)).toHaveCount(1, { timeout: 15_000 * TIME_SCALE });
  await expect(deliveries(page)).toContainText('New: No paper');
  await expect(deliveries(page)).toContainText('Posted');
  await page.reload();
  await expect(chip(page, 'ops')).toBeVisible();
  await expect(editor(page)).toHaveValue('{ "text": "New: {{ticket.title}}" }');
});

test('without an event nothing is sent, and the form says what to do', async ({ page, node, team }) => {
  await connected({ node, team });
  await openTriggers(page);
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()));
  await page.getByRole('checkbox', { name: 'Ticket Created' }).uncheck();
  await page.getByRole('button', SAVE).click();
  const alert = page.getByRole('alert').filter({ hasText: 'An Error Occurred!' });
  await expect(alert).toContainText('Please select atleast one action.');
  await expect(page.getByRole('form').getByText('Please select atleast one action.')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Ticket Updated' }).check();
  await expect(page.getByRole('form').getByText('Please select atleast one action.')).toHaveCount(0);
  await page.getByRole('button', SAVE).click();
  await expect(page.getByRole('form').getByText('Choose at least one open channel')).toBeVisible();
  expect(sent).toEqual([]);
});

test('a template with an error is refused with its position, and the input is kept', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/status of 400/);
  await connected({ node, team });
  await saved({ node, team }, { channels: [await makeChannel({ node, team }, 'ops')] });
  await openTriggers(page);
  await editor(page).fill('{\n  "text": "a",\n}');
  await expect(problems(page)).toHaveCount(1);
  await expect(problems(page)).toContainText('Not valid JSON');
  await expect(page.getByText('Fix the template error to see a preview.')).toBeVisible();
  const place = problems(page).getByRole('button', { name: /^Line/ });
  const words = (await place.textContent()) ?? '';
  await page.getByRole('button', SAVE).click();
  await expect(page.getByRole('form').getByText(`${words}: Not valid JSON`)).toBeVisible();
  await expect(editor(page)).toHaveValue('{\n  "text": "a",\n}');
  await place.click();
  await expect(editor(page)).toBeFocused();
  expect(await editor(page).evaluate((area: HTMLTextAreaElement) => area.selectionStart)).toBe(17);
});

test('a suggestion is applied by a click, and can be undone', async ({ page, node, team }) => {
  await connected({ node, team });
  await openTriggers(page);
  await editor(page).fill('{"text": "{{ticket.id}}: {{ ticket.titel | upcas }}"}');
  await expect(problems(page)).toHaveCount(2);
  await picture(page, 'triggers-problems');
  await page.getByRole('button', { name: 'Did you mean ticket.title?' }).click();
  await expect(editor(page)).toHaveValue('{"text": "{{ticket.id}}: {{ ticket.title | upcas }}"}');
  await expect(problems(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Did you mean upcase?' }).click();
  await expect(previewed(page)).toHaveText('35: THE PRINTER ON FLOOR TWO IS OUT OF PAPER');
  await expect(problems(page)).toHaveCount(0);
  await editor(page).press('ControlOrMeta+z');
  await expect(editor(page)).toHaveValue('{"text": "{{ticket.id}}: {{ ticket.title | upcas }}"}');
});

test('placeholders can be searched, and are inserted at the caret', async ({ page, node, team }) => {
  await connected({ node, team });
  await openTriggers(page);
  await editor(page).fill('{"text": "From "}');
  await editor(page).press('End');
  await editor(page).press('ArrowLeft');
  await editor(page).press('ArrowLeft');
  await page.getByRole('button', { name: 'Placeholders' }).click();
  await page.getByRole('combobox', { name: 'Search placeholders' }).fill('requester na');
  await expect(page.getByRole('listbox').getByRole('option').first()).toContainText('ticket.requester.name');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(editor(page)).toBeFocused();
  await expect(editor(page)).toHaveValue('{"text": "From {{ticket.requester.name}}"}');
  await page.keyboard.type('!');
  await expect(editor(page)).toHaveValue('{"text": "From {{ticket.requester.name}}!"}');
  await page.keyboard.press('Tab');
  await expect(editor(page)).not.toBeFocused();
  await expect(previewed(page)).toHaveText('From Rita Requester!');
});

test("a test posts the form's template without saving it", async ({ page, node, team }) => {
  await connected({ node, team });
  const ops = await makeChannel({ node, team }, 'ops');
  await saved({ node, team }, { channels: [ops] });
  await openTriggers(page);
  await editor(page).fill('{"text": "Unsaved {{ticket.id}}"}');
  await page.getByRole('button', { name: 'Send test' }).click();
  const result = page.getByRole('list', { name: 'Result of the test' }).getByRole('listitem');
  await expect(result).toHaveText(['ops: Posted', 'Deliveries can reach this server.']);
  expect(await listChannelTexts(node, ops)).toEqual(['Test: Unsaved 35']);
  await expect(page.getByText('Not saved yet')).toBeVisible();
});

test('archived channels are flagged, and the next save removes them', async ({ page, node, team }) => {
  await connected({ node, team });
  const [ops, old] = [await makeChannel({ node, team }, 'ops'), await makeChannel({ node, team }, 'old')];
  await saved({ node, team }, { channels: [ops, old] });
  await saveArchived({ node, team }, old, true);
  await openTriggers(page);
  await expect(chip(page, 'old')).toContainText("Archived – messages aren't posted");
  await expect(page.getByText("1 channel can't receive messages and will be removed when you save.")).toBeVisible();
  await page.getByRole('checkbox', { name: 'Ticket Updated' }).check();
  await page.getByRole('button', SAVE).click();
  await expect(page.getByText('Updated Successfully')).toBeVisible();
  await expect(chip(page, 'old')).toHaveCount(0);
  await expect(chip(page, 'ops')).toBeVisible();
});

test('disabling asks first, removes our triggers and webhook in Zendesk, and confirms it', async ({
  page,
  node,
  team,
  helpdesk,
}) => {
  await connected({ node, team });
  await saved({ node, team }, { channels: [await makeChannel({ node, team }, 'ops')] });
  await openTriggers(page);
  await page.getByRole('button', DISABLE).click();
  const question = page.getByRole('dialog', { name: 'Disable Zendesk' });
  await expect(question).toContainText(`acme.zendesk.com`);
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  expect(helpdesk.account('acme').webhooks()).toHaveLength(1);
  await page.getByRole('button', DISABLE).click();
  await question.getByRole('button', { name: 'Disable' }).click();
  await expect(page.getByText('Disable Successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Zendesk is not connected' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Connect Zendesk' })).toBeVisible();
  expect(helpdesk.account('acme').webhooks()).toHaveLength(0);
});

test('a disable that fails shows why, and changes nothing', async ({ page, node, team, trouble }) => {
  trouble.expect(/status of 409/);
  await connected({ node, team });
  await openTriggers(page);
  const message = 'Someone else is changing this integration right now. Try again in a minute.';
  const refusal = { status_code: 409, message, id: 'helpdesk.busy', request_id: 'x' };
  await page.route('**/integrations/*', (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 409, json: refusal }) : route.fallback(),
  );
  await page.getByRole('button', DISABLE).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'An Error Occurred!' });
  await expect(alert).toContainText(message);
  await expect(page.getByRole('checkbox', { name: 'Ticket Created' })).toBeVisible();
});

test("settings that can't be fetched are ignored: the form shows the defaults", async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/status of 500/);
  await connected({ node, team });
  const refusal = { status_code: 500, message: 'Too much.', id: 'server.error', request_id: 'x' };
  await page.route('**/integrations/*', (route) => route.fulfill({ status: 500, json: refusal }));
  await page.goto(TRIGGERS);
  await expect(page.getByRole('checkbox', { name: 'Ticket Created' })).toBeChecked();
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0);
  await expect(editor(page)).toHaveValue('');
});

test('leaving asks first with unsaved changes, and a team without a connection gets a link to connect', async ({
  page,
  node,
  team,
}) => {
  await page.goto(TRIGGERS);
  await expect(page.getByRole('heading', { name: 'Zendesk is not connected' })).toBeVisible();
  await expect(page.getByRole('button', DISABLE)).toHaveCount(0);
  await connected({ node, team });
  await openTriggers(page);
  await page.getByRole('checkbox', { name: 'Ticket Updated' }).check();
  await page.getByRole('link', { name: 'Manage Users' }).click();
  const question = page.getByRole('dialog', { name: 'Discard changes' });
  await expect(question).toContainText('Leave without saving?');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('checkbox', { name: 'Ticket Updated' })).toBeChecked();
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(page.getByRole('checkbox', { name: 'Ticket Updated' })).not.toBeChecked();
  await page.getByRole('link', { name: 'Manage Users' }).click();
  await expect(page).toHaveURL('/users/users');
});
