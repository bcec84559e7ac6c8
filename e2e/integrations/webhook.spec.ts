import { channel } from '@steward/server/testing/workspace/content.ts';
import { listChannelTexts } from '@steward/server/testing/workspace/integrations.ts';
import { signIn } from '../browser/fixtures.ts';
import { expect, INTEGRATIONS, test } from './helpdesk-screen.ts';

test('an incoming webhook is connected from its tile, and a request from the service is posted', async ({
  page,
  node,
  team,
}) => {
  const room = await channel(node, team.id, { name: 'builds' });
  await signIn(page, { node }, team.owner);
  await page.goto(INTEGRATIONS);
  await page.getByRole('link', { name: 'Incoming webhook' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Connect Incoming webhook');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Settings Saved Successfully')).toBeVisible();
  const url = await page.getByLabel('Address', { exact: true }).inputValue();
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
  await page.getByRole('link', { name: 'Set up triggers' }).click();
  await page.getByRole('combobox', { name: 'Channels' }).fill(room.name);
  await page.getByRole('option', { name: room.name }).click();
  await page.getByRole('textbox', { name: 'Message template' }).fill('Build {{ number }} {{ status }}');
  await page.getByRole('button', { name: 'SAVE' }).click();
  await expect(page.getByText('Updated Successfully')).toBeVisible();
  await page.reload();
  await expect(page.getByText(secret)).toHaveCount(0);
  const reply = await page.request.post(new URL(url).pathname, {
    headers: { authorization: `Bearer ${secret}` },
    data: { number: 7, status: 'failed' },
  });
  expect(reply.status()).toBe(200);
  await expect.poll(() => listChannelTexts(node, room)).toEqual(['Build 7 failed']);
});
