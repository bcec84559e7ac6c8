import { channel } from '@steward/server/testing/workspace/content.ts';
import { expect, signIn } from '../browser/fixtures.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { test } from './helpdesk-screen.ts';
import {
  connected,
  deliveries,
  editor,
  openTriggers,
  problems,
  saveArchived,
  saved,
  ticket,
} from './triggers-screen.ts';

test('axe finds nothing on the triggers in every state, the log, one delivery and the questions', async ({
  page,
  node,
  team,
  helpdesk,
}) => {
  await signIn(page, { node }, team.owner);
  await connected({ node, team });
  await openTriggers(page);
  await page.getByRole('checkbox', { name: 'Ticket Created' }).uncheck();
  await page.getByRole('button', { name: 'SAVE' }).click();
  await expect(page.getByRole('form').getByText('Please select atleast one action.')).toBeVisible();
  await expectAccessible(page, 'refused');
  await editor(page).fill('{"text": "{{ticket.titel}}",\n"id": {{ticket.assignee.id}}}');
  await expect(problems(page)).toHaveCount(3);
  await page.getByText('JSON sent by Zendesk').click();
  await expectAccessible(page, 'problems');
  await page.getByRole('button', { name: 'Placeholders' }).click();
  await page.getByRole('combobox', { name: 'Search placeholders' }).fill('name');
  await page.keyboard.press('ArrowDown');
  await expectAccessible(page, 'placeholders');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Placeholders' })).toBeFocused();
  await page.getByRole('button', { name: 'DISABLE' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessible(page, 'disable');
  await page.keyboard.press('Escape');
  const [ops, old] = [await channel(node, team.id, { name: 'ops' }), await channel(node, team.id, { name: 'old' })];
  await saved({ node, team }, { channels: [ops, old] });
  await ticket({ node, helpdesk }, 'First');
  await saveArchived({ node, team }, old, true);
  await ticket({ node, helpdesk }, 'Second');
  await openTriggers(page);
  await expect(deliveries(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Details of Second' }).click();
  await expect(page.getByRole('region', { name: 'Request body' })).toBeVisible();
  await expectAccessible(page, 'one delivery');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Redeliver all failed' }).click();
  await expect(page.getByText('Redeliver 1 delivery to the channels where it failed?')).toBeVisible();
  await expectAccessible(page, 'all that failed');
});
