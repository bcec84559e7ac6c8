import { settled } from '@steward/server/testing/faults/wait-for-jobs.ts';
import { TIME_SCALE } from '@steward/server/testing/system/time-scale.ts';
import { channel } from '@steward/server/testing/workspace/content.ts';
import { listChannelTexts } from '@steward/server/testing/workspace/integrations.ts';
import { expect, signIn } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { channelField, chip, option } from '../channels/channels-screen.ts';
import { test, tile } from './helpdesk-screen.ts';
import {
  connected,
  deliveries,
  editor,
  openTriggers,
  previewed,
  saveArchived,
  saved,
  ticket,
} from './triggers-screen.ts';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('choose, test, save: each ticket is posted once and logged', async ({ page, node, team, helpdesk }) => {
  const ops = await channel(node, team.id, { name: 'ops' });
  const sales = await channel(node, team.id, { name: 'sales' });
  await connected({ node, team });
  await openTriggers(page);
  await channelField(page).click();
  await option(page, 'ops').click();
  await option(page, 'sales').click();
  await page.keyboard.press('Escape');
  await page.getByRole('checkbox', { name: 'Ticket Updated' }).check();
  await editor(page).fill('{ "text": "Unsaved {{ticket.id}}" }');
  await expect(previewed(page)).toHaveText('Unsaved 35');
  await page.getByRole('button', { name: 'Send test' }).click();
  const result = page.getByRole('list', { name: 'Result of the test' }).getByRole('listitem');
  await expect(result).toHaveText(['ops: Posted', 'sales: Posted', 'Deliveries can reach this server.']);
  expect(await listChannelTexts(node, sales)).toEqual(['Test: Unsaved 35']);
  await expect(page.getByText('Not saved yet')).toBeVisible();
  const template = '{\n  "text": "{{ticket.title}}: {{ticket.latest_public_comment.value}}"\n}';
  await editor(page).fill(template);
  await page.getByRole('button', { name: 'SAVE' }).click();
  await expect(page.getByText('Updated Successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Trigger detail' })).toBeVisible();
  await ticket({ node, helpdesk }, 'No "paper" \\ 🎉');
  helpdesk.account('acme').updateTicket(1, { comment: 'It is\non its way' });
  await helpdesk.settled();
  await settled(node);
  const texts = ['Test: Unsaved 35', 'No "paper" \\ 🎉: Help', 'No "paper" \\ 🎉: It is\non its way'];
  expect(await listChannelTexts(node, sales)).toHaveLength(3);
  await expect(deliveries(page)).toHaveCount(2, { timeout: 15_000 * TIME_SCALE });
  await expect(deliveries(page).nth(0)).toContainText('on its way');
  await expect(deliveries(page).nth(1)).toContainText('No "paper" \\ 🎉: Help');
  await picture(page, 'triggers');
  await expect(page.getByRole('region', { name: 'Zendesk status' })).toContainText('Connected');
  const calls = await page.request.get(`/api/v4/channels/${ops.id}/posts`);
  const { order, posts } = (await calls.json()) as { order: string[]; posts: Record<string, { message: string }> };
  expect(order.map((id) => posts[id]?.message.replaceAll('\u2060', '').replaceAll('\\\\', '\\')).reverse()).toEqual(
    texts,
  );
  await page.reload();
  await expect(chip(page, 'ops')).toBeVisible();
  await expect(editor(page)).toHaveValue(template);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Integrations' }).click();
  await expect(tile(page)).not.toContainText('None yet');
});

test('failed deliveries say why, show what was sent, and are redelivered one by one or together', async ({
  page,
  node,
  team,
  helpdesk,
}) => {
  await connected({ node, team });
  const [ops, old] = [await channel(node, team.id, { name: 'ops' }), await channel(node, team.id, { name: 'old' })];
  await saved({ node, team }, { channels: [ops, old], template: '{"text":"{{ticket.title}}","id":"{{ticket.id}}"}' });
  await saveArchived({ node, team }, old, true);
  for (const title of ['No paper', 'Second', 'Third']) await ticket({ node, helpdesk }, title);
  await openTriggers(page);
  const row = deliveries(page).filter({ hasText: 'No paper' });
  await expect(row).toContainText('Partly posted');
  await expect(row.getByRole('listitem').filter({ hasText: 'old' })).toContainText(
    /Failed\s*This channel is archived\./,
  );
  await expect(row.getByRole('listitem').filter({ hasText: 'ops' })).toHaveText(/^ops Posted$/);
  const standing = page.getByRole('region', { name: 'Zendesk status' });
  await expect(standing).toContainText('Last error');
  await expect(standing).toContainText('Needs attention');
  await page.getByRole('combobox', { name: 'Show deliveries' }).selectOption('Failed');
  await expect(page.getByText('No such deliveries')).toBeVisible();
  await page.getByRole('combobox', { name: 'Show deliveries' }).selectOption('Partly posted');
  await expect(deliveries(page)).toHaveCount(3);
  await page.getByRole('combobox', { name: 'Show deliveries' }).selectOption('All deliveries');

  await page.getByRole('button', { name: 'Details of No paper' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delivery' });
  await expect(dialog.getByRole('region', { name: 'Request body' })).toHaveText('{"text":"No paper","id":"1"}');
  const headers = dialog.getByRole('region', { name: 'Request headers' });
  await expect(headers).toContainText('x-zendesk-webhook-invocation-id: ');
  await expect(headers).not.toContainText('x-zendesk-webhook-signature: ');
  const channels = dialog.getByRole('table', { name: 'Channels of the delivery' });
  await expect(channels.getByRole('row').filter({ hasText: 'old' })).toContainText('1 attempt');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Details of No paper' })).toBeFocused();
  await saveArchived({ node, team }, old, false);
  await row.getByRole('button', { name: 'Redeliver No paper' }).click();
  await expect(row.getByRole('button', { name: 'Details of No paper' })).toBeFocused();
  await expect(row.getByRole('listitem').filter({ hasText: 'Posted' })).toHaveCount(2);
  await expect(row.getByRole('button', { name: 'Redeliver No paper' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Details of Second' }).click();
  await dialog.getByRole('button', { name: 'Redeliver' }).click();
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused();
  await expect(channels.getByRole('row').filter({ hasText: 'old' })).toContainText('2 attempts');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Redeliver all failed' }).click();
  const question = page.getByRole('dialog', { name: 'Redeliver all failed' });
  await expect(question).toContainText('Redeliver 1 delivery to the channels where it failed?');
  await question.getByRole('button', { name: 'Redeliver' }).click();
  await expect(page.getByText('Retrying 1 delivery.')).toBeVisible();
  await settled(node);
  for (const to of [ops, old]) expect(await listChannelTexts(node, to)).toEqual(['No paper', 'Second', 'Third']);
  await expect(deliveries(page).filter({ hasText: 'Failed' })).toHaveCount(0);
});
